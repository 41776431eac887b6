// Finds the next buffer of the map in a direction, for the arrow keys. Pure.

import type { MapSource } from './layout';

export type MapDirection = 'earlier' | 'later' | 'lower' | 'higher';

/** The nearest buffer in a direction, first where it faces the middle of this one, then where it faces any of it; null at the edge. */
export function neighborOf(source: MapSource, row: number, direction: MapDirection): number | null {
  const item = source.rows.indexOf(row);
  if (item === -1) return null;
  const { left, right, low, high } = source.boxes;
  const [l, r, b, t] = [left[item]!, right[item]!, low[item]!, high[item]!];
  const middleX = Math.floor((l + r) / 2);
  const middleY = Math.floor((b + t) / 2);
  const horizontal = direction === 'earlier' || direction === 'later';
  const facing: readonly [number, number][] = horizontal
    ? [
        [middleY, middleY + 1],
        [b, t],
      ]
    : [
        [middleX, middleX + 1],
        [l, r],
      ];
  for (const [from, to] of facing) {
    const found = horizontal
      ? nearest(source, direction === 'later' ? [r, Infinity, from, to] : [-Infinity, l, from, to], direction)
      : nearest(source, direction === 'higher' ? [from, to, t, Infinity] : [from, to, -Infinity, b], direction);
    if (found !== null) return source.rows[found]!;
  }
  return null;
}

function nearest(
  source: MapSource,
  within: readonly [number, number, number, number],
  direction: MapDirection,
): number | null {
  const { left, right, low, high } = source.boxes;
  const distance: Record<MapDirection, (item: number) => number> = {
    later: (item) => left[item]! - within[0],
    earlier: (item) => within[1] - right[item]!,
    higher: (item) => low[item]! - within[2],
    lower: (item) => within[3] - high[item]!,
  };
  let best: number | null = null;
  source.index.search(...within, (item) => {
    const far = distance[direction](item);
    if (far >= 0 && (best === null || far < distance[direction](best))) best = item;
    return undefined;
  });
  return best;
}

/** Where the keyboard starts: the largest buffer alive at a point, else the largest of all; null in an empty map. */
export function firstOf(source: MapSource, point: number): number | null {
  let best: number | null = null;
  source.index.search(point, point + 1, -Infinity, Infinity, (item) => {
    const size = source.boxes.high[item]! - source.boxes.low[item]!;
    if (best === null || size > source.boxes.high[best]! - source.boxes.low[best]!) best = item;
    return undefined;
  });
  return source.rows[best ?? 0] ?? null;
}
