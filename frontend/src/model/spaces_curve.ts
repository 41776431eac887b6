// The reduced usage curve of a memory space as a small step line. Pure.

import type { SpaceEntry } from '../generated/contract';
import { decodeColumn } from '../lib/column';
import type { ProgramAxis } from './axis/program_axis';

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

/** The curve along the cells of an axis: a folded loop has one step, its largest. */
export function foldCurve(curve: Curve, axis: ProgramAxis): Curve {
  if (axis.folds.length === 0) return curve;
  const steps = new Map<number, number>();
  for (const fold of axis.folds) {
    steps.set(fold.cell, bytesAt(curve, fold.start));
    steps.set(fold.cell + fold.cells, bytesAt(curve, fold.end));
  }
  curve.points.forEach((point, step) => {
    const fold = axis.foldAt(point);
    if (fold === null) steps.set(axis.at(point), curve.bytes[step]!);
    else steps.set(fold.cell, Math.max(steps.get(fold.cell)!, curve.bytes[step]!));
  });
  const cells = Float64Array.from(steps.keys()).sort();
  return { points: cells, bytes: cells.map((cell) => steps.get(cell)!) };
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
