import { describe, expect, it } from 'vitest';
import { phaseRuns } from '../../../src/model/axis/phase_runs';
import { moved, PointScale, stretchAround, zoomed } from '../../../src/model/axis/point_scale';
import { ProgramAxis } from '../../../src/model/axis/program_axis';
import { gatherColumns, stepPath } from '../../../src/model/axis/step_line';

describe('the scale of points', () => {
  const scale = new PointScale(new ProgramAxis(1000, new Float64Array(1000), []), 100, 300, 800);

  it('takes pixels to points and back', () => {
    expect(scale.x(100)).toBe(0);
    expect(scale.x(300)).toBe(800);
    expect(scale.point(0)).toBe(100);
    expect(scale.point(799.9)).toBe(299);
    expect(scale.point(5000)).toBe(299);
    expect(scale.point(-5)).toBe(100);
  });

  it('clips spans, which are half-open', () => {
    expect(scale.span(0, 100)).toBeNull();
    expect(scale.span(300, 400)).toBeNull();
    expect(scale.span(50, 150)).toEqual([0, 200]);
    expect(scale.span(250, 900)).toEqual([600, 800]);
  });
});

describe('zoom', () => {
  it('keeps the point under the pointer where it is', () => {
    const [a, b] = zoomed([0, 1000], 250, 0.5, 1000)!;
    expect(b - a).toBe(500);
    expect((250 - a) / (b - a)).toBeCloseTo(0.25, 2);
  });

  it('ends at the whole program and at a few points', () => {
    expect(zoomed([100, 900], 500, 4, 1000)).toBeNull();
    const [a, b] = zoomed([0, 10], 5, 0.01, 1000)!;
    expect(b - a).toBe(8);
    expect(zoomed([0, 3], 1, 0.5, 3)).toBeNull();
  });

  it('stays inside the program when moved', () => {
    expect(moved([10, 20], -50, 100)).toEqual([0, 10]);
    expect(moved([10, 20], 500, 100)).toEqual([90, 100]);
    expect(stretchAround(0, 10, 100)).toEqual([0, 10]);
    expect(stretchAround(99, 10, 100)).toEqual([90, 100]);
    expect(stretchAround(50, 1000, 100)).toEqual([0, 100]);
  });
});

describe('the step line', () => {
  const values = Float64Array.from({ length: 5000 }, (_, point) => (point === 3217 ? 900 : point % 100));
  const height = (value: number): number => 1000 - value;

  it('never loses a peak to the width of the screen', () => {
    for (const width of [1, 7, 160, 800, 4999]) {
      const { high, low } = gatherColumns(values, 0, values.length, width);
      expect(Math.max(...high)).toBe(900);
      expect(Math.min(...low)).toBe(0);
      expect(stepPath(values, 0, values.length, width, height)).toContain('100');
    }
  });

  it('is no longer than the screen is wide', () => {
    const path = stepPath(values, 0, values.length, 300, height);
    expect(path.match(/[MLHV]/g)!.length).toBeLessThanOrEqual(3 * 300 + 1);
  });

  it('is exact where points are wider than pixels', () => {
    expect(stepPath(Float64Array.of(1, 3, 3, 2), 0, 4, 400, (value) => value)).toBe('M0,1H100V3H200V3H300V2H400');
    expect(stepPath(Float64Array.of(1, 3, 3, 2), 1, 3, 400, (value) => value)).toBe('M0,3H200V3H400');
  });
});

describe('runs of phases', () => {
  it('cover the stretch without gaps, in order', () => {
    const phase = Int32Array.from({ length: 1000 }, (_, point) => Math.floor(point / 3) % 4);
    for (const width of [20, 333, 5000]) {
      const runs = phaseRuns(phase, 100, 900, width);
      expect(runs[0]!.start).toBe(100);
      expect(runs.at(-1)!.end).toBe(900);
      runs.forEach((run, at) => {
        if (at > 0) expect(run.start).toBe(runs[at - 1]!.end);
      });
      expect(runs.length).toBeLessThanOrEqual(Math.max(width * 2, 2));
    }
  });

  it('are exact where there is room', () => {
    expect(phaseRuns(Int32Array.of(0, 0, 1, 1, 0), 0, 5, 500)).toEqual([
      { phase: 0, start: 0, end: 2 },
      { phase: 1, start: 2, end: 4 },
      { phase: 0, start: 4, end: 5 },
    ]);
  });
});
