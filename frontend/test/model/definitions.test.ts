// What a word means where nothing but its definition can tell: each would read as well the other way round.

import { describe, expect, it } from 'vitest';
import type { Finding, Headline } from '../../src/generated/contract';
import { moves } from '../../src/model/axis/moves';
import { Dataset } from '../../src/model/dataset';
import { findingTone, forAnyCapacity } from '../../src/model/findings';
import { layoutBuffers } from '../../src/model/groups/buffers';
import { ledger } from '../../src/model/ledger';
import { shownCapacity } from '../../src/model/selection';
import { bufferColumns } from '../../src/model/table/buffers';
import { DATASETS, dataset, golden, state } from '../golden';

const data = dataset('while_cond_hbm');
const answer = golden('UsageAnswer', 'usage_while_cond_hbm.json');

describe('findings', () => {
  const finding = (kind: string): Finding => ({
    kind,
    title: '',
    bytes: 1,
    detail: '',
    advice: '',
    cure: 'none',
    effect: null,
    buffers: [],
    points: [],
  });

  it.each([
    ['over_capacity', 'bad'],
    ['scoped_over_capacity', 'bad'],
    ['near_capacity', 'warn'],
    ['padding', 'note'],
  ])('of kind %s are %s', (kind, tone) => {
    expect(findingTone(finding(kind))).toBe(tone);
  });

  it('that depend on the capacity are left out where there is another', () => {
    const kinds = ['over_capacity', 'padding', 'near_capacity', 'scoped_over_capacity', 'activations'];
    const left = forAnyCapacity({ findings: kinds.map(finding) }).findings;
    expect(left.map(({ kind }) => kind)).toEqual(['padding', 'activations']);
  });
});

describe('capacity', () => {
  it("is the user's word before the server's", () => {
    const known = new Dataset({ ...answer, headline: { ...answer.headline, capacity_bytes: 1000 } });
    expect(shownCapacity(known, state())).toBe(1000);
    expect(shownCapacity(known, state({ capacity: 7 }))).toBe(7);
  });
});

describe('what must fit', () => {
  it('has a part for scoped memory, the largest, not that at the peak', () => {
    const headline: Headline = { ...data.headline, max_scoped_bytes: 300, scoped_at_peak_bytes: 10 };
    expect(ledger(headline).find((part) => part.key === 'scoped')?.bytes).toBe(300);
  });
});

describe('buffers', () => {
  it('are allocated within a half-open window, temporaries alone', () => {
    const temporaries = [...data.start.keys()].filter((row) => data.represents[row] === 1 && data.isTemporary(row));
    expect(temporaries.length).toBeGreaterThan(0);
    for (const row of temporaries) {
      const start = data.start[row]!;
      expect(data.allocatedWithin(start, start + 1)).toContain(row);
      expect(data.allocatedWithin(start - 1, start)).not.toContain(row);
      expect(data.allocatedWithin(start + 1, data.points)).not.toContain(row);
    }
    expect(data.allocatedWithin(0, data.points)).toEqual(Int32Array.from(temporaries));
  });

  it('are aliased where the server counts their allocation so', () => {
    let some = 0;
    for (const [, one] of DATASETS) {
      const column = bufferColumns(one).find(({ key }) => key === 'aliased')!;
      const rows = [...one.start.keys()];
      const aliased = new Map(
        rows.filter((row) => column.text(row) === 'yes').map((row) => [one.allocation[row], row]),
      );
      const bytes = [...aliased.keys()].reduce((sum: number, at) => sum + one.allocationSize[at!]!, 0);
      expect(bytes).toBe(one.headline.aliased_bytes);
      expect(rows.every((row) => column.csv(row) === column.text(row))).toBe(true);
      some += aliased.size;
    }
    expect(some).toBeGreaterThan(0);
  });

  it('have a padding that is explained for the size that was worked out, and no other', () => {
    const row = [...data.shape.keys()].find((one) => data.shape[one]! >= 0)!;
    const filled = <T>(value: T): T[] => answer.shapes.stored.map(() => value);
    const storing = (bytes: number): Dataset =>
      new Dataset({
        ...answer,
        shapes: { ...answer.shapes, stored: filled('f32[8,128]'), stored_bytes: filled(bytes) },
      });
    expect(storing(data.size[row]!).paddingExplained(row)?.stored).toBe('f32[8,128]');
    expect(storing(data.size[row]! + 1).paddingExplained(row)).toBeNull();
  });

  it('stand in their group by size, the largest first, equal ones in their order', () => {
    const rows = data.liveAt(data.headline.peak_point);
    const shown = layoutBuffers(data, rows, 0).map((cell) => cell.row!);
    const bySize = [...rows].sort((a, b) => data.size[b]! - data.size[a]! || a - b);
    expect(new Set(bySize.map((row) => data.size[row]))).not.toHaveLength(1);
    expect(shown).toEqual(bySize);
  });
});

describe('loops', () => {
  const loop = (start: number, end: number) => ({ name: '', kind: 'while' as const, start, end, parent: 0 });
  const nested = new Dataset({ ...answer, loops: [null, loop(0, 9), loop(2, 6), loop(3, 5)] });

  it('fold from the innermost outwards, and unfold from the outermost inwards', () => {
    expect(moves.foldHere(state({ point: 4 }), nested).folded).toEqual([3]);
    expect(moves.foldHere(state({ point: 4, folded: [3, 2] }), nested).folded).toEqual([3]);
  });

  it('that end at a point are not around it', () => {
    expect(moves.foldHere(state({ point: 5 }), nested).folded).toEqual([2]);
  });
});
