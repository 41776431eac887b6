// Groups, map and table on answers that the server really gives: their sums are the server's numbers.

import { describe, expect, it } from 'vitest';
import type { Dataset } from '../../src/model/dataset';
import { groupChoices, groupTree, pathOf, rowsInGroup, shownGroup } from '../../src/model/groups/group';
import { searchTexts } from '../../src/model/groups/texts';
import { mapChoices, mapSourceOf } from '../../src/model/map/dataset';
import { gapsAt, layoutMap } from '../../src/model/map/layout';
import { type MapDirection, neighborOf } from '../../src/model/map/neighbor';
import { bufferColumns } from '../../src/model/table/buffers';
import { sortRows, tableCsv } from '../../src/model/table/table';
import { breakdowns, DATASETS } from '../golden';

const KINDS = groupChoices(DATASETS[0]![1]).flatMap(([key]) => (key === 'expression' ? [] : [key]));

function samplePoints(dataset: Dataset): number[] {
  const step = Math.max(1, Math.floor(dataset.points / 40));
  return [dataset.headline.peak_point, ...Array.from({ length: 40 }, (_, at) => at * step)].filter(
    (point) => point < dataset.points,
  );
}

describe.each(DATASETS)('%s', (name, dataset) => {
  it('leaves as many addresses free in the map as the usage says', () => {
    const choices = mapChoices(dataset);
    for (const point of samplePoints(dataset)) {
      let used = 0;
      for (const { allocation, size } of choices) {
        const gaps = gapsAt(mapSourceOf(dataset, allocation), point);
        used += size - gaps.reduce((sum, gap) => sum + gap.high - gap.low, 0);
      }
      expect(used).toBe(dataset.usage[point]! - dataset.scoped[point]! - dataset.headline.indefinite_bytes);
    }
  });

  it.each(KINDS)('puts every live byte in one group by %s, with its children inside', (group) => {
    const choice = { group, groupPath: [], instructionNames: null };
    const rows = dataset.liveAt(dataset.headline.peak_point);
    const tree = groupTree(dataset, choice, rows);
    expect(tree.bytes).toBe(rows.reduce((sum, row) => sum + dataset.size[row]!, 0));
    expect(tree.count).toBe(rows.length);
    for (const child of tree.children) {
      const inside = rowsInGroup(dataset, { ...choice, groupPath: child.path });
      expect(rows.filter((row) => inside?.[row] === 1)).toHaveLength(child.count);
    }
  });

  it.each(KINDS)('has the same bytes by %s at the peak as the list of groups', (group) => {
    const { groups } = breakdowns(name)[group]!;
    const rows = dataset.liveAt(dataset.headline.peak_point);
    const tree = groupTree(dataset, { group, groupPath: [], instructionNames: null }, rows);
    expect(groups.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(tree.bytes);
    for (const { path } of groups) {
      // A group of the tree has those in it that the list has on their own.
      const within = groups.filter((one) => path.every((part, depth) => one.path[depth] === part));
      const sum = (of: 'bytes' | 'unpadded_bytes' | 'count') => within.reduce((all, one) => all + one[of], 0);
      const { bytes, unpadded, count } = tree.at(path)!;
      expect([bytes, unpadded, count]).toEqual([sum('bytes'), sum('unpadded_bytes'), sum('count')]);
    }
  });

  it('groups by the first key where the address has an unknown one', () => {
    const [first] = KINDS as [string];
    for (const group of ['nothing', first]) {
      expect(shownGroup(dataset, { group })).toBe(first);
      const choice = { group, groupPath: [], instructionNames: null };
      expect(groupTree(dataset, choice, dataset.liveAt(0)).bytes).toBe(dataset.usage[0]! - dataset.scoped[0]!);
    }
  });

  it('groups by what an expression calls instructions', () => {
    const { instructions } = searchTexts(dataset);
    const instructionNames = instructions.map((text) => /(fusion)/.exec(text)?.[1] ?? null);
    const choice = { group: 'expression', groupPath: ['fusion'], instructionNames } as const;
    const inside = rowsInGroup(dataset, choice)!;
    for (let row = 0; row < dataset.count; row++)
      expect(inside[row] === 1).toBe(pathOf(dataset, choice, row)[0] === 'fusion');
  });

  it('draws every temporary inside its allocation', () => {
    for (const { allocation, size } of mapChoices(dataset)) {
      const source = mapSourceOf(dataset, allocation);
      expect(Math.max(...source.boxes.high)).toBeLessThanOrEqual(size);
      const { rects, speckles } = layoutMap(source, { start: 0, end: dataset.points, low: 0, high: size }, 640, 320);
      const drawn = new Set([...rects.row, ...speckles.owner]);
      expect(drawn.size).toBeGreaterThan(0);
      for (let item = 0; item < rects.count; item++) {
        expect(rects.x[item]! + rects.width[item]!).toBeLessThanOrEqual(640.01);
        expect(rects.y[item]!).toBeGreaterThanOrEqual(-0.01);
      }
    }
  });

  it('steps to a neighbor on the side that was asked for', () => {
    const [choice] = mapChoices(dataset);
    if (choice === undefined) return;
    const source = mapSourceOf(dataset, choice.allocation);
    const beyond: Record<MapDirection, (from: number, to: number) => boolean> = {
      earlier: (from, to) => dataset.end[to]! <= dataset.start[from]!,
      later: (from, to) => dataset.start[to]! >= dataset.end[from]!,
      lower: (from, to) => dataset.offset[to]! + dataset.size[to]! <= dataset.offset[from]!,
      higher: (from, to) => dataset.offset[to]! >= dataset.offset[from]! + dataset.size[from]!,
    };
    for (const row of source.rows)
      for (const [direction, isBeyond] of Object.entries(beyond)) {
        const to = neighborOf(source, row, direction as MapDirection);
        if (to !== null) expect(isBeyond(row, to)).toBe(true);
      }
  });

  it('writes a table that has every buffer once and sorts by every column', () => {
    const rows = Uint32Array.from({ length: dataset.count }, (_, row) => row);
    const columns = bufferColumns(dataset);
    for (const column of columns) expect([...sortRows(rows, column, true)].sort((a, b) => a - b)).toEqual([...rows]);
    expect(tableCsv(columns, rows).split('\r\n')).toHaveLength(dataset.count + 2);
    expect(new Set(columns.map((column) => column.key)).size).toBe(columns.length);
  });

  it('leaves numbers of program points the room for all their digits', () => {
    const long = Object.create(dataset, { points: { value: 106_746 } }) as Dataset;
    const least = (of: Dataset): (number | undefined)[] =>
      bufferColumns(of)
        .filter(({ key }) => key === 'start' || key === 'end')
        .map((column) => column.least);
    expect(least(dataset)).toEqual([60, 60]);
    expect(least(long)).toEqual([67, 67]);
  });
});
