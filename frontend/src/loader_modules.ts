// The modules of one run: names as soon as they are listed, then decoded as they are needed, a few at a time.

import { ApiError, getModuleNames, getModules } from './api';
import type { ModuleEntry, ModulesAnswer } from './generated/contract';
import { Latest, whileWaited } from './lib/latest';
import { firstModule, isReadable } from './model/choice';
import { nextToDecode, withDecoded, withoutDecoded } from './model/module_list';
import { type Answered, answerOf, type Stage, WAITING } from './model/stage';

export class ModuleList {
  stage: Stage<ModulesAnswer> = WAITING;
  readonly #changed: () => void;
  readonly #listing = new Latest();
  readonly #filling = new Latest();

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get answer(): ModulesAnswer | null {
    return answerOf(this.stage);
  }

  /** Forgets what is listed, and ends what is asked. */
  clear(): void {
    this.#listing.stop();
    this.pause();
    this.stage = WAITING;
  }

  /** Lists the names of another run. */
  async list(run: string, host: string | null): Promise<void> {
    this.clear();
    const stage = await settled(this.#listing.ask((signal) => getModuleNames(run, host, signal)));
    if (stage !== null) this.stage = stage;
  }

  /** Decodes modules of the list; nothing changes once the signal ends. */
  async decode(keys: readonly string[], signal: AbortSignal): Promise<void> {
    const list = this.answer;
    if (list === null) return;
    const stage = await settled(whileWaited(getModules(list.run, list.host, keys, signal), signal));
    const now = this.answer;
    if (stage === null || now === null) return;
    const value = stage.kind === 'ready' ? withDecoded(now, keys, stage.value) : withoutDecoded(now, keys, stage.error);
    this.stage = { kind: 'ready', value };
    this.#changed();
  }

  /** The largest module that can be read of as many as it takes to find one; else the first; null without any. */
  async firstReadable(signal: AbortSignal): Promise<ModuleEntry | null> {
    for (;;) {
      if (this.answer === null) return null;
      const first = firstModule(this.answer.modules);
      const keys = nextToDecode(this.answer);
      if (first === null || isReadable(first) || keys.length === 0 || signal.aborted) return first;
      await this.decode(keys, signal);
    }
  }

  /** Decodes the rest, the largest programs first, until all are known or `pause` is called. */
  async fill(): Promise<void> {
    const signal = this.#filling.next();
    while (!signal.aborted && this.answer !== null) {
      const keys = nextToDecode(this.answer);
      if (keys.length === 0) return;
      await this.decode(keys, signal);
    }
  }

  pause(): void {
    this.#filling.stop();
  }
}

/** The answer or the server's trouble with it; null where nobody waits for it any more. */
export async function settled<T>(asked: Promise<T | null>): Promise<Answered<T> | null> {
  try {
    const value = await asked;
    return value === null ? null : { kind: 'ready', value };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { kind: 'failed', error };
  }
}
