// What stands beside the usage of a memory space: the module's other spaces, findings, a comparison. The page does without where
// one of them fails.

import { getComparison, getFindings, getSpaces, inReport } from './api';
import type { CompareAnswer, FindingsAnswer, SpacesAnswer } from './generated/contract';
import { Latest } from './lib/latest';
import { settled } from './loader_modules';
import { forAnyCapacity } from './model/findings';
import { answerOf, type Stage, WAITING } from './model/stage';
import type { State } from './state/state';

export class Beside {
  spaces: Stage<SpacesAnswer> = WAITING;
  findings: Stage<FindingsAnswer> = WAITING;
  /** null where nothing is compared. */
  comparison: Stage<CompareAnswer> | null = null;
  readonly #changed: () => void;
  readonly #asked = { spaces: new Latest(), findings: new Latest(), comparison: new Latest() };

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Whether what every usage has beside it is not there yet. */
  get waiting(): boolean {
    return [this.spaces, this.findings].some(({ kind }) => kind === 'waiting');
  }

  /** Forgets what does not belong to the memory space that is asked for now. */
  forgetOthers(state: State): void {
    if (!this.#hasSpacesOf(state)) {
      this.#asked.spaces.stop();
      this.spaces = WAITING;
    }
    this.#asked.findings.stop();
    this.#asked.comparison.stop();
    this.findings = WAITING;
    this.comparison = state.baseline === null ? null : WAITING;
  }

  clear(): void {
    for (const asked of Object.values(this.#asked)) asked.stop();
    this.spaces = WAITING;
    this.findings = WAITING;
    this.comparison = null;
  }

  async load(state: State): Promise<void> {
    void this.compare(state);
    await Promise.all([this.#loadSpaces(state), this.loadFindings(state)]);
  }

  async compare({ run, host, module, space, baseline }: State): Promise<void> {
    this.#asked.comparison.stop();
    this.comparison = null;
    if (baseline === null || run === null || module === null || space === null) {
      this.#changed();
      return;
    }
    this.comparison = WAITING;
    this.#changed();
    const chosen = { run, host, module };
    const stage = await settled(this.#asked.comparison.ask((signal) => getComparison(chosen, space, baseline, signal)));
    if (stage === null) return;
    this.comparison = stage;
    this.#changed();
  }

  /** Those that are shown stay until the others come. */
  async loadFindings({ run, host, module, space, capacity }: State): Promise<void> {
    if (run === null || module === null || space === null) return;
    const chosen = { run, host, module };
    // A report holds the findings of one capacity.
    const other = capacity !== null && inReport();
    const stage = await settled(
      this.#asked.findings.ask(async (signal) => {
        const answer = await getFindings(chosen, space, other ? null : capacity, signal);
        return other ? forAnyCapacity(answer) : answer;
      }),
    );
    if (stage === null) return;
    this.findings = stage;
    this.#changed();
  }

  #hasSpacesOf({ run, host, module }: State): boolean {
    const known = answerOf(this.spaces);
    return known !== null && known.module === module && known.run === run && known.host === host;
  }

  async #loadSpaces(state: State): Promise<void> {
    const { run, host, module } = state;
    if (run === null || module === null || this.#hasSpacesOf(state)) return;
    this.spaces = WAITING;
    const stage = await settled(this.#asked.spaces.ask((signal) => getSpaces({ run, host, module }, signal)));
    if (stage === null) return;
    this.spaces = stage;
    this.#changed();
  }
}
