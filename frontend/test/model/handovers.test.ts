/** As what a buffer's memory goes on, and where it is read last, checked against slow and plain code. */
import { describe, expect, it } from 'vitest';
import type { HandoverKind, UsageAnswer } from '../../src/generated/contract';
import { ABSENT, decodeRows } from '../../src/lib/column';
import { Dataset } from '../../src/model/dataset';
import { handoversFrom, handoversTo, lastReadOf } from '../../src/model/handovers';
import { DATASETS, dataset as goldenOf } from '../golden';

describe.each(DATASETS)('the handovers of %s', (_, dataset) => {
  const { source, target } = dataset.answer.buffers.handovers;
  const [from, to] = [decodeRows(source), decodeRows(target)];
  const rows = Array.from({ length: dataset.count }, (_, row) => row);

  it('are those of the answer, and those from a loop’s condition to its body', () => {
    for (const row of rows) {
      const onward = handoversFrom(dataset, row).filter(({ kind }) => kind !== 'enters body');
      expect(onward.map((one) => one.row).sort()).toEqual([...to.filter((_, at) => from[at] === row)].sort());
      expect(
        handoversTo(dataset, row)
          .map((one) => one.row)
          .sort(),
      ).toEqual([...from.filter((_, at) => to[at] === row)].sort());
      for (const { kind, row: body } of handoversFrom(dataset, row)) {
        if (kind !== 'enters body') continue;
        expect([dataset.allocation[body], dataset.offset[body]]).toEqual([
          dataset.allocation[row],
          dataset.offset[row],
        ]);
        const origins = (of: number): number[] => handoversTo(dataset, of).map((one) => one.row);
        expect(origins(body)).toEqual(origins(row));
      }
    }
  });

  it('lead to the last read: one of those of all that can be reached', () => {
    for (const row of rows) {
      const met = new Set([row]);
      for (let before = 0; before !== met.size; ) {
        before = met.size;
        for (const one of [...met]) for (const next of handoversFrom(dataset, one)) met.add(next.row);
      }
      const points = [...met].flatMap((one) => [...dataset.readersOf(one)]);
      const last = lastReadOf(dataset, row);
      expect(last === null).toBe(points.length === 0);
      if (last === null) continue;
      expect(met).toContain(last.row);
      expect(dataset.readersOf(last.row).at(-1)).toBe(last.point);
      expect(last.point).toBeGreaterThanOrEqual(dataset.readersOf(row).at(-1) ?? 0);
      if (last.loop === ABSENT) expect(last.point).toBe(Math.max(...points));
    }
  });
});

/** The first rows of a golden answer with other readers and handovers. */
function made(
  readers: readonly (readonly number[])[],
  handovers: readonly (readonly [number, number, HandoverKind, number])[],
): Dataset {
  const { answer, count } = goldenOf('decode_hbm');
  const offsets = [0];
  for (let row = 0; row < count; row++) offsets.push(offsets[row]! + (readers[row]?.length ?? 0));
  const buffers: UsageAnswer['buffers'] = {
    ...answer.buffers,
    readers_offset: offsets,
    readers: readers.flat(),
    handovers: {
      source: handovers.map(([from]) => from),
      target: handovers.map(([, to]) => to),
      instruction: handovers.map(([, , , by]) => by),
      kind: { strings: handovers.map(([, , kind]) => kind), index: [...handovers.keys()] },
    },
  };
  return new Dataset({ ...answer, buffers });
}

describe('the last read', () => {
  const [inner, outer] = [30, 60].map((point) => goldenOf('decode_hbm').instructionAt(point)) as [number, number];

  it('is found behind any number of loops', () => {
    const through: [number, number, HandoverKind, number][] = [
      [0, 1, 'enters', outer],
      [1, 2, 'enters', inner],
      [2, 3, 'passes', 5],
      [3, 4, 'leaves branch', 6],
      [4, 5, 'leaves', outer],
    ];
    expect(lastReadOf(made([[2], [], [], [], [], [70]], through), 0)).toEqual({ point: 70, row: 5, loop: ABSENT });
  });

  it('ends where handovers run in circles', () => {
    const circle: [number, number, HandoverKind, number][] = [
      [0, 1, 'goes round', inner],
      [1, 0, 'goes round', inner],
      [1, 1, 'enters', inner],
    ];
    expect(lastReadOf(made([[], [7]], circle), 0)).toEqual({ point: 7, row: 1, loop: inner });
    expect(lastReadOf(made([[], []], circle), 0)).toBeNull();
  });

  it('is in the next pass where nothing reads it after the loop', () => {
    const loop: [number, number, HandoverKind, number][] = [
      [1, 0, 'goes round', inner],
      [1, 2, 'leaves', inner],
    ];
    // Read at 25 in this pass and at 12 in the next one.
    expect(lastReadOf(made([[12], [25], []], loop), 1)).toEqual({ point: 12, row: 0, loop: inner });
    expect(lastReadOf(made([[12], [25], [40]], loop), 1)).toEqual({ point: 40, row: 2, loop: ABSENT });
  });

  it('is in the next pass of the outer loop, though the inner one is left', () => {
    const nested: [number, number, HandoverKind, number][] = [
      [0, 1, 'goes round', outer],
      [1, 2, 'enters', inner],
      [2, 3, 'leaves', inner],
    ];
    expect(lastReadOf(made([[50], [], [20], [35]], nested), 0)).toEqual({ point: 35, row: 3, loop: outer });
  });
});
