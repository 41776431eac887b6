// What has to be asked of the server for what is chosen: asked once, late answers to older choices dropped, kept for a while.

import { ApiError, getComparison, getFindings, getModules, getRuns, getSpaces, getUsage, inReport } from './api';
import type { CompareAnswer, FindingsAnswer, ModulesAnswer, RunsAnswer, SpacesAnswer } from './contract';
import type { Store } from './lib/store';
import { findModule, findSpace, firstModule, isReadable, namedSpace, runsToTry } from './model/choice';
import { Dataset } from './model/dataset';
import { forAnyCapacity } from './model/findings';
import { type Stage, WAITING } from './model/stage';
import type { State } from './model/state';

/** Datasets kept, so that going back and forth between memory spaces costs nothing. */
const MOST_KEPT = 4;

export interface LoaderOptions {
  readonly store: Store<State>;
  /** Sets what the loader chose itself, which is no step to go back to. */
  settle(patch: Partial<State>): void;
  changed(): void;
}

export class Loader {
  runs: Stage<RunsAnswer> = WAITING;
  modules: Stage<ModulesAnswer> = WAITING;
  usage: Stage<Dataset> = WAITING;
  /** What comes beside the main answer; the page does without where it fails. */
  spaces: Stage<SpacesAnswer> = WAITING;
  findings: Stage<FindingsAnswer> = WAITING;
  /** null where nothing is compared. */
  comparison: Stage<CompareAnswer> | null = null;
  /** What was asked for and is not there, in words. */
  missing: string | null = null;

  readonly #options: LoaderOptions;
  readonly #kept = new Map<string, Dataset>();
  #runsAbort = new AbortController();
  #modulesAbort = new AbortController();
  #usageAbort = new AbortController();
  #findingsAbort = new AbortController();
  #besideAbort = new AbortController();
  #compareAbort = new AbortController();
  /** Runs that may be opened instead, while nobody has chosen one. */
  #untried: string[] = [];
  #key = '';
  #settling = false;

  constructor(options: LoaderOptions) {
    this.#options = options;
  }

