/** The map's rectangles, checked against what slow and plain code finds. */
import { describe, expect, it } from 'vitest';
import { BoxIndex } from '../../../src/model/map';
import {
  buildMapSource,
  gapsAt,
  layoutMap,
  type MapRects,
  type MapSource,
  type MapWindow,
  placeLabels,
  rowAt,
} from '../../../src/model/map/layout';

interface Box {
  start: number;
  end: number;
  offset: number;
  size: number;
}

function sourceOf(boxes: readonly Box[], allocationSize: number, points: number): MapSource {
  const column = (key: keyof Box): Float64Array => Float64Array.from(boxes, (box) => box[key]);
  const columns = { start: column('start'), end: column('end'), offset: column('offset'), size: column('size') };
  return buildMapSource(Int32Array.from(boxes.keys()), columns, allocationSize, points);
}

/** The same boxes on every run. */
function manyBoxes(count: number, seed = 1): Box[] {
  let state = seed;
  const next = (below: number): number => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
  return Array.from({ length: count }, () => {
    const start = next(1000);
    return { start, end: start + 1 + next(60), offset: next(100_000), size: 1 + next(3000) };
  });
}

const whole = (source: MapSource) => ({ start: 0, end: source.points, low: 0, high: source.allocationSize });

function rectOf(rects: MapRects, row: number) {
  const item = rects.row.indexOf(row);
  return item === -1 ? null : [rects.x[item], rects.y[item], rects.width[item], rects.height[item]];
}

describe('box index', () => {
  it('finds exactly the boxes that a look at every box finds', () => {
    const boxes = manyBoxes(3000);
    const { rows, boxes: columns } = sourceOf(boxes, 103_000, 1061);
    const index = new BoxIndex(columns);
    for (const [left, right, low, high] of [
      [0, 1, 0, 103_000],
      [500, 520, 4000, 9000],
      [990, 1061, 0, 1],
      [300, 301, 50_000, 50_001],
    ] as const) {
      const found: number[] = [];
      index.search(left, right, low, high, (item) => {
        found.push(rows[item] as number);
        return undefined;
      });
      const wanted = boxes.flatMap((box, item) =>
        box.start < right && left < box.end && box.offset < high && low < box.offset + box.size ? [item] : [],
      );
      expect(found.sort((a, b) => a - b)).toEqual(wanted);
    }
  });

  it('answers nothing when it is empty', () => {
    const none = new Float64Array();
    const index = new BoxIndex({ left: none, right: none, low: none, high: none });
    expect(index.at(0, 0)).toEqual([]);
  });

  it('takes the left and low edges in and leaves the right and high edges out', () => {
    const { index } = sourceOf([{ start: 2, end: 4, offset: 10, size: 5 }], 100, 10);
    expect(index.at(2, 10)).toEqual([0]);
    expect(index.at(4, 10)).toEqual([]);
    expect(index.at(2, 15)).toEqual([]);
    expect(index.at(1.999, 10)).toEqual([]);
  });
});

