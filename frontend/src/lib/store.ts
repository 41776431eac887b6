// A small store: one immutable state, replaced by patches; listeners hear of each change once, after it.

export type Listener<S> = (state: S, previous: S) => void;

/** The state as it is now. */
export interface Current<S> {
  readonly state: S;
}

/** The state and its changes, for those who follow them and make none. */
export interface Watched<S> extends Current<S> {
  /** Calls the listener at each change; returns what ends that. */
  subscribe(listener: Listener<S>): () => void;
}

export class Store<S extends object> implements Watched<S> {
  readonly #listeners = new Set<Listener<S>>();
  #state: S;

  constructor(initial: S) {
    this.#state = initial;
  }

  get state(): S {
    return this.#state;
  }

  /** Replaces the named fields; nothing happens where all are as they were. */
  set(patch: Partial<S>): void {
    const previous = this.#state;
    const keys = Object.keys(patch) as (keyof S)[];
    if (keys.every((key) => Object.is(previous[key], patch[key]))) return;
    this.#state = { ...previous, ...patch };
    for (const listener of [...this.#listeners]) listener(this.#state, previous);
  }

  subscribe(listener: Listener<S>): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
