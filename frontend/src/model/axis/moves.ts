// Moves along the program order.

import type { Store } from '../../lib/store';
import type { State } from '../../state/state';
import type { Dataset } from '../dataset';
import { axisOf, shownPoint, shownStretch, zoomOf } from '../selection';
import { moved, stretchAround, zoomed } from './point_scale';

/** Selects a point, clamped to the program, and moves the zoom with it where the point would be out of view. */
export function selectPoint(store: Store<State>, dataset: Dataset, wanted: number): void {
  const point = Math.max(0, Math.min(dataset.points - 1, wanted));
  const [a, b] = shownStretch(dataset, store.state);
  const cell = axisOf(dataset, store.state).at(point);
  if (cell < a || cell >= b) panBy(store, dataset, [a, b], cell - (a + b) / 2);
  store.set({ point: point === dataset.headline.peak_point ? null : point, window: null });
}

/** Selects the point so many steps further. */
export function stepBy(store: Store<State>, dataset: Dataset, steps: number): void {
  selectPoint(store, dataset, axisOf(dataset, store.state).step(shownPoint(dataset, store.state), steps));
}

/** Zooms about a place, in cells, which stays where it is on the screen; without one about the chosen point. */
export function zoomBy(store: Store<State>, dataset: Dataset, factor: number, about: number | null = null): void {
  const { state } = store;
  const axis = axisOf(dataset, state);
  const at = about ?? axis.at(shownPoint(dataset, state));
  const stretch = zoomed(shownStretch(dataset, state), at, factor, axis.cells);
  store.set({ zoom: zoomOf(dataset, state, stretch) });
}

/** Shows a stretch of cells moved by so many; nothing moves where all is shown. */
export function panBy(store: Store<State>, dataset: Dataset, from: readonly [number, number], by: number): void {
  const { cells } = axisOf(dataset, store.state);
  if (from[1] - from[0] >= cells) return;
  store.set({ zoom: zoomOf(dataset, store.state, moved(from, by, cells)) });
}

/** Shows as much as now, around a cell. */
export function centerOn(store: Store<State>, dataset: Dataset, cell: number): void {
  const [a, b] = shownStretch(dataset, store.state);
  const { cells } = axisOf(dataset, store.state);
  store.set({ zoom: zoomOf(dataset, store.state, stretchAround(cell, b - a, cells)) });
}

/** Folds a loop, or unfolds it. A zoom that would show nothing but the folded loop ends. */
export function foldLoop(store: Store<State>, dataset: Dataset, row: number): void {
  const { folded, zoom } = store.state;
  const loop = dataset.loops[row];
  if (!loop) return;
  if (folded.includes(row)) store.set({ folded: folded.filter((one) => one !== row) });
  else {
    const inside = zoom !== null && zoom[0] >= loop.start && zoom[1] <= loop.end;
    store.set({ folded: [...folded, row], zoom: inside ? null : zoom });
  }
}

/** Shows a loop, unfolded, and nothing else. */
export function zoomToLoop(store: Store<State>, dataset: Dataset, row: number): void {
  const loop = dataset.loops[row];
  if (!loop) return;
  store.set({ folded: store.state.folded.filter((one) => one !== row), zoom: [loop.start, loop.end] });
}

/** Folds the loop around the chosen point, the innermost one, or unfolds the folded one there. */
export function foldHere(store: Store<State>, dataset: Dataset): void {
  const { state } = store;
  const point = shownPoint(dataset, state);
  const around = (row: number): boolean => {
    const loop = dataset.loops[row];
    return isFoldable(loop ?? null) && loop!.start <= point && point < loop!.end;
  };
  const length = (row: number): number => dataset.loops[row]!.end - dataset.loops[row]!.start;
  const folded = state.folded.filter(around).sort((a, b) => length(b) - length(a));
  const rows = [...dataset.loops.keys()].filter(around).sort((a, b) => length(a) - length(b));
  const row = folded[0] ?? rows[0];
  if (row !== undefined) foldLoop(store, dataset, row);
}

/** Loops and branches; the rest of what is called is part of what calls it. */
export function isFoldable(loop: Dataset['loops'][number]): boolean {
  return loop !== null && (loop.kind === 'while' || loop.kind === 'conditional');
}
