// The three bars of a live set: the same buffers as adjacent segments, in three orders. Pure layout.

import type { Dataset } from './dataset';

export type BarOrder = 'program' | 'size' | 'padding';

/** Segments from left to right: `row[i]` spans `[x[i], x[i + 1])` of the bar's width; row SMALL gathers the rest. */
export interface Bar {
  readonly rows: Int32Array;
  readonly x: Float64Array;
  readonly small: Int32Array;
  readonly smallBytes: number;
  readonly totalBytes: number;
}

export const SMALL = -1;

/** What a bar's widths stand for: bytes as stored, or wasted bytes. */
export function weightOf(dataset: Dataset, order: BarOrder): (row: number) => number {
  return order === 'padding' ? (row) => dataset.padding(row) : (row) => dataset.size[row]!;
}

/** Rows in the order of a bar: oldest, largest or most wasted first. */
export function orderRows(dataset: Dataset, rows: Int32Array, order: BarOrder): Int32Array {
  if (order === 'program') return rows;
  const weight = weightOf(dataset, order);
  return rows.slice().sort((a, b) => weight(b) - weight(a) || a - b);
}

/** Segments of a bar `width` wide. Buffers below `threshold` bytes stand in one segment at the end, unless they are most of it. */
export function layoutBar(dataset: Dataset, rows: Int32Array, order: BarOrder, width: number, threshold: number): Bar {
  const weight = weightOf(dataset, order);
  const least = isMostlySmall(rows, weight, threshold) ? 1 : Math.max(threshold, 1);
  const shown: number[] = [];
  const small: number[] = [];
  let total = 0;
  let smallBytes = 0;
  for (const row of orderRows(dataset, rows, order)) {
    const bytes = weight(row);
    total += bytes;
    if (bytes >= least) shown.push(row);
    else {
      small.push(row);
      smallBytes += bytes;
    }
  }
  if (smallBytes > 0) shown.push(SMALL);
  const x = new Float64Array(shown.length + 1);
  let sum = 0;
  shown.forEach((row, i) => {
    sum += row === SMALL ? smallBytes : weight(row);
    x[i + 1] = total > 0 ? (sum / total) * width : 0;
  });
  return { rows: Int32Array.from(shown), x, small: Int32Array.from(small), smallBytes, totalBytes: total };
}

/** Whether gathering would hide what the bar is there to show. */
function isMostlySmall(rows: Int32Array, weight: (row: number) => number, threshold: number): boolean {
  let small = 0;
  let total = 0;
  for (const row of rows) {
    const bytes = weight(row);
    total += bytes;
    if (bytes < threshold) small += bytes;
  }
  return 2 * small > total;
}

/** The segment at `at` pixels, -1 outside. */
export function segmentAt(bar: Bar, at: number): number {
  if (bar.rows.length === 0 || at < 0 || at >= bar.x[bar.rows.length]!) return -1;
  let low = 0;
  let high = bar.rows.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bar.x[middle + 1]! > at) high = middle;
    else low = middle + 1;
  }
  return low;
}
