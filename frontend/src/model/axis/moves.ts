// Moves along the program order. Each function is an action: it takes the state and returns what changes, with everything it resets.

import type { State } from '../../state/state';
import type { Dataset } from '../dataset';
import { axisOf, neighborPeak, shownPoint, shownStretch, zoomOf } from '../selection';
import { loopAround } from './loops';
import { moved, stretchAround, zoomed } from './point_scale';

type Change = Partial<State>;

export const moves = {
  /** Selects a point, clamped to the program, ends the window, and moves the zoom where the point would be out of view. */
  selectPoint(state: State, dataset: Dataset, wanted: number): Change {
    const point = Math.max(0, Math.min(dataset.points - 1, wanted));
    const [a, b] = shownStretch(dataset, state);
    const cell = axisOf(dataset, state).at(point);
    const inView = cell >= a && cell < b;
    const change = inView ? {} : moves.panBy(state, dataset, [a, b], cell - (a + b) / 2);
    return { ...change, point: point === dataset.headline.peak_point ? null : point, window: null };
  },

  selectPeak(state: State, dataset: Dataset): Change {
    return moves.selectPoint(state, dataset, dataset.headline.peak_point);
  },

  /** Selects the next local peak, or the one before; stays where there is none. */
  selectNeighborPeak(state: State, dataset: Dataset, direction: 1 | -1): Change {
    const point = neighborPeak(dataset, state, direction);
    return point === null ? {} : moves.selectPoint(state, dataset, point);
  },

  /** Selects the point so many steps further. */
  stepBy(state: State, dataset: Dataset, steps: number): Change {
    return moves.selectPoint(state, dataset, axisOf(dataset, state).step(shownPoint(dataset, state), steps));
  },

  /** Zooms about a place, in cells, which stays where it is on the screen; without one about the chosen point. */
  zoomBy(state: State, dataset: Dataset, factor: number, about: number | null = null): Change {
    const axis = axisOf(dataset, state);
    const at = about ?? axis.at(shownPoint(dataset, state));
    return { zoom: zoomOf(dataset, state, zoomed(shownStretch(dataset, state), at, factor, axis.cells)) };
  },

  /** Shows a stretch of cells moved by so many; nothing moves where all is shown. */
  panBy(state: State, dataset: Dataset, from: readonly [number, number], by: number): Change {
    const { cells } = axisOf(dataset, state);
    return from[1] - from[0] >= cells ? {} : { zoom: zoomOf(dataset, state, moved(from, by, cells)) };
  },

  /** Shows as much as now, around a cell. */
  centerOn(state: State, dataset: Dataset, cell: number): Change {
    const [a, b] = shownStretch(dataset, state);
    return { zoom: zoomOf(dataset, state, stretchAround(cell, b - a, axisOf(dataset, state).cells)) };
  },

  /** Folds a loop, or unfolds it. A zoom that would show nothing but the folded loop ends. */
  foldLoop({ folded, zoom }: State, dataset: Dataset, row: number): Change {
    const loop = dataset.loops[row];
    if (!loop) return {};
    if (folded.includes(row)) return { folded: folded.filter((one) => one !== row) };
    const inside = zoom !== null && zoom[0] >= loop.start && zoom[1] <= loop.end;
    return { folded: [...folded, row], zoom: inside ? null : zoom };
  },

  /** Shows a loop, unfolded, and nothing else. */
  zoomToLoop({ folded }: State, dataset: Dataset, row: number): Change {
    const loop = dataset.loops[row];
    return loop ? { folded: folded.filter((one) => one !== row), zoom: [loop.start, loop.end] } : {};
  },

  /** Folds the loop around the chosen point, the innermost one, or unfolds the outermost folded one there. */
  foldHere(state: State, dataset: Dataset): Change {
    const row = loopAround(dataset, state, shownPoint(dataset, state));
    return row === null ? {} : moves.foldLoop(state, dataset, row);
  },
};
