// Synchronizes the state with the address: the page's own hash, and TensorBoard's, which people copy.

import { formatHash, parseHash } from './lib/hash_params';
import type { Watched } from './lib/store';
import { readLink } from './profile_tab/selection';
import { writeHash } from './state/hash';
import type { State } from './state/state';

/** Steps to go back to. Everything else (zoom, typing) changes the step that one is on. */
const STEPS: readonly (keyof State)[] = [
  'shown',
  'run',
  'host',
  'module',
  'space',
  'point',
  'window',
  'within',
  'pinned',
  'group',
  'groupPath',
  'baseline',
];
/** Changes closer than this are one step: a held arrow key is one walk. */
const ONE_STEP_MS = 700;
/** Browsers refuse hundreds of changes of address a minute. */
const PAUSE_MS = 150;
/** TensorBoard keeps a plugin's part of its address under such names. */
const PREFIX = 'p.memviewer.';

export interface AddressOptions {
  readonly store: Watched<State>;
  /** Inside the Profile tab: never a step of its own, because history is shared with the tab. */
  readonly guest: boolean;
  bufferId(row: number): string | null;
  /** The state that an address says, to be taken over. */
  arrive(hash: string): void;
}

export class Address {
  readonly #options: AddressOptions;
  #quiet = false;
  #lastStep = { time: 0, key: '' };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #written: string;

  constructor(options: AddressOptions) {
    this.#options = options;
    this.#written = document.location.hash;
    // The first entry says what is shown too, so that a step back to it finds the way.
    if (!options.guest && this.#written === '') this.#write('replaceState');
    options.store.subscribe((state, previous) => this.#follow(state, previous));
    window.addEventListener('popstate', () => this.#arrive());
    window.addEventListener('hashchange', () => this.#arrive());
  }

  /**
   * The hash to begin with: the page's own, else what TensorBoard's address carries for us, else what a link to XProf's
   * Memory Viewer names: without `#profile` it opens TensorBoard's first tab, which may be ours.
   */
  static initial(): string {
    if (document.location.hash.length > 1) return document.location.hash;
    const outer = tensorboardHash();
    if (outer === null) return '';
    const own = [...parseHash(outer)].flatMap(([name, value]): [string, string][] =>
      name.startsWith(PREFIX) ? [[name.slice(PREFIX.length), value]] : [],
    );
    return formatHash(own.length > 0 ? own : Object.entries(readLink(window.parent.location.href) ?? {}));
  }

  /** Whatever changes the state meanwhile makes no step to go back to. */
  quietly(change: () => void): void {
    this.#quiet = true;
    try {
      change();
    } finally {
      this.#quiet = false;
    }
  }

  /** A link to what is shown, as a colleague should get it: in TensorBoard, if that is around us, it leads to our tab. */
  link(): string {
    const hash = this.hash();
    const outer = this.#options.guest ? tensorboardOfGuest() : tensorboardAround();
    return outer === null ? new URL(hash, document.location.href).href : outer + outerHash(hash);
  }

  /** The state as a hash. */
  hash(): string {
    const { state } = this.#options.store;
    return writeHash(state, state.pinned === null ? null : this.#options.bufferId(state.pinned));
  }

  #follow(state: State, previous: State): void {
    const key = STEPS.filter((name) => state[name] !== previous[name]).join();
    const now = performance.now();
    const sameWalk = key === this.#lastStep.key && now - this.#lastStep.time < ONE_STEP_MS;
    const step = key !== '' && !this.#quiet && !this.#options.guest && !sameWalk;
    if (key !== '') this.#lastStep = { time: now, key };
    if (step) this.#write('pushState');
    else {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#write('replaceState'), PAUSE_MS);
    }
  }

  #write(how: 'pushState' | 'replaceState'): void {
    clearTimeout(this.#timer);
    const hash = this.hash();
    if (hash === this.#written) return;
    this.#written = hash;
    history[how](null, '', hash === '' ? document.location.pathname + document.location.search : hash);
    this.#mirror();
  }

  #arrive(): void {
    if (document.location.hash === this.#written) return;
    clearTimeout(this.#timer);
    this.#written = document.location.hash;
    this.quietly(() => this.#options.arrive(document.location.hash));
    this.#mirror();
  }

  /** TensorBoard's address says the same; its own entry changes, no step is added. */
  #mirror(): void {
    if (this.#options.guest || tensorboardHash() === null) return;
    const { history: outer, location } = window.parent;
    outer.replaceState(outer.state, '', location.pathname + location.search + outerHash(this.#written));
  }
}

function outerHash(hash: string): string {
  const parameters = [...parseHash(hash)].map(([name, value]): [string, string] => [PREFIX + name, value]);
  const text = formatHash(parameters).slice(1);
  return text === '' ? '#memviewer' : `#memviewer&${text}`;
}

/** The hash of the TensorBoard around us, where our tab is the one that shows; null elsewhere. */
function tensorboardHash(): string | null {
  if (window.parent === window) return null;
  try {
    const { hash } = window.parent.location;
    return /^#memviewer(&|$)/.test(hash) ? hash : null;
  } catch {
    // Another origin: a notebook that frames us.
    return null;
  }
}

/** The address of the TensorBoard around us, without its hash; null where our tab is not the one that shows. */
function tensorboardAround(): string | null {
  return tensorboardHash() === null ? null : (window.parent.location.href.split('#')[0] ?? null);
}

/** The address of the TensorBoard around the Profile tab that we are a guest of, without what it says of that tab. */
function tensorboardOfGuest(): string | null {
  const outer = window.parent.parent;
  if (outer === window.parent) return null;
  try {
    return outer.location.origin + outer.location.pathname;
  } catch {
    return null;
  }
}
