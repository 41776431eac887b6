/** Usage as bands of groups, on answers of the server. */
import { describe, expect, it } from 'vitest';
import { PointScale } from '../../src/model/axis/point_scale';
import { ProgramAxis } from '../../src/model/axis/program_axis';
import { Dataset } from '../../src/model/dataset';
import { groupChoices } from '../../src/model/groups/group';
import { pointScale } from '../../src/model/selection';
import {
  type Band,
  bandAt,
  canStack,
  type OtherBand,
  stackColumns,
  stackEdges,
  stackOf,
} from '../../src/model/stacked';
import { DATASETS, dataset, state } from '../golden';

const nameOf = (band: Band): string => (band.kind === 'group' ? band.name : band.kind);

function sums(bands: readonly Band[], points: number): number[] {
  return Array.from({ length: points }, (_, point) => bands.reduce((sum, { bytes }) => sum + bytes[point]!, 0));
}

describe.each(DATASETS)('the bands of %s', (_, data) => {
  const groupings = groupChoices(data).map(([by]) => by);

  it.each(groupings)('by %s add up to usage at every point, and so do those within each of its groups', (group) => {
    const all = stackOf(data, state({ group }));
    expect(sums(all.bands, data.points)).toEqual([...data.usage]);
    for (const band of all.bands) {
      expect(band.bytes.every((bytes) => bytes >= 0)).toBe(true);
      if (band.kind !== 'group') continue;
      const inside = stackOf(data, state({ group, groupPath: band.path })).bands;
      expect(sums(inside, data.points)).toEqual([...data.usage]);
      const groups = inside.filter(({ kind }) => kind === 'group' || kind === 'rest');
      expect(sums(groups, data.points)).toEqual([...band.bytes]);
    }
  });

  it.each(groupings)('by %s are ten groups at most, the largest area first, and one of all the rest', (group) => {
    const { bands } = stackOf(data, state({ group }));
    const groups = bands.filter(({ kind }) => kind === 'group');
    const areas = groups.map(({ bytes }) => bytes.reduce((sum, one) => sum + one, 0));
    expect(groups.length).toBeLessThanOrEqual(10);
    expect(areas).toEqual([...areas].sort((a, b) => b - a));
    const rest = bands.find((band): band is OtherBand => band.kind === 'rest');
    if (rest !== undefined) expect([groups.length, rest.groups > 0]).toEqual([10, true]);
  });

  it('have colors that differ', () => {
    const colors = stackOf(data, state({ group: 'opcode' })).bands.flatMap((band) =>
      band.kind === 'group' ? [band.color] : [],
    );
    expect(new Set(colors).size).toBe(colors.length);
  });

  it.each([7, 100, 5000])('have at %d pixels the outline of the line chart', (width) => {
    const scale = pointScale(data, state(), width);
    const columns = stackColumns(data, scale);
    const top = stackEdges(stackOf(data, state()), columns).at(-1);
    const step = data.points / columns.points.length;
    columns.points.forEach((_, column) => {
      const points = data.usage.slice(Math.floor(column * step), Math.ceil((column + 1) * step));
      expect(top === undefined ? 0 : top[column]![1]).toBe(Math.max(...points));
    });
    expect([columns.x[0], columns.x.at(-1), columns.x.length]).toEqual([0, width, columns.points.length + 1]);
  });
});

describe('stacked usage', () => {
  const data = dataset('while_cond_hbm');

  it('finds the band at a height', () => {
    const stack = stackOf(data, state({ group: 'type' }));
    const point = data.headline.peak_point;
    let ground = 0;
    stack.bands.forEach(({ bytes }, at) => {
      if (bytes[point]! > 0) {
        expect(bandAt(stack, point, ground)).toBe(at);
        expect(bandAt(stack, point, ground + bytes[point]! - 1)).toBe(at);
      }
      ground += bytes[point]!;
    });
    expect(bandAt(stack, point, ground)).toBeNull();
    expect(bandAt(stack, point, -1)).toBeNull();
  });

  it('knows the band of every buffer that is alive', () => {
    const stack = stackOf(data, state({ group: 'type' }));
    for (const row of data.liveAt(data.headline.peak_point))
      expect(nameOf(stack.bands[stack.bandOf[row]!]!)).toBe(data.type(row));
  });

  it('shows of a folded loop the point of its largest usage', () => {
    const axis = new ProgramAxis(data.points, data.usage, [{ start: 3, end: data.points - 3 }]);
    const { points } = stackColumns(data, new PointScale(axis, 0, axis.cells, 500));
    const { top, cell, cells } = axis.folds[0]!;
    expect([...points.slice(cell, cell + cells)]).toEqual(Array.from({ length: cells }, () => top));
    expect([...points.slice(0, 3)]).toEqual([0, 1, 2]);
  });

  it('shows the stretch that is zoomed to, a column a point where they are wide enough', () => {
    const { points, x } = stackColumns(data, pointScale(data, state({ zoom: [4, 9] }), 50));
    expect([...points]).toEqual([4, 5, 6, 7, 8]);
    expect([...x]).toEqual([0, 10, 20, 30, 40, 50]);
  });

  it('leaves a group that is not there to the others', () => {
    const { bands } = stackOf(data, state({ group: 'type', groupPath: ['no such group'] }));
    expect(bands.map(nameOf)).toEqual(['outside']);
  });

  it('is not offered where it is not known whose the bytes are', () => {
    expect(canStack(data)).toBe(true);
    expect(canStack(new Dataset({ ...data.answer, shared: null }))).toBe(false);
  });
});
