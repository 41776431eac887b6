// The reduced usage curve of a memory space as a small step line. Pure.

import type { SpaceEntry } from '../contract';
import { decodeColumn } from '../lib/column';

export interface Curve {
  readonly points: Float64Array;
  readonly bytes: Float64Array;
}

export function curveOf(space: Pick<SpaceEntry, 'curve'>): Curve {
  return { points: decodeColumn(space.curve.points), bytes: decodeColumn(space.curve.bytes) };
}

/** Usage at a point, as the curve knows it: the step that the point is in. */
export function bytesAt(curve: Curve, point: number): number {
  let from = 0;
  let to = curve.points.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (curve.points[middle]! <= point) from = middle + 1;
    else to = middle;
  }
  return from === 0 ? 0 : curve.bytes[from - 1]!;
}

/** An SVG path of the steps in the stretch `[a, b)`; `most` bytes are at the top. */
export function curvePath(curve: Curve, a: number, b: number, width: number, height: number, most: number): string {
  const x = (point: number): number => round((Math.max(0, Math.min(b - a, point - a)) / (b - a)) * width);
  const y = (bytes: number): number => round(height - (most > 0 ? bytes / most : 0) * height);
  const parts = [`M0,${y(bytesAt(curve, a))}`];
  for (let step = 0; step < curve.points.length; step++) {
    const point = curve.points[step]!;
    if (point > a && point < b) parts.push(`H${x(point)}V${y(curve.bytes[step]!)}`);
  }
  parts.push(`H${width}`);
  return parts.join('');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
