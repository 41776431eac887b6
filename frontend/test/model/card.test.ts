/** The card on a buffer's life, on answers of the server. */
import { describe, expect, it } from 'vitest';
import { cardText, lifeFacts, lifeOf } from '../../src/model/card';
import { Dataset } from '../../src/model/dataset';
import type { Fact } from '../../src/model/fact';
import { handoversFrom, lastReadOf } from '../../src/model/handovers';
import { DATASETS, dataset as goldenOf } from '../golden';

function facts(dataset: Dataset, row: number): Map<string, Fact> {
  return new Map(lifeFacts(dataset, row, lifeOf(dataset, row)).map((fact) => [fact.name, fact]));
}

function rowOf(dataset: Dataset, name: string): number {
  return Array.from({ length: dataset.count }, (_, row) => row).find((row) => dataset.name(row) === name)!;
}

const text = (dataset: Dataset, name: string, fact: string): string | undefined =>
  facts(dataset, rowOf(dataset, name)).get(fact)?.text;

describe.each(DATASETS)('the life of the buffers of %s', (_, dataset) => {
  const rows = Array.from({ length: dataset.count }, (_, row) => row);

  it('is marked where the trace does not list the buffer, and only there', () => {
    for (const row of rows) {
      const alive = facts(dataset, row).get('Alive')!.text;
      const inferred = dataset.isTemporary(row) && dataset.knownBy[row] === 1;
      expect(alive.endsWith(': not in the compiler’s trace')).toBe(inferred);
      if (inferred)
        expect(alive).toContain(
          dataset.readersOf(row).length > 0 ? ', inferred from its readers' : ', inferred from the schedule',
        );
      expect(facts(dataset, row).has('Allocated at')).toBe(dataset.isTemporary(row) && !inferred);
    }
  });

  it('names the last reader of its memory, and nobody where something hands it on', () => {
    for (const row of rows) {
      const said = facts(dataset, row).get('Last read at')!;
      expect(said.point).toBe(lastReadOf(dataset, row)?.point ?? null);
      if (handoversFrom(dataset, row).length > 0) expect(said.text).not.toContain('no reader found');
    }
  });

  it('is taken over only by what is alive there at the same addresses', () => {
    for (const row of rows) {
      const said = facts(dataset, row).get('Last read at')!;
      if (!said.text.endsWith('takes over its memory')) continue;
      const { start, offset, size, allocation } = dataset;
      const heirs = rows.filter(
        (other) =>
          other !== row &&
          start[other] === said.point &&
          allocation[other] === allocation[row] &&
          offset[other]! < offset[row]! + size[row]! &&
          offset[row]! < offset[other]! + size[other]!,
      );
      expect(heirs.map((heir) => dataset.instruction[heir])).toContain(dataset.instructionAt(said.point!));
      expect(facts(dataset, row).has('Freed after')).toBe(false);
    }
  });

  it('has links to buffers and points in the parts of its texts', () => {
    for (const row of rows)
      for (const { text, parts } of facts(dataset, row).values()) {
        expect(parts.map((part) => part.text).join('')).toBe(text);
        for (const part of parts) {
          if (part.row !== null) expect(dataset.name(part.row)).toBe(part.text);
          if (part.point !== null) expect(Number(part.text.split(' ')[0]!.replaceAll(',', ''))).toBe(part.point);
        }
      }
  });

  it('is never idle where nobody is counted as a reader', () => {
    for (const row of rows) {
      const { kind, idle } = lifeOf(dataset, row);
      if (idle !== null) expect(['traced', 'inferred']).toContain(kind);
      if (dataset.isTable(row)) expect(facts(dataset, row).get('Last read at')!.text).not.toContain('reader');
    }
  });
});

describe('a cache of 2 GiB that a loop carries', () => {
  const decode = goldenOf('decode_hbm');

  it('goes into the loop, round it and out of it', () => {
    expect(text(decode, 'loop_broadcast_fusion', 'Goes into')).toBe(
      'while.6 as arg_tuple.1{2}, read there at 62; comes out as while.6{2}, read there at 76',
    );
    expect(text(decode, 'loop_dynamic_update_slice_fusion', 'Goes around')).toBe(
      'while.6, in the next iteration as arg_tuple.1{2}, read there at 62; comes out as while.6{2}, read there at 76',
    );
    expect(text(decode, 'arg_tuple.1{2}', 'Comes from')).toBe(
      'loop_broadcast_fusion before while.6; loop_dynamic_update_slice_fusion in the previous iteration',
    );
    expect(text(decode, 'while.6{2}', 'Comes from')).toBe(
      'loop_dynamic_update_slice_fusion in the last iteration of while.6; loop_broadcast_fusion if while.6 runs no iteration',
    );
  });

  it('is read wherever its memory goes on', () => {
    expect(text(decode, 'loop_broadcast_fusion', 'Last read at')).toBe('76 · copy.11 as while.6{2}');
    // The parameter of the condition, which does not read it.
    expect(text(decode, 'arg_tuple.3{2}', 'Goes into')).toBe('the body of while.6 as arg_tuple.1{2}, read there at 62');
    expect(text(decode, 'arg_tuple.1{2}', 'Last read at')).toBe(
      '62 · loop_dynamic_update_slice_fusion, whose result takes over its memory',
    );
    // The counter, which nobody reads after the loop.
    expect(text(decode, 'loop_add_fusion.2', 'Last read at')).toBe(
      '63 · loop_add_fusion.2, in the next iteration of while.6 as arg_tuple.1{0}',
    );
  });

  it('is all in the text that is copied', () => {
    const copied = cardText(decode, rowOf(decode, 'loop_broadcast_fusion'));
    expect(copied).toContain('Goes into: while.6 as arg_tuple.1{2}, read there at 62; comes out as while.6{2}');
  });
});

it('comes out of a conditional', () => {
  const dataset = goldenOf('while_cond_vmem');
  expect(text(dataset, 'fusion', 'Comes out of')).toBe('conditional as conditional{0}, read there at 101, 102');
  expect(text(dataset, 'fusion', 'Last read at')).toBe('102 · copy-done.1 as conditional{0}');
  expect(text(dataset, 'conditional{0}', 'Comes from')).toBe(
    'sort.5{0} in a branch of conditional; fusion in a branch of conditional; fusion.13 in a branch of conditional',
  );
});

it('admits that nothing is known', () => {
  const { answer } = goldenOf('decode_hbm');
  const known_by = { runs: [2, goldenOf('decode_hbm').count] };
  const dataset = new Dataset({ ...answer, buffers: { ...answer.buffers, known_by } });
  const row = rowOf(dataset, 'loop_broadcast_fusion');
  expect(text(dataset, 'loop_broadcast_fusion', 'Alive')).toBe('for the whole run, because its lifetime is unknown');
  expect(lifeOf(dataset, row)).toMatchObject({ kind: 'unknown', idle: null });
});