  /** Asks for everything anew. */
  async start(): Promise<void> {
    this.#kept.clear();
    this.#abort();
    this.#runsAbort.abort();
    this.#runsAbort = new AbortController();
    this.runs = WAITING;
    this.#changed();
    await this.#ask(getRuns(this.#runsAbort.signal), (stage) => {
      this.runs = stage;
      if (stage.kind === 'ready') this.#chooseRun(stage.value);
    });
  }

  /** Asks for what a change of the choice makes necessary. */
  follow(state: State, previous: State): void {
    if (this.#settling || this.runs.kind !== 'ready') return;
    if (state.run !== previous.run || state.host !== previous.host) {
      const { value } = this.runs;
      // A run that is not known may be new.
      if (state.run === null || value.runs.some(({ run }) => run === state.run)) this.#chooseRun(value);
      else void this.start();
    } else if (state.module !== previous.module || state.space !== previous.space) {
      this.missing = null;
      this.#chooseModule(state.module !== previous.module);
    } else {
      if (state.capacity !== previous.capacity) this.#loadFindings();
      if (state.baseline !== previous.baseline) this.#compare();
    }
  }

  #chooseRun({ runs }: RunsAnswer): void {
    const { run, host } = this.#options.store.state;
    const wanted = runs.find((one) => one.run === run);
    this.#untried = wanted === undefined ? runsToTry(runs).map((one) => one.run) : [];
    this.missing = run !== null && wanted === undefined && runs.length > 0 ? `There is no run “${run}” here.` : null;
    if (wanted === undefined) this.#tryNext();
    else {
      if (host !== null && !wanted.hosts.includes(host)) this.#settle({ host: null });
      void this.#loadModules();
    }
  }

  /** The next run that may have something to show; false where there is none left. */
  #tryNext(): boolean {
    const run = this.#untried.shift();
    if (run === undefined) return false;
    this.#settle({ run, host: null });
    void this.#loadModules();
    return true;
  }

  /** Whether the run has what a link asks for, or anything to show where it asks for nothing. */
  #suits({ modules }: ModulesAnswer): boolean {
    const { module } = this.#options.store.state;
    return module === null ? modules.some(isReadable) : findModule(modules, module) !== null;
  }

  async #loadModules(): Promise<void> {
    const { run, host } = this.#options.store.state;
    if (run === null) return;
    this.#abort();
    this.modules = WAITING;
    this.usage = WAITING;
    this.#changed();
    await this.#ask(getModules(run, host, this.#modulesAbort.signal), (stage) => {
      this.modules = stage;
      if (stage.kind !== 'ready') return;
      if (!this.#suits(stage.value) && this.#tryNext()) return;
      this.#untried = [];
      this.#chooseModule();
    });
  }

  /** `anySpace`: who picks another module takes the memory spaces that it has. */
  #chooseModule(anySpace = false): void {
    if (this.modules.kind !== 'ready') return;
    const { modules } = this.modules.value;
    const { state } = this.#options.store;
    const wanted = state.module === null ? null : findModule(modules, state.module);
    if (state.module !== null && wanted === null && modules.length > 0)
      this.missing ??= `There is no module “${state.module}” in this run.`;
    const module = wanted ?? firstModule(modules);
    const space = module === null ? null : findSpace(module, state.space);
    const isLost = module !== null && state.space !== null && namedSpace(module, state.space) === null;
    if (wanted !== null && space !== null && isLost && !anySpace)
      this.missing ??= `This module has no memory space “${state.space}”.`;
    this.#settle({ module: module?.module ?? null, space });
    if (module !== null && space !== null) this.#loadUsage(module.module, space);
    else this.#changed();
  }

  #loadUsage(module: string, space: string): void {
    const { run, host } = this.#options.store.state;
    const key = JSON.stringify([run, host, module, space]);
    if (key === this.#key && this.usage.kind !== 'failed') return;
    this.#usageAbort.abort();
    this.#usageAbort = new AbortController();
    this.#key = key;
    const chosen = { run: run!, host, module };
    const kept = this.#kept.get(key);
    this.findings = WAITING;
    if (kept !== undefined) this.usage = { kind: 'ready', value: kept };
    else {
      this.usage = WAITING;
      void this.#ask(
        getUsage(chosen, space, this.#usageAbort.signal).then((answer) => new Dataset(answer)),
        (stage) => {
          this.usage = stage;
          if (stage.kind === 'ready') this.#keep(key, stage.value);
        },
      );
    }
    this.#loadBeside(chosen);
    this.#compare();
  }

  #compare(): void {
    const { run, host, module, space, baseline } = this.#options.store.state;
    this.#compareAbort.abort();
    this.#compareAbort = new AbortController();
    this.comparison = null;
    if (baseline !== null && run !== null && module !== null && space !== null) {
      this.comparison = WAITING;
      const asked = getComparison({ run, host, module }, space, baseline, this.#compareAbort.signal);
      void this.#ask(asked, (stage) => {
        this.comparison = stage;
      });
    }
    this.#changed();
  }

  #loadBeside(chosen: { run: string; host: string | null; module: string }): void {
    this.#loadFindings();
    const known = this.spaces.kind === 'ready' ? this.spaces.value : null;
    if (known !== null && known.module === chosen.module && known.run === chosen.run && known.host === chosen.host)
      return;
    this.spaces = WAITING;
    this.#besideAbort.abort();
    this.#besideAbort = new AbortController();
    void this.#ask(getSpaces(chosen, this.#besideAbort.signal), (stage) => {
      this.spaces = stage;
    });
  }

  /** Those that are shown stay until the others come. */
  #loadFindings(): void {
    const { run, host, module, space, capacity } = this.#options.store.state;
    if (run === null || module === null || space === null) return;
    this.#findingsAbort.abort();
    this.#findingsAbort = new AbortController();
    const { signal } = this.#findingsAbort;
    const chosen = { run, host, module };
    const asked =
      capacity !== null && inReport()
        ? getFindings(chosen, space, null, signal).then(forAnyCapacity)
        : getFindings(chosen, space, capacity, signal);
    void this.#ask(asked, (stage) => {
      this.findings = stage;
    });
  }

  #keep(key: string, dataset: Dataset): void {
    this.#kept.set(key, dataset);
    const oldest = this.#kept.keys().next().value;
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }

  #abort(): void {
    this.#key = '';
    this.#modulesAbort.abort();
    this.#usageAbort.abort();
    this.#findingsAbort.abort();
    this.#modulesAbort = new AbortController();
    this.#usageAbort = new AbortController();
  }

  async #ask<T>(asked: Promise<T>, settle: (stage: Stage<T>) => void): Promise<void> {
    try {
      settle({ kind: 'ready', value: await asked });
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return;
      if (!(error instanceof ApiError)) throw error;
      settle({ kind: 'failed', error });
    }
    this.#changed();
  }

  /** The loader's own choice, which it follows itself. */
  #settle(patch: Partial<State>): void {
    this.#settling = true;
    this.#options.settle(patch);
    this.#settling = false;
  }

  #changed(): void {
    this.#options.changed();
  }
}
