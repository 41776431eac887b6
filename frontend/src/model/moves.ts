// Moves along the program order.

import type { Store } from '../lib/store';
import type { Dataset } from './dataset';
import { shownStretch } from './selection';
import type { State } from './state';
import { moved } from './time_axis';

/** Selects a point, clamped to the program, and moves the zoom with it where the point would be out of view. */
export function goTo(store: Store<State>, dataset: Dataset, wanted: number): void {
  const point = Math.max(0, Math.min(dataset.points - 1, wanted));
  const [a, b] = shownStretch(dataset, store.state);
  const inside = point >= a && point < b;
  const zoom = inside ? store.state.zoom : moved([a, b], point - (a + b) / 2, dataset.points);
  store.set({ point: point === dataset.headline.peak_point ? null : point, window: null, zoom });
}
