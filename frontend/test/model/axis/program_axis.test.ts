// Program order with folded loops: points to cells and back, and what the charts draw of it.

import { describe, expect, it } from 'vitest';
import { PointScale } from '../../../src/model/axis/point_scale';
import { ProgramAxis } from '../../../src/model/axis/program_axis';
import { buildMapSource, layoutMap } from '../../../src/model/map/layout';
import { curveOf, foldCurve } from '../../../src/model/spaces_curve';

const usage = Float64Array.from({ length: 1000 }, (_, point) => (point * 37) % 101);
/** 200 of 800 points are left: a folded loop takes 5 cells; the inner loop is part of the outer one. */
const LOOPS = [
  { start: 700, end: 900 },
  { start: 50, end: 650 },
  { start: 100, end: 120 },
];
const axis = new ProgramAxis(1000, usage, LOOPS);
const plain = new ProgramAxis(1000, usage, []);

describe('an axis with folded loops', () => {
  it('gives each of the outermost a narrow band, and every other point a cell', () => {
    expect(axis.folds.map(({ start, end, cell, cells }) => [start, end, cell, cells])).toEqual([
      [50, 650, 50, 5],
      [700, 900, 105, 5],
    ]);
    expect(axis.cells).toBe(210);
    expect(plain.cells).toBe(1000);
  });

  it('keeps points in order, and leads from every cell back to it', () => {
    for (let point = 1; point <= 1000; point++) expect(axis.at(point)).toBeGreaterThan(axis.at(point - 1));
    for (let cell = 0; cell <= axis.cells; cell++) expect(Math.floor(axis.at(axis.edgeAt(cell)))).toBe(cell);
    expect([axis.at(1000), axis.edgeAt(210)]).toEqual([210, 1000]);
  });

  it('shows of a folded loop its maximum', () => {
    const gathered = axis.gather(usage);
    expect(gathered).toHaveLength(210);
    for (const { start, end, cell, cells, top } of axis.folds) {
      const most = Math.max(...usage.subarray(start, end));
      expect(usage[top]).toBe(most);
      expect([...gathered.subarray(cell, cell + cells)]).toEqual(Array(cells).fill(most));
      expect(axis.pointAt(cell + cells - 0.1)).toBe(top);
    }
    expect(gathered[49]).toBe(usage[49]);
    expect(gathered[55]).toBe(usage[650]);
    expect(gathered[209]).toBe(usage[999]);
    expect(plain.gather(usage)).toBe(usage);
  });

  it('has no rows there', () => {
    const rows = axis.gatherRows(Int32Array.from({ length: 1000 }, (_, point) => point));
    expect([...rows.subarray(48, 57)]).toEqual([48, 49, -1, -1, -1, -1, -1, 650, 651]);
  });

  it('is walked with one step a folded loop', () => {
    const { top } = axis.folds[0]!;
    expect([axis.step(49, 1), axis.step(top, 1), axis.step(300, 1), axis.step(650, -1), axis.step(300, -1)]).toEqual([
      top,
      650,
      650,
      top,
      49,
    ]);
    expect([axis.step(45, 10), axis.step(0, -1), axis.step(995, 10)]).toEqual([654, 0, 999]);
  });

  it('takes folded loops whole into a stretch', () => {
    expect(axis.whole(300, 760)).toEqual([50, 900]);
    expect(axis.whole(10, 50)).toEqual([10, 50]);
  });

  it('keeps a program that is one loop in sight', () => {
    const whole = new ProgramAxis(1000, usage, [{ start: 0, end: 1000 }]);
    expect([whole.cells, whole.at(1000), whole.pointAt(3)]).toEqual([25, 25, whole.folds[0]!.top]);
  });
});

describe('charts on it', () => {
  const scale = new PointScale(axis, 0, axis.cells, 840);

  it('point at what they show', () => {
    expect(scale.point(scale.middle(30)!)).toBe(30);
    expect(scale.point(scale.middle(300)!)).toBe(axis.folds[0]!.top);
    expect(scale.span(50, 650)).toEqual([200, 220]);
    expect(scale.bands()).toEqual([
      [200, 220],
      [420, 440],
    ]);
  });

  it('have no tick within a folded loop', () => {
    const labels = scale.ticks().map(({ label }) => Number(label));
    expect(labels.length).toBeGreaterThan(3);
    expect(labels.filter((point) => axis.foldAt(point) !== null)).toEqual([]);
  });

  it('draw the curve of another space with its largest step there', () => {
    const curve = curveOf({ curve: { points: [0, 60, 80, 640, 655], bytes: [1, 9, 4, 2, 7] } });
    const { points, bytes } = foldCurve(curve, axis);
    expect([...points]).toEqual([0, 50, 55, 60, 105, 110]);
    expect([...bytes]).toEqual([1, 9, 2, 7, 7, 7]);
    expect(foldCurve(curve, plain)).toBe(curve);
  });

  it('draw buffers where their points are', () => {
    const columns = { start: [10, 60, 640], end: [20, 600, 670], offset: [0, 20, 40], size: [20, 20, 20] };
    const source = buildMapSource(Int32Array.of(0, 1, 2), columns, 60, 1000);
    const view = { start: 0, end: axis.cells, low: 0, high: 60, places: axis.places };
    const { rects } = layoutMap(source, view, scale.width, 60);
    const drawn = new Map([...rects.row].map((row, at) => [row, [rects.x[at]!, rects.x[at]! + rects.width[at]!]]));
    for (const [row, [x0, x1]] of drawn) {
      expect(x0).toBeCloseTo(scale.x(columns.start[row]!), 3);
      expect(x1).toBeCloseTo(scale.x(columns.end[row]!), 3);
    }
    expect(drawn.size).toBe(3);
  });
});
