// The point, stretch and buffer that a state selects in a dataset. Pure.

import type { State } from '../state/state';
import { PointScale } from './axis/point_scale';
import { ProgramAxis } from './axis/program_axis';
import type { Dataset } from './dataset';
import { rowsInGroup } from './groups/group';

/** The point that everything below the chart shows: the selected one, else the peak. */
export function shownPoint(dataset: Dataset, state: State): number {
  const point = state.point ?? dataset.headline.peak_point;
  return Math.max(0, Math.min(dataset.points - 1, point));
}

const axes = new WeakMap<Dataset, { readonly folded: readonly number[]; readonly axis: ProgramAxis }>();

/** Program order as the charts lay it out, with the loops folded that a person has folded. */
export function axisOf(dataset: Dataset, { folded }: Pick<State, 'folded'>): ProgramAxis {
  let known = axes.get(dataset);
  if (known?.folded !== folded) {
    const loops = folded.map((row) => dataset.loops[row] ?? null).filter((loop) => loop !== null);
    known = { folded, axis: new ProgramAxis(dataset.points, dataset.usage, loops) };
    axes.set(dataset, known);
  }
  return known.axis;
}

/** The stretch of cells `[a, b)` that the charts show. */
export function shownStretch(dataset: Dataset, state: State): readonly [number, number] {
  const axis = axisOf(dataset, state);
  if (state.zoom === null) return [0, axis.cells];
  const cellOf = (point: number): number => Math.floor(axis.at(Math.max(0, Math.min(dataset.points, point))));
  const a = Math.min(axis.cells - 1, cellOf(state.zoom[0]));
  return [a, Math.max(a + 1, cellOf(state.zoom[1]))];
}

/** A stretch of cells as the zoom that shows it. */
export function zoomOf(dataset: Dataset, state: State, stretch: readonly [number, number] | null): State['zoom'] {
  const axis = axisOf(dataset, state);
  return stretch === null ? null : [axis.edgeAt(stretch[0]), axis.edgeAt(stretch[1])];
}

/** The scale of every chart of the program order that is so wide. */
export function pointScale(dataset: Dataset, state: State, width: number): PointScale {
  const [a, b] = shownStretch(dataset, state);
  return new PointScale(axisOf(dataset, state), a, b, width);
}

/** What of the state `shownRows` depends on. */
export const SHOWN_BY: readonly (keyof State)[] = ['point', 'window', 'within'];

/** Rows that the selection means: alive at the point, alive throughout the window, or allocated within it. */
export function shownRows(dataset: Dataset, state: State): Int32Array {
  if (state.window !== null) {
    const [a, b] = [state.window[0], Math.min(state.window[1], dataset.points)];
    return state.within ? dataset.allocatedWithin(a, b) : dataset.liveThroughout(a, b);
  }
  return dataset.liveAt(shownPoint(dataset, state));
}

/** The buffer whose card and lifetime show: the hovered one, else the pinned one. */
export function shownBuffer(state: State): number | null {
  return state.hovered ?? state.pinned;
}

/** Bytes of the device's memory space: the user's word, else the server's, else unknown. */
export function shownCapacity(dataset: Dataset, state: State): number | null {
  return state.capacity ?? dataset.headline.capacity_bytes;
}

/** The next local peak after (or before) a point, null where there is none; of a folded loop only its maximum is one. */
export function neighborPeak(dataset: Dataset, state: State, direction: 1 | -1): number | null {
  const point = shownPoint(dataset, state);
  const axis = axisOf(dataset, state);
  let found: number | null = null;
  for (const peak of dataset.peaks) {
    const fold = axis.foldAt(peak);
    if (fold !== null && fold.top !== peak) continue;
    const further = direction === 1 ? peak > point : peak < point;
    if (further && (found === null || (direction === 1 ? peak < found : peak > found))) found = peak;
  }
  return found;
}

/** The row of a buffer's id: of its spans the one that is alive at the shown point, else the first; null where there is none. */
export function rowOfId(dataset: Dataset, id: string, state: State): number | null {
  const rows = dataset.rowsOfId(id);
  const point = shownPoint(dataset, state);
  return rows.find((row) => dataset.start[row]! <= point && point < dataset.end[row]!) ?? rows[0] ?? null;
}

/** What of the state `keptRows` depends on. */
export const KEPT_BY: readonly (keyof State)[] = [...SHOWN_BY, 'group', 'groupPath', 'instructionNames'];

/** Buffers of the selection that the chosen group keeps. */
export function keptRows(dataset: Dataset, state: State): Int32Array {
  const rows = shownRows(dataset, state);
  const group = rowsInGroup(dataset, state);
  return group === null ? rows : rows.filter((row) => group[row] === 1);
}

/** How many buffers of the selection and group are exactly as large as one of them, itself among them. */
export function countAsLarge(dataset: Dataset, state: State, row: number): number {
  return keptRows(dataset, state).reduce(
    (count, other) => count + Number(dataset.size[other] === dataset.size[row]),
    0,
  );
}

/** The largest buffer of the selection and group; null where there is none. */
export function largestRow(dataset: Dataset, state: State): number | null {
  let largest: number | null = null;
  for (const row of keptRows(dataset, state))
    if (largest === null || dataset.size[row]! > dataset.size[largest]!) largest = row;
  return largest;
}
