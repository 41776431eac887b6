// Selects what to show: the run, module and memory space that are requested, or the ones to open with. Pure.

import type { ModuleEntry, RunEntry } from '../generated/contract';
import { DEFAULT_SPACE, SPACES } from '../generated/vocabulary';

/** Runs in the order to try when nobody has chosen one: newest first, else as listed. */
export function runsToTry(runs: readonly RunEntry[]): RunEntry[] {
  const age = (run: RunEntry): number => (run.time === null ? Number.NEGATIVE_INFINITY : Date.parse(run.time));
  return [...runs].sort((a, b) => age(b) - age(a) || 0);
}

/** Whether anything of the module can be shown. */
export function isReadable(module: ModuleEntry): boolean {
  return module.spaces.length > 0;
}

/** The module to open with: the largest that can be read (they come largest first), else the first; null without any. */
export function firstModule(modules: readonly ModuleEntry[]): ModuleEntry | null {
  return modules.find(isReadable) ?? modules[0] ?? null;
}

/**
 * The module that a name means: its key, `name(program id)`, `name(metadata id)` as XProf has it up to 2.22.0, or the bare
 * name. A number that fits nothing leaves the name.
 */
export function findModule(modules: readonly ModuleEntry[], wanted: string): ModuleEntry | null {
  const bare = wanted.replace(/\(\d+\)$/, '');
  const tests: ((module: ModuleEntry) => boolean)[] = [
    (module) => module.module === wanted,
    (module) => `${module.name}(${module.program_id})` === wanted,
    (module) => `${module.name}(${module.metadata_id})` === wanted,
    (module) => module.name === wanted || module.module === bare,
    (module) => module.name === bare,
  ];
  for (const test of tests) {
    const found = modules.find(test);
    if (found !== undefined) return found;
  }
  return null;
}

/** The name of the space that a name means, an older one too; null where the module does not use it. */
export function namedSpace(module: ModuleEntry, wanted: string): string | null {
  const { spaces } = module;
  const found = spaces.find((one) => one.space === wanted) ?? spaces.find((one) => one.aliases.includes(wanted));
  return found?.space ?? null;
}

/** The space to show: the wanted one where the module uses it, else HBM, else that with the largest peak; null where it has none. */
export function findSpace(module: ModuleEntry, wanted: string | null): string | null {
  const named = wanted === null ? null : namedSpace(module, wanted);
  if (named !== null) return named;
  const first =
    module.spaces.find(({ space }) => space === SPACES[DEFAULT_SPACE].name) ??
    [...module.spaces].sort((a, b) => b.peak_bytes - a.peak_bytes || a.memory_space - b.memory_space)[0];
  return first?.space ?? null;
}
