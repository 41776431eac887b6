// What a person can choose, each with what it resets: nothing that belongs to one run, module or memory space may stay for another.

import type { Store } from '../lib/store';
import type { GroupBy, State } from './state';

/** What is meant within one dataset, and means nothing in another: rows of buffers, and a path of its groups. */
const IN_DATASET = { pinned: null, hovered: null, groupPath: [] } as const;

/** What is meant on the axis of one module. */
const ON_AXIS = { point: null, window: null, hoveredPoint: null, zoom: null, folded: [] } as const;

/** Another run may be of another device: the capacity goes too. */
export function chooseRun(store: Store<State>, run: string): void {
  store.set({ ...IN_DATASET, ...ON_AXIS, capacity: null, run, host: null, module: null, shown: 'module' });
}

export function chooseHost(store: Store<State>, host: string | null): void {
  store.set({ ...IN_DATASET, ...ON_AXIS, host });
}

/** Without a space the module opens in the one that was shown, if it uses that. */
export function chooseModule(store: Store<State>, module: string, space: string | null = null): void {
  const { state } = store;
  const change = space === null ? {} : inSpace(state, space);
  store.set({ ...IN_DATASET, ...ON_AXIS, ...change, module, shown: 'module' });
}

/** All memory spaces of a module share the axis: the point, the window and the zoom stay. */
export function chooseSpace(store: Store<State>, space: string): void {
  const { state } = store;
  if (space !== state.space) store.set({ ...IN_DATASET, ...inSpace(state, space) });
}

/** Bytes of the memory space that is shown; null leaves it to the server. */
export function setCapacity(store: Store<State>, capacity: number | null): void {
  store.set({ capacity });
}

/** Usage as bands of groups. A path of groups means nothing in another grouping. */
export function stackBy(store: Store<State>, group: GroupBy): void {
  store.set(group === store.state.group ? { chart: 'stacked' } : { chart: 'stacked', group, groupPath: [] });
}

/** Usage as one line. */
export function showLine(store: Store<State>): void {
  store.set({ chart: 'line' });
}

/** A group, by its path of names. */
export function drill(store: Store<State>, groupPath: readonly string[]): void {
  store.set({ groupPath });
}

export function show(store: Store<State>, shown: State['shown']): void {
  store.set({ shown });
}

/** A capacity is of one memory space. What a space is compared with is the same space of the baseline. */
export function inSpace(state: State, space: string | null): Partial<State> {
  if (space === state.space) return {};
  // A capacity before any space is chosen is meant for the one that is opened.
  const capacity = state.space === null ? state.capacity : null;
  const { baseline } = state;
  const follows = baseline !== null && space !== null && baseline.space === state.space;
  return { space, capacity, baseline: follows ? { ...baseline, space } : baseline };
}
