// The only place that changes the store: the functions of choose.ts and look.ts, and moves along a program, bound to it.

import type { Store } from '../lib/store';
import { moves } from '../model/axis/moves';
import type { Dataset } from '../model/dataset';
import { type Change, choose } from './choose';
import { look } from './look';
import type { State } from './state';

type Changes = typeof choose & typeof look;

/** The named changes of the state that need no dataset. */
export type Actions = {
  readonly [Name in keyof Changes]: Changes[Name] extends (state: State, ...rest: infer Rest) => Change
    ? (...rest: Rest) => void
    : never;
};

/** Moves along the program of one dataset. */
export type Moves = {
  readonly [Name in keyof typeof moves]: (typeof moves)[Name] extends (
    state: State,
    dataset: Dataset,
    ...rest: infer Rest
  ) => Change
    ? (...rest: Rest) => void
    : never;
};

/** What a view of a dataset may do. */
export type ViewActions = Actions & Moves;

export function bindActions(store: Store<State>): Actions {
  return bound(store, { ...choose, ...look }, []) as Actions;
}

export function bindMoves(store: Store<State>, dataset: Dataset): Moves {
  return bound(store, moves, [dataset]) as Moves;
}

type Reducer = (state: State, ...rest: never[]) => Change;

/** Each function with the state and what comes first already given; its change goes into the store at once. */
function bound(store: Store<State>, changes: Readonly<Record<string, Reducer>>, first: readonly unknown[]): unknown {
  const bind =
    (change: Reducer) =>
    (...rest: readonly unknown[]): void =>
      store.set(change(store.state, ...([...first, ...rest] as never[])));
  return Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, bind(change)]));
}
