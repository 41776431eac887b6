// What the page is about: run, host, module, memory space and what goes with them. Each function is an action: it takes the state and
// returns what changes, with everything it resets. Nothing that belongs to one run, module or memory space stays for another.

import type { Baseline, State } from './state';

export type Change = Partial<State>;

/** Means something within one dataset only: rows of buffers, and a path of its groups. */
const IN_DATASET = { pinned: null, hovered: null, groupPath: [] } as const;

/** Means something on the axis of one module only. */
const ON_AXIS = { point: null, window: null, hoveredPoint: null, zoom: null, folded: [] } as const;

export const choose = {
  /** Another run may be of another device: the capacity goes too. */
  chooseRun(_: State, run: string): Change {
    return { ...IN_DATASET, ...ON_AXIS, capacity: null, run, host: null, module: null, shown: 'module' };
  },

  chooseHost(_: State, host: string | null): Change {
    return { ...IN_DATASET, ...ON_AXIS, host };
  },

  /** Without a space the module opens in the one that was shown, if it uses that. */
  chooseModule(state: State, module: string, space: string | null = null): Change {
    const change = space === null ? {} : inSpace(state, space);
    return { ...IN_DATASET, ...ON_AXIS, ...change, module, shown: 'module' };
  },

  /** All memory spaces of a module share the axis: the point, the window and the zoom stay. */
  chooseSpace(state: State, space: string): Change {
    return space === state.space ? {} : { ...IN_DATASET, ...inSpace(state, space) };
  },

  /** Bytes of the memory space that is shown; null leaves it to the server. */
  setCapacity(_: State, capacity: number | null): Change {
    return { capacity };
  },

  /** From the module to the table of all modules, and back. */
  toggleModules({ shown }: State): Change {
    return { shown: shown === 'modules' ? 'module' : 'modules' };
  },

  /** null ends the comparison. */
  compareWith(_: State, baseline: Baseline | null): Change {
    return { baseline };
  },

  // --- what the loader chooses, where nobody else has --------------------------------------------------------------------

  /** A run in place of one that is not there, or that nobody has chosen. */
  openRun(_: State, run: string): Change {
    return { run, host: null };
  },

  /** In place of a host that the run does not have. */
  openAllHosts(): Change {
    return { host: null };
  },

  /** The module and space that a wish has led to; what the address names within them stays. */
  openModule(state: State, module: string | null, space: string | null): Change {
    return { ...inSpace(state, space), module };
  },

  /** Names what is shown as the server does. Another name of the same space keeps its capacity. */
  nameShown(_: State, module: string, space: string): Change {
    return { module, space };
  },

  // --- whole states ------------------------------------------------------------------------------------------------------

  /** Takes over what an address holds. What no address carries stays: the theme, and what searches found. */
  arrive(state: State, said: Change): Change {
    const { theme, instructionNames, expressionProblem, filterRows, filterProblem } = state;
    return { ...said, theme, instructionNames, expressionProblem, filterRows, filterProblem };
  },
};

/** A capacity is of one memory space. What a space is compared with is the same space of the baseline. */
function inSpace(state: State, space: string | null): Change {
  if (space === state.space) return {};
  // A capacity before any space is chosen is meant for the one that is opened.
  const capacity = state.space === null ? state.capacity : null;
  const { baseline } = state;
  const follows = baseline !== null && space !== null && baseline.space === state.space;
  return { space, capacity, baseline: follows ? { ...baseline, space } : baseline };
}
