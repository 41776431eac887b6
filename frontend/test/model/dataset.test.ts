// The page's own numbers against the server's, on answers that the server really gives.

import { describe, expect, it } from 'vitest';
import { layoutBar, orderRows, SMALL, segmentAt } from '../../src/model/bars';
import { cardText, lifeFacts, lifeOf, placeFacts } from '../../src/model/card';
import type { Dataset } from '../../src/model/dataset';
import { groupingOf, rowsInGroup } from '../../src/model/groups/group';
import { ledger } from '../../src/model/ledger';
import {
  countAsLarge,
  keptRows,
  largestRow,
  neighborPeak,
  rowOfId,
  shownPoint,
  shownRows,
  shownStretch,
} from '../../src/model/selection';
import { DATASETS, dataset, state } from '../golden';

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

/** Bytes that the rows cover: indefinite ones whole, temporaries by the union of their addresses. */
function covered(data: Dataset, rows: Int32Array): number {
  let total = 0;
  const spans = new Map<number, [number, number][]>();
  for (const row of rows) {
    if (!data.isTemporary(row)) total += data.size[row]!;
    else {
      const allocation = data.allocation[row]!;
      const list = spans.get(allocation) ?? [];
      list.push([data.offset[row]!, data.offset[row]! + data.size[row]!]);
      spans.set(allocation, list);
    }
  }
  for (const list of spans.values()) {
    let end = Number.NEGATIVE_INFINITY;
    for (const [low, high] of list.sort((a, b) => a[0] - b[0])) {
      total += Math.max(0, high - Math.max(low, end));
      end = Math.max(end, high);
    }
  }
  return total;
}

describe.each(DATASETS)('%s', (_, data) => {
  it('has a live set at every point that makes up the usage', () => {
    const step = Math.max(1, Math.floor(data.points / 50));
    for (let point = 0; point < data.points; point += step) {
      expect(covered(data, data.liveAt(point)) + data.scoped[point]!).toBe(data.usage[point]);
    }
  });

  it('peaks where the headline says', () => {
    const { peak_point, peak_bytes } = data.headline;
    expect(Math.max(...data.usage)).toBe(peak_bytes);
    expect(data.usage.indexOf(peak_bytes)).toBe(peak_point);
    expect(data.usage[peak_point]! - data.unpadded[peak_point]!).toBe(data.headline.padding_bytes);
  });

  it('stacks parts to exactly what must fit', () => {
    expect(sum(ledger(data.headline).map((part) => part.bytes))).toBe(data.headline.required_bytes);
  });

  it('lays bars out so that nothing is lost and widths are bytes', () => {
    const rows = data.liveAt(data.headline.peak_point);
    for (const order of ['program', 'size', 'padding'] as const) {
      const bar = layoutBar(data, rows, order, 1000, 16 * 1024);
      const shown = [...bar.rows].filter((row) => row !== SMALL);
      expect([...shown, ...bar.small].sort((a, b) => a - b)).toEqual([...rows].sort((a, b) => a - b));
      if (bar.totalBytes > 0) expect(bar.x.at(-1)).toBeCloseTo(1000, 6);
      bar.rows.forEach((_, at) => {
        const [left, right] = [bar.x[at]!, bar.x[at + 1]!];
        if (right > left) expect(segmentAt(bar, (left + right) / 2)).toBe(at);
      });
      expect(segmentAt(bar, 1001)).toBe(-1);
    }
  });

  it('orders bars as they say', () => {
    const rows = data.liveAt(data.headline.peak_point);
    const sizes = [...orderRows(data, rows, 'size')].map((row) => data.size[row]!);
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    const starts = [...orderRows(data, rows, 'program')].map((row) => data.start[row]!);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
  });

  it('has something to say of every buffer, with names of its own', () => {
    for (let row = 0; row < data.count; row++) {
      const life = lifeOf(data, row);
      expect([...life.readers].every((point) => point >= life.start && point < life.end)).toBe(true);
      for (const fact of [...placeFacts(data, row), ...lifeFacts(data, row, life)]) {
        expect(fact.text).not.toMatch(/undefined|NaN|null|\b1 points|, 1 point$/);
        if (fact.point !== null) expect(fact.point).toBeLessThan(data.points);
      }
      expect(cardText(data, row)).toContain(`Buffer: ${data.name(row)}`);
      expect(data.color(row)).toMatch(/^#[0-9a-f]{6}$/);
    }
  });
});

describe('what a state means', () => {
  const data = dataset('while_cond_hbm');

  it('is the peak where no point is chosen', () => {
    expect(shownPoint(data, state())).toBe(data.headline.peak_point);
    expect(shownPoint(data, state({ point: 10 ** 9 }))).toBe(data.points - 1);
    expect([...shownRows(data, state())]).toEqual([...data.liveAt(data.headline.peak_point)]);
  });

  it('clamps a zoom from another program', () => {
    expect(shownStretch(data, state({ zoom: [10 ** 6, 10 ** 7] }))).toEqual([data.points - 1, data.points]);
    expect(shownStretch(data, state())).toEqual([0, data.points]);
  });

  it('counts in a window what lives throughout, and apart from it what is allocated within', () => {
    const window: [number, number] = [2, Math.min(9, data.points)];
    for (const row of shownRows(data, state({ window }))) {
      expect(data.start[row]).toBeLessThanOrEqual(2);
      expect(data.end[row]).toBeGreaterThanOrEqual(window[1]);
    }
    for (const row of data.allocatedWithin(...window)) {
      expect(data.start[row]).toBeGreaterThanOrEqual(2);
      expect(data.start[row]).toBeLessThan(window[1]);
    }
  });

  it('finds peaks to both sides', () => {
    const sorted = [...data.peaks].sort((a, b) => a - b);
    sorted.forEach((peak, at) => {
      expect(neighborPeak(data, state({ point: peak }), 1)).toBe(sorted[at + 1] ?? null);
      expect(neighborPeak(data, state({ point: peak }), -1)).toBe(sorted[at - 1] ?? null);
    });
  });

  it('finds a buffer by id, of its spans the one that is alive', () => {
    for (let row = 0; row < data.count; row++) {
      const found = rowOfId(data, data.id[row]!, state({ point: data.start[row]! }))!;
      expect(data.id[found]).toBe(data.id[row]);
      expect(data.start[found]).toBeLessThanOrEqual(data.start[row]!);
    }
    expect(rowOfId(data, 'no such id', state())).toBeNull();
  });

  it('knows the largest', () => {
    const largest = largestRow(data, state())!;
    expect(data.size[largest]).toBe(
      Math.max(...[...data.liveAt(data.headline.peak_point)].map((row) => data.size[row]!)),
    );
  });

  it('looks for the largest in the chosen group alone', () => {
    const { tree } = groupingOf(data, state());
    const [group] = tree.children(0).map((node) => tree.labels[node]!);
    const chosen = state({ groupPath: [group!] });
    const inGroup = rowsInGroup(data, chosen)!;
    const kept = [...data.liveAt(data.headline.peak_point)].filter((row) => inGroup[row] === 1);
    expect([...keptRows(data, chosen)]).toEqual(kept);
    const largest = largestRow(data, chosen);
    expect(largest === null ? 0 : data.size[largest]).toBe(Math.max(0, ...kept.map((row) => data.size[row]!)));
  });

  it('counts those that are exactly as large', () => {
    const sizes = [...data.liveAt(data.headline.peak_point)].map((row) => data.size[row]!);
    for (const row of data.liveAt(data.headline.peak_point))
      expect(countAsLarge(data, state(), row)).toBe(sizes.filter((size) => size === data.size[row]).length);
  });
});
