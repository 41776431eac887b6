// What the page shows for how far the answers are: its heading, its main part, its controls and what went wrong. Pure.

import type { ModuleEntry, ModuleSpace, ModulesAnswer, Problem, RunEntry } from '../generated/contract';
import type { State } from '../state/state';
import type { Dataset } from './dataset';
import type { Loaded } from './loaded';
import { cannotBeRead, distinct, knownSpaces } from './module_list';
import { answerOf, type Trouble } from './stage';

/** The main part of the page. Parts of the same `key` show the same: what is there stays. */
export type MainPart = { readonly key: unknown } & (
  | { readonly kind: 'module'; readonly key: Dataset }
  /** A module is on its way: the one before stays in sight until then. */
  | { readonly kind: 'working' | 'loading'; readonly words: string }
  | { readonly kind: 'failure'; readonly title: string; readonly error: Trouble }
  | { readonly kind: 'empty_logdir'; readonly logdir: string; readonly problems: readonly Problem[] }
  | { readonly kind: 'empty_run'; readonly run: string; readonly problems: readonly Problem[] }
  | { readonly kind: 'unreadable'; readonly module: string; readonly problems: readonly Problem[] }
  | { readonly kind: 'modules'; readonly answer: ModulesAnswer }
);

export function mainPart(loaded: Loaded, state: State): MainPart {
  const { usage, asking } = loaded;
  if (state.shown === 'modules') return listPart(loaded, state) ?? modulesPart(loaded, state);
  // What the address names is shown whether or not the rest is listed yet.
  if (usage.kind === 'ready') return { kind: 'module', key: usage.value };
  if (usage.kind === 'failed')
    return { kind: 'failure', key: usage, title: 'The memory space cannot be shown', error: usage.error };
  const working = {
    kind: 'working',
    key: 'usage',
    words: `Computing the memory of ${state.module ?? ''} …`,
  } as const;
  return asking ? working : (listPart(loaded, state) ?? choicePart(loaded, state) ?? working);
}

/** What shows while runs and modules are not listed; null once they are. */
function listPart({ runs, modules }: Loaded, state: State): MainPart | null {
  if (runs.kind === 'waiting') return { kind: 'loading', key: 'runs', words: 'Searching for captures …' };
  if (runs.kind === 'failed')
    return { kind: 'failure', key: runs, title: 'The captures cannot be listed', error: runs.error };
  const { runs: entries, logdir, problems } = runs.value;
  if (entries.length === 0) return { kind: 'empty_logdir', key: runs, logdir, problems };
  if (modules.kind === 'waiting') return readingPrograms(state);
  if (modules.kind === 'failed')
    return { kind: 'failure', key: modules, title: `“${state.run}” cannot be read`, error: modules.error };
  return null;
}

function readingPrograms({ run }: State): MainPart {
  return { kind: 'loading', key: 'modules', words: `Reading the programs of ${run ?? ''} …` };
}

function modulesPart({ modules }: Loaded, state: State): MainPart {
  const answer = answerOf(modules);
  if (answer === null) return readingPrograms(state);
  return { kind: 'modules', key: `modules ${state.run} ${state.host}`, answer };
}

/** Why no module of the list can be shown; null where one can. */
function choicePart(loaded: Loaded, state: State): MainPart | null {
  const answer = answerOf(loaded.modules);
  if (answer === null) return null;
  const module = answer.modules.find((one) => one.module === state.module);
  if (module === undefined && answer.modules.some((one) => !one.decoded)) return readingPrograms(state);
  if (module === undefined)
    return { kind: 'empty_run', key: loaded.modules, run: state.run ?? '', problems: runProblems(loaded, state) };
  if (!cannotBeRead(module)) return null;
  return { kind: 'unreadable', key: module, module: module.module, problems: module.problems };
}

function runProblems({ runs, modules }: Loaded, { run }: State): Problem[] {
  const own = answerOf(runs)?.runs.find((one) => one.run === run)?.problems ?? [];
  return [...own, ...(answerOf(modules)?.problems ?? [])];
}

/** What went wrong while reading what is shown; none where nothing is shown. */
export function readingProblems(loaded: Loaded, state: State): Problem[] {
  const runs = answerOf(loaded.runs);
  const dataset = answerOf(loaded.usage);
  if (dataset === null && (answerOf(loaded.modules)?.modules ?? []).length === 0) return [];
  return distinct([
    ...(runs?.problems ?? []),
    ...(runs === null ? [] : runProblems(loaded, state)),
    ...(dataset?.problems ?? []),
  ]);
}

export function headingOf({ shown, run, module, space }: State): string {
  if (shown === 'modules') return `Modules of ${run ?? ''}`;
  return module === null ? 'Memory Viewer' : `Memory of ${module}${space === null ? '' : `, ${space}`}`;
}

export interface ControlsModel {
  readonly runs: readonly Pick<RunEntry, 'run' | 'hosts'>[];
  readonly run: string | null;
  readonly host: string | null;
  readonly modules: readonly ModuleEntry[];
  readonly module: string | null;
  /** Memory spaces of the module, as far as they are known. */
  readonly spaces: readonly ModuleSpace[];
  readonly space: string | null;
  /** The table of modules is shown, not one module. */
  readonly modulesShown: boolean;
  readonly capacity: number | null;
  readonly knownCapacity: { readonly bytes: number | null; readonly source: string | null };
  /** What the page around us chooses: no control of ours for that. */
  readonly chosenElsewhere: Loaded['chosenElsewhere'];
}

export function controlsModel(loaded: Loaded, state: State): ControlsModel {
  const modules = answerOf(loaded.modules)?.modules ?? [];
  const spaces = knownSpaces(loaded, state);
  const dataset = answerOf(loaded.usage);
  const named = state.run === null || loaded.runs.kind === 'failed' ? [] : [{ run: state.run, hosts: [] }];
  return {
    // The run of the address stands there before any is listed.
    runs: answerOf(loaded.runs)?.runs ?? named,
    run: state.run,
    host: state.host,
    modules,
    module: state.module,
    spaces,
    space: state.space,
    modulesShown: state.shown === 'modules',
    capacity: state.capacity,
    knownCapacity: {
      bytes: spaces.find((one) => one.space === state.space)?.capacity_bytes ?? null,
      source: dataset?.headline.capacity_source ?? null,
    },
    chosenElsewhere: loaded.chosenElsewhere,
  };
}
