// Everything that was requested from the server, and its progress.

import type { CompareAnswer, FindingsAnswer, ModulesAnswer, RunsAnswer, SpacesAnswer } from '../generated/contract';
import type { Dataset } from './dataset';
import type { Stage } from './stage';

export interface Loaded {
  readonly runs: Stage<RunsAnswer>;
  readonly modules: Stage<ModulesAnswer>;
  readonly usage: Stage<Dataset>;
  /** The usage is on its way, which may be before anything is listed. */
  readonly asking: boolean;
  /** These come beside the main answer; the page does without where they fail. */
  readonly spaces: Stage<SpacesAnswer>;
  readonly findings: Stage<FindingsAnswer>;
  /** null where nothing is compared. */
  readonly comparison: Stage<CompareAnswer> | null;
  /** What was asked for and is not there, in words. */
  readonly missing: string | null;
  /** What the page around us chooses, so that our own control for it is not needed. */
  readonly chosenElsewhere: { readonly run: boolean; readonly module: boolean };
}
