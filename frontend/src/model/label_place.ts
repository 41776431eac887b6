// Finds a place for a label in a chart: next to its line, and not on anything else. Pure.

import { gatherColumns } from './axis/step_line';

/** In pixels of the plot, y downwards. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * The first of these places in which nothing lies, neither of what is `taken` nor a curve; where there is none, the first that
 * only a curve runs through, because a label can be read on a line but not on another label; else the first.
 */
export function freePlace<Place extends Box>(
  places: readonly [Place, ...Place[]],
  taken: readonly Box[],
  curves: (left: number, right: number) => readonly Box[],
): Place {
  const isFree = (place: Place, others: readonly Box[]): boolean => !others.some((other) => overlap(place, other));
  return (
    places.find((place) => isFree(place, [...taken, ...curves(place.left, place.right)])) ??
    places.find((place) => isFree(place, taken)) ??
    places[0]
  );
}

/** What a step line takes between two pixels, of cells `[a, b)` on `width` pixels. */
export function curveBox(
  values: Float64Array,
  { a, b, width }: { readonly a: number; readonly b: number; readonly width: number },
  y: (value: number) => number,
  left: number,
  right: number,
): Box {
  const cell = (x: number): number => a + (x / width) * (b - a);
  const { low, high } = gatherColumns(values, cell(left), cell(right), 1);
  return { left, right, top: y(high[0]!), bottom: y(low[0]!) };
}

function overlap(one: Box, other: Box): boolean {
  return one.left <= other.right && other.left <= one.right && one.top <= other.bottom && other.top <= one.bottom;
}
