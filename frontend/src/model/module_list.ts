// The modules of a run as they become known: first names, then their memory. Pure.

import type { ModuleEntry, ModuleSpace, ModulesAnswer, Problem } from '../generated/contract';
import type { State } from '../state/state';
import type { Loaded } from './loaded';
import { answerOf, type Trouble } from './stage';

/** Bytes of programs in one answer, unless one alone is larger: they are decoded in a fraction of a second. */
const MOST_BYTES = 4 << 20;
/** Names in one question, and their letters: they go into an address. */
const MOST_NAMES = 32;
const MOST_LETTERS = 2000;

/** A module that was decoded, and holds nothing to show. */
export function cannotBeRead(module: ModuleEntry): boolean {
  return module.decoded && module.spaces.length === 0;
}

/** The modules to decode next, largest programs first, as many as one answer brings soon; none where all are decoded. */
export function nextToDecode({ modules }: ModulesAnswer): string[] {
  const waiting = modules.filter((module) => !module.decoded).sort((a, b) => b.size_bytes - a.size_bytes);
  const taken: string[] = [];
  let [bytes, letters] = [0, 0];
  for (const { module, size_bytes } of waiting) {
    bytes += size_bytes;
    letters += module.length;
    const tooMuch = bytes > MOST_BYTES || letters > MOST_LETTERS || taken.length === MOST_NAMES;
    if (tooMuch && taken.length > 0) break;
    taken.push(module);
  }
  return taken;
}

/** The list with what decoding the modules of some keys has brought: none, one, or one for each group of hosts. */
export function withDecoded(list: ModulesAnswer, keys: readonly string[], decoded: ModulesAnswer): ModulesAnswer {
  const others = list.modules.filter(({ module }) => !keys.includes(module));
  return {
    ...list,
    modules: largestFirst([...others, ...decoded.modules]),
    problems: distinct([...list.problems, ...decoded.problems]),
  };
}

/** The list where the modules of some keys could not be decoded at all. */
export function withoutDecoded(list: ModulesAnswer, keys: readonly string[], error: Trouble): ModulesAnswer {
  const problem: Problem = { code: error.code, message: error.message, advice: error.advice, path: null };
  const failed = list.modules.map((one) =>
    keys.includes(one.module) ? { ...one, decoded: true, problems: [problem] } : one,
  );
  return { ...list, modules: largestFirst(failed) };
}

/** Memory spaces of the chosen module, as far as any answer tells: its own entry, its list of spaces, or what is shown. */
export function knownSpaces(
  loaded: Pick<Loaded, 'modules' | 'spaces' | 'usage'>,
  state: State,
): readonly ModuleSpace[] {
  const entry = answerOf(loaded.modules)?.modules.find(({ module }) => module === state.module);
  if (entry?.decoded) return entry.spaces;
  const listed = answerOf(loaded.spaces);
  if (listed !== null && listed.module === state.module) return listed.spaces;
  const shown = answerOf(loaded.usage)?.answer;
  if (shown === undefined || shown.module !== state.module) return [];
  return [{ space: shown.space, memory_space: shown.memory_space, about: null, aliases: [], ...shown.headline }];
}

/** Decoded ones by peak of HBM, then any peak, as the server sorts them; the others after them by size. */
function largestFirst(modules: readonly ModuleEntry[]): ModuleEntry[] {
  const rank = ({ decoded, spaces, size_bytes }: ModuleEntry): number[] => [
    Number(decoded),
    spaces.find(({ memory_space }) => memory_space === 0)?.peak_bytes ?? 0,
    Math.max(0, ...spaces.map(({ peak_bytes }) => peak_bytes)),
    size_bytes,
  ];
  const ranked = modules.map((module) => ({ module, rank: rank(module) }));
  ranked.sort((a, b) => {
    const at = a.rank.findIndex((value, place) => value !== b.rank[place]);
    return at < 0 ? 0 : b.rank[at]! - a.rank[at]!;
  });
  return ranked.map(({ module }) => module);
}

/** Each problem once, whichever answers it came with. */
export function distinct(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()];
}