describe('map layout', () => {
  it('puts address 0 at the bottom and keeps to scale', () => {
    const source = sourceOf(
      [
        { start: 0, end: 5, offset: 0, size: 25 },
        { start: 5, end: 10, offset: 25, size: 75 },
      ],
      100,
      10,
    );
    const { rects } = layoutMap(source, whole(source), 200, 100);
    expect(rectOf(rects, 0)).toEqual([0, 75, 100, 25]);
    expect(rectOf(rects, 1)).toEqual([100, 0, 100, 75]);
  });

  it('leaves out what is outside the window', () => {
    const source = sourceOf(
      [
        { start: 0, end: 5, offset: 0, size: 50 },
        { start: 5, end: 10, offset: 50, size: 50 },
      ],
      100,
      10,
    );
    const { rects } = layoutMap(source, { start: 5, end: 10, low: 0, high: 100 }, 200, 100);
    expect([...rects.row]).toEqual([1]);
  });

  it('finds the sharing buffers that a look at every pair finds', () => {
    const boxes = manyBoxes(1500, 7).map((box) => ({ ...box, size: Math.ceil(box.size / 20) }));
    const source = sourceOf(boxes, 103_000, 1061);
    const last = (box: Box): number => Math.max(box.start + 1, box.end - 1);
    const meets = (a: Box, b: Box): boolean =>
      a !== b && a.start < last(b) && b.start < last(a) && a.offset < b.offset + b.size && b.offset < a.offset + a.size;
    for (const [item, row] of source.rows.entries())
      expect(source.shared[item] === 1).toBe(boxes.some((other) => meets(boxes[row] as Box, other)));
    expect(new Set(source.shared).size).toBe(2);
  });

  it('finds them as well where thousands share with thousands', () => {
    const boxes = manyBoxes(4000, 3).map((box) => ({ ...box, end: box.start + 1000 }));
    const source = sourceOf(boxes, 103_000, 2001);
    const last = (box: Box): number => box.end - 1;
    const meets = (a: Box, b: Box): boolean =>
      a !== b && a.start < last(b) && b.start < last(a) && a.offset < b.offset + b.size && b.offset < a.offset + a.size;
    const alone = [...source.rows].filter((row) => !boxes.some((other) => meets(boxes[row] as Box, other)));
    expect([...source.rows].filter((_, item) => source.shared[item] === 0)).toEqual(alone);
  });

  it('marks buffers that share addresses, and not those that hand them over at one point', () => {
    const source = sourceOf(
      [
        { start: 0, end: 5, offset: 0, size: 50 },
        { start: 3, end: 8, offset: 40, size: 20 },
        { start: 5, end: 8, offset: 0, size: 40 },
        { start: 0, end: 4, offset: 50, size: 10 },
        { start: 0, end: 6, offset: 90, size: 10 },
        { start: 5, end: 9, offset: 90, size: 10 },
      ],
      100,
      10,
    );
    const shared = [...source.rows].filter((_, item) => source.shared[item] === 1);
    expect(shared.sort()).toEqual([0, 1]);
  });

  it('gives every pixel of buffers below a pixel to one of them', () => {
    const boxes = Array.from({ length: 20_000 }, (_, item) => ({
      start: item % 1000,
      end: (item % 1000) + 1,
      offset: item * 10,
      size: 10,
    }));
    const source = sourceOf(boxes, 200_000, 1000);
    const { rects, speckles } = layoutMap(source, whole(source), 100, 50);
    expect(rects.count).toBe(0);
    const missed = boxes.filter((box) => {
      const y = Math.min(49, Math.floor(50 - (box.offset + box.size) / 4000 + 1e-9));
      return speckles.owner[y * 100 + Math.floor(box.start / 10)] === -1;
    });
    expect(missed).toEqual([]);
    let covered = 0;
    speckles.runs((owner, x, y, length) => {
      expect(new Set(speckles.owner.subarray(y * 100 + x, y * 100 + x + length))).toEqual(new Set([owner]));
      covered += length;
    });
    expect(covered).toBe(speckles.owner.filter((owner) => owner !== -1).length);
  });

  it('is the same on a surface that is used again', () => {
    const source = sourceOf(manyBoxes(500), 1 << 20, 1000);
    const whole: MapWindow = { start: 0, end: 1000, low: 0, high: 1 << 20 };
    const { speckles: used } = layoutMap(source, whole, 90, 40);
    for (const view of [{ ...whole, start: 300, end: 420 }, { ...whole, high: 1 << 16 }, whole]) {
      const again = layoutMap(source, view, 90, 40, used);
      expect(again.speckles).toBe(used);
      expect(again).toEqual(layoutMap(source, view, 90, 40));
    }
    expect(layoutMap(source, whole, 91, 40, used).speckles).not.toBe(used);
  });

  it('ignores buffers without size or life', () => {
    const source = sourceOf(
      [
        { start: 0, end: 0, offset: 0, size: 5 },
        { start: 0, end: 4, offset: 0, size: 0 },
      ],
      10,
      4,
    );
    expect(layoutMap(source, whole(source), 10, 10).rects.count).toBe(0);
  });

  it('labels only rectangles with room inside the surface', () => {
    const source = sourceOf(
      [
        { start: 0, end: 8, offset: 0, size: 50 },
        { start: 8, end: 10, offset: 0, size: 50 },
      ],
      100,
      10,
    );
    const { rects } = layoutMap(source, whole(source), 200, 100);
    expect(placeLabels(rects, 200, 100)).toEqual([{ row: 0, x: 0, y: 75, width: 160 }]);
  });
});

describe('what is under a place', () => {
  const source = sourceOf(
    [
      { start: 0, end: 10, offset: 0, size: 60 },
      { start: 2, end: 4, offset: 10, size: 10 },
      { start: 0, end: 10, offset: 80, size: 10 },
    ],
    100,
    10,
  );

  it('is the smallest of the buffers that share it', () => {
    expect(rowAt(source, 3, 15)).toBe(1);
    expect(rowAt(source, 5, 15)).toBe(0);
    expect(rowAt(source, 5, 70)).toBeNull();
  });

  it('has gaps between and above the buffers', () => {
    expect(gapsAt(source, 3)).toEqual([
      { low: 60, high: 80 },
      { low: 90, high: 100 },
    ]);
  });
});
