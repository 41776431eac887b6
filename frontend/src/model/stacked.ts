// Usage over program order as bands of groups: at every point they add up to usage exactly. Pure; worked out once a choice of groups.

import { type Series, stack as stackShape } from 'd3-shape';
import { decodeColumn, decodeRows } from '../lib/column';
import { groupColor, shade } from '../lib/palette';
import type { PointScale } from './axis/point_scale';
import type { Dataset } from './dataset';
import { type GroupChoice, groupingOf } from './groups/group';
import type { GroupTree } from './groups/tree';

/** More bands than this cannot be told apart. */
const MOST_BANDS = 10;

/** One group; or the groups too small for a band of their own, scoped memory, or all that is not in the chosen group. */
export type Band = GroupBand | OtherBand;

interface GroupBand {
  readonly kind: 'group';
  readonly name: string;
  /** The names from the outermost group to this one. */
  readonly path: readonly string[];
  /** `#rrggbb`. */
  readonly color: string;
  /** By program point. */
  readonly bytes: Float64Array;
}

export interface OtherBand {
  readonly kind: 'rest' | 'scoped' | 'outside';
  /** How many groups it gathers; 0 where they are not counted. */
  readonly groups: number;
  readonly bytes: Float64Array;
}

export interface Stack {
  /** From the ground up. */
  readonly bands: readonly Band[];
  /** By buffer row its band, a row of `bands`. */
  readonly bandOf: Int32Array;
}

const memos = new WeakMap<Dataset, { readonly choice: GroupChoice; readonly stack: Stack }>();

/** Whether it is known whose the bytes of every point are. */
export function canStack(dataset: Dataset): boolean {
  return dataset.answer.shared !== null;
}

/** The bands of the groups within the chosen one, those that cover most of the chart first. */
export function stackOf(dataset: Dataset, choice: GroupChoice): Stack {
  const known = memos.get(dataset);
  if (known !== undefined && sameChoice(known.choice, choice)) return known.stack;
  const stack = makeStack(dataset, choice);
  memos.set(dataset, { choice, stack });
  return stack;
}

function sameChoice(a: GroupChoice, b: GroupChoice): boolean {
  return a.group === b.group && a.groupPath === b.groupPath && a.instructionNames === b.instructionNames;
}

function makeStack(dataset: Dataset, choice: GroupChoice): Stack {
  const { tree, nodeOf } = groupingOf(dataset, choice);
  const partOf = partsBelow(tree, tree.find(choice.groupPath));
  const area = new Float64Array(tree.count);
  countedStretches(dataset, (row, start, end, bytes) => {
    const part = partOf[nodeOf[row]!]!;
    if (part >= 0) area[part]! += bytes * (end - start);
  });
  const parts = Array.from(area.keys())
    .filter((node) => area[node]! > 0)
    .sort((a, b) => area[b]! - area[a]! || (tree.labels[a]! < tree.labels[b]! ? -1 : 1));
  const own = parts.slice(0, MOST_BANDS);
  const rest = own.length;
  const outside = rest + 1;
  const scoped = rest + 2;
  const bandOfPart = new Int32Array(tree.count).fill(rest);
  own.forEach((node, band) => {
    bandOfPart[node] = band;
  });
  const bandOf = nodeOf.map((node) => (partOf[node]! < 0 ? outside : bandOfPart[partOf[node]!]!));
  const bytes = bytesByBand(dataset, bandOf, scoped + 1);
  // Scoped memory is in no group.
  const scopedInto = bytes[choice.groupPath.length === 0 ? scoped : outside]!;
  for (let point = 0; point < dataset.points; point++) scopedInto[point]! += dataset.scoped[point]!;
  const colors = new Map<string, number>();
  const colorOf = (name: string): string => {
    const color = groupColor(name);
    const seen = colors.get(color) ?? 0;
    colors.set(color, seen + 1);
    return shade(color, seen);
  };
  const bands: Band[] = own.map((node, band) => ({
    kind: 'group',
    name: tree.labels[node]!,
    path: tree.path(node),
    color: colorOf(tree.labels[node]!),
    bytes: bytes[band]!,
  }));
  const others = [
    ['rest', parts.length - own.length],
    ['outside', 0],
    ['scoped', 0],
  ] as const;
  const places = new Int32Array(scoped + 1).map((_, band) => band);
  others.forEach(([kind, groups], at) => {
    const values = bytes[rest + at]!;
    if (!values.some((value) => value > 0)) return;
    places[rest + at] = bands.length;
    bands.push({ kind, groups, bytes: values });
  });
  return { bands, bandOf: bandOf.map((band) => places[band]!) };
}

/** By node the child of `top` that it is in, `top` itself where it is in none of them, -1 outside of it. */
function partsBelow(tree: GroupTree, top: number | null): Int32Array {
  const parts = new Int32Array(tree.count).fill(-1);
  if (top === null) return parts;
  parts[top] = top;
  for (let node = top + 1; node < tree.count; node++) {
    const parent = tree.parents[node]!;
    parts[node] = parent === top ? node : parts[parent]!;
  }
  return parts;
}

/** Calls with stretches of points `[start, end)` and bytes, which may be negative: all of a row add up to what counts for it. */
function countedStretches(
  dataset: Dataset,
  count: (row: number, start: number, end: number, bytes: number) => void,
): void {
  for (let row = 0; row < dataset.count; row++) {
    const [start, end] = [dataset.start[row]!, dataset.end[row]!];
    if (dataset.represents[row] === 1 && start < end) count(row, start, end, dataset.size[row]!);
  }
  const { shared } = dataset.answer;
  if (shared === null) return;
  const [starts, ends, bytes] = [decodeColumn(shared.start), decodeColumn(shared.end), decodeColumn(shared.bytes)];
  decodeRows(shared.row).forEach((row, at) => {
    count(row, starts[at]!, ends[at]!, -bytes[at]!);
  });
}

function bytesByBand(dataset: Dataset, bandOf: Int32Array, count: number): Float64Array[] {
  const change = Array.from({ length: count }, () => new Float64Array(dataset.points + 1));
  countedStretches(dataset, (row, start, end, bytes) => {
    const of = change[bandOf[row]!]!;
    of[start]! += bytes;
    of[end]! -= bytes;
  });
  return change.map((values) => {
    for (let point = 1; point < dataset.points; point++) values[point]! += values[point - 1]!;
    return values.subarray(0, dataset.points);
  });
}

/** What a chart draws: edges in pixels, ascending, one more than there are columns, and the point that each column shows. */
export interface StackColumns {
  readonly x: Float64Array;
  readonly points: Int32Array;
}

/**
 * One column a cell where cells are wider than pixels, else one a pixel; each shows the point of its largest usage, so that
 * the outline is that of the line chart.
 */
export function stackColumns(dataset: Dataset, scale: PointScale): StackColumns {
  const { axis, a, b, width } = scale;
  const usage = axis.gather(dataset.usage);
  const pixels = Math.max(1, Math.floor(width));
  const count = Math.min(b - a, pixels);
  const step = (b - a) / count;
  const x = new Float64Array(count + 1);
  const points = new Int32Array(count);
  for (let column = 0; column < count; column++) {
    const first = Math.min(axis.cells - 1, Math.floor(a + column * step));
    const last = Math.min(axis.cells, Math.max(first + 1, Math.ceil(a + (column + 1) * step)));
    let top = first;
    for (let cell = first + 1; cell < last; cell++) if (usage[cell]! > usage[top]!) top = cell;
    x[column] = (column * width) / count;
    points[column] = axis.pointAt(top);
  }
  x[count] = width;
  return { x, points };
}

/** The lower and upper edge of each band in bytes, by column. */
export function stackEdges(stack: Stack, columns: StackColumns): Series<number, Band>[] {
  const shape = stackShape<number, Band>()
    .keys([...stack.bands])
    .value((point, band) => band.bytes[point]!);
  // An area in steps needs the last column's value at its right edge, too.
  return shape([...columns.points, columns.points.at(-1) ?? 0]);
}

/** The band at a height of bytes above the ground, null above all of them. */
export function bandAt({ bands }: Stack, point: number, height: number): number | null {
  let top = 0;
  for (const [at, band] of bands.entries()) {
    top += band.bytes[point]!;
    if (height < top) return height < 0 ? null : at;
  }
  return null;
}
