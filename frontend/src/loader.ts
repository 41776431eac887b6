// Requests the data for the current selection: once each, with late answers to older selections dropped, kept for a while.

import { getRuns, getUsage, inReport } from './api';
import type {
  CompareAnswer,
  FindingsAnswer,
  ModuleEntry,
  ModulesAnswer,
  RunsAnswer,
  SpacesAnswer,
} from './generated/contract';
import { Latest } from './lib/latest';
import type { Current } from './lib/store';
import { Beside } from './loader_beside';
import { ModuleList, settled } from './loader_modules';
import { findModule, findSpace, isReadable, namedSpace, runsToTry } from './model/choice';
import { Dataset } from './model/dataset';
import { type Answered, answerOf, type Failed, type Stage, WAITING } from './model/stage';
import type { Actions } from './state/actions';
import type { State } from './state/state';

/** Datasets kept, so that going back and forth between memory spaces costs nothing. */
const MOST_KEPT = 4;

export interface LoaderOptions {
  readonly store: Current<State>;
  readonly actions: Pick<Actions, 'openRun' | 'openAllHosts' | 'openModule' | 'nameShown'>;
  /** Does what the loader chooses itself, which is no step to go back to. */
  quietly(choose: () => void): void;
  changed(): void;
}

export class Loader {
  runs: Stage<RunsAnswer> = WAITING;
  usage: Stage<Dataset> = WAITING;
  /** What was asked for and is not there, in words. */
  missing: string | null = null;

  readonly #options: LoaderOptions;
  readonly #list = new ModuleList(() => this.#changed());
  readonly #beside = new Beside(() => this.#changed());
  readonly #kept = new Map<string, Dataset>();
  readonly #asked = { runs: new Latest(), choice: new Latest(), usage: new Latest() };
  /** Runs that may be opened instead, while nobody has chosen one. */
  #untried: string[] = [];
  /** Of the usage that is there or on its way; empty where there is none. */
  #key = '';
  /** The usage is on its way that the address names in full: whether there is such a module is not known yet. */
  #trusting = false;
  #started = false;
  #settling = false;

  constructor(options: LoaderOptions) {
    this.#options = options;
  }

  get modules(): Stage<ModulesAnswer> {
    return this.#list.stage;
  }

  get spaces(): Stage<SpacesAnswer> {
    return this.#beside.spaces;
  }

  get findings(): Stage<FindingsAnswer> {
    return this.#beside.findings;
  }

  /** null where nothing is compared. */
  get comparison(): Stage<CompareAnswer> | null {
    return this.#beside.comparison;
  }

  /** The usage is on its way. */
  get asking(): boolean {
    return this.#key !== '' && this.usage.kind === 'waiting';
  }

  /** Asks for everything anew. */
  async start(): Promise<void> {
    this.#started = true;
    this.#kept.clear();
    this.#stop();
    this.runs = WAITING;
    this.#trust();
    this.#changed();
    await this.#ask(this.#asked.runs.ask(getRuns), (stage) => {
      this.runs = stage;
      if (stage.kind === 'ready') this.#chooseRun(stage.value);
    });
  }

  /** Asks for what a change of the choice makes necessary. */
  follow(state: State, previous: State): void {
    if (this.#settling || !this.#started || this.runs.kind === 'failed') return;
    if (state.run !== previous.run || state.host !== previous.host) {
      const runs = answerOf(this.runs);
      // A run that is not known may be new.
      if (runs === null || (state.run !== null && !runs.runs.some(({ run }) => run === state.run))) void this.start();
      else {
        this.#stop();
        this.#trust();
        this.#chooseRun(runs);
      }
    } else if (state.module !== previous.module || state.space !== previous.space) {
      this.missing = null;
      if (this.#list.answer === null) this.#trust();
      else void this.#chooseModule(state.module !== previous.module);
    } else if (this.usage.kind === 'ready') {
      if (state.capacity !== previous.capacity) void this.#beside.loadFindings(state);
      if (state.baseline !== previous.baseline) void this.#beside.compare(state);
    }
  }

  /** Asks for the usage that the address names in full before anything is listed. */
  #trust(): void {
    const { run, module, space } = this.#options.store.state;
    if (run === null || module === null || space === null || inReport()) return;
    this.#trusting = true;
    this.#loadUsage(module, space);
  }

  #chooseRun({ runs }: RunsAnswer): void {
    const { run, host } = this.#options.store.state;
    const wanted = runs.find((one) => one.run === run);
    this.#untried = wanted === undefined ? runsToTry(runs).map((one) => one.run) : [];
    this.missing =
      run !== null && wanted === undefined && runs.length > 0 ? `There is no run “${run}” in this logdir.` : null;
    if (wanted === undefined) this.#tryNext();
    else {
      if (host !== null && !wanted.hosts.includes(host)) {
        this.#stop();
        this.#settle(({ openAllHosts }) => openAllHosts());
      }
      void this.#loadModules();
    }
  }

  /** The next run that may have something to show; false where there is none left. */
  #tryNext(): boolean {
    const run = this.#untried.shift();
    if (run === undefined) return false;
    this.#stop();
    this.#settle(({ openRun }) => openRun(run));
    void this.#loadModules();
    return true;
  }

  async #loadModules(): Promise<void> {
    const { run, host } = this.#options.store.state;
    if (run === null) return;
    const listed = this.#list.list(run, host);
    this.#changed();
    await listed;
    if (this.#list.stage.kind === 'waiting') return;
    // What the address names may be shown, or on its way, before its run is listed.
    const known = this.#trusting || this.usage.kind === 'ready';
    if (this.#list.answer !== null && !known) await this.#chooseModule();
    this.#changed();
    this.#fill();
  }

  /** The module and space to show: what is wished for where it is there, else the largest of those that are decoded first. */
  async #chooseModule(anySpace = false): Promise<void> {
    const signal = this.#asked.choice.next();
    this.#list.pause();
    const { state } = this.#options.store;
    const modules = this.#list.answer?.modules ?? [];
    const wanted = state.module === null ? null : findModule(modules, state.module);
    if (state.module !== null && wanted === null && this.#tryNext()) return;
    const module = wanted === null ? await this.#list.firstReadable(signal) : await this.#decoded(wanted, signal);
    if (signal.aborted) return;
    if (state.module === null && (module === null || !isReadable(module)) && this.#tryNext()) return;
    this.#untried = [];
    if (state.module !== null && wanted === null && module !== null)
      this.missing ??= `There is no module “${state.module}” in this run.`;
    const space = module === null ? null : findSpace(module, state.space);
    const isLost = module !== null && state.space !== null && namedSpace(module, state.space) === null;
    if (wanted !== null && space !== null && isLost && !anySpace)
      this.missing ??= `This module has no memory space “${state.space}”.`;
    this.#settle(({ openModule }) => openModule(module?.module ?? null, space));
    if (module !== null && space !== null) this.#loadUsage(module.module, space);
    else {
      this.#forgetUsage();
      this.#fill();
    }
  }

  #forgetUsage(): void {
    this.#asked.usage.stop();
    this.#key = '';
    this.usage = WAITING;
    this.#changed();
  }

  /** The entry of a module with the memory spaces that it has. */
  async #decoded(entry: ModuleEntry, signal: AbortSignal): Promise<ModuleEntry | null> {
    if (entry.decoded) return entry;
    const spaces = answerOf(this.spaces);
    if (spaces !== null && spaces.module === entry.module && this.#isChosen(spaces))
      return { ...entry, spaces: spaces.spaces };
    this.#forgetUsage();
    await this.#list.decode([entry.module], signal);
    return this.#list.answer?.modules.find(({ module }) => module === entry.module) ?? null;
  }

  #loadUsage(module: string, space: string): void {
    const { run, host } = this.#options.store.state;
    const key = keyOf(run, host, module, space);
    if (key === this.#key && this.usage.kind !== 'failed') return;
    this.#asked.usage.stop();
    this.#list.pause();
    this.#beside.forgetOthers(this.#options.store.state);
    this.#key = key;
    const kept = this.#kept.get(key);
    if (kept !== undefined) this.#show(kept);
    else {
      this.usage = WAITING;
      const asked = this.#asked.usage.ask(
        async (signal) => new Dataset(await getUsage({ run: run!, host, module }, space, signal)),
      );
      void this.#ask(asked, (stage) => {
        if (stage.kind === 'ready') this.#show(stage.value);
        else this.#refused(stage);
      });
    }
    this.#changed();
  }

  #show(dataset: Dataset): void {
    const { run, host, module, space } = dataset.answer;
    this.#trusting = false;
    this.usage = { kind: 'ready', value: dataset };
    // The address may have another name of the same module, or the number of the space.
    this.#settle(({ nameShown }) => nameShown(module, space));
    this.#key = keyOf(run, host, module, space);
    this.#keep(this.#key, dataset);
    void this.#loadBeside();
  }

  /** A module or space that is not there is looked for among those that are. */
  #refused(stage: Failed): void {
    const mistaken = this.#trusting && stage.error.code === 'not_found';
    this.#trusting = false;
    this.usage = mistaken ? WAITING : stage;
    if (mistaken) this.#key = '';
    if (mistaken && this.#list.answer !== null) void this.#chooseModule();
    else this.#fill();
  }

  /** What the picture can do without comes after it: each of these would slow the others down. */
  async #loadBeside(): Promise<void> {
    const key = this.#key;
    await this.#beside.load(this.#options.store.state);
    if (key === this.#key) this.#fill();
  }

  /** Decodes the rest of the list once nothing is asked that is to be seen sooner. */
  #fill(): void {
    const picture = this.asking || this.#trusting;
    const beside = this.usage.kind === 'ready' && this.#beside.waiting;
    if (!picture && !beside) void this.#list.fill();
  }

  #isChosen(answer: { readonly run: string; readonly host: string | null }): boolean {
    const { run, host } = this.#options.store.state;
    return answer.run === run && answer.host === host;
  }

  #keep(key: string, dataset: Dataset): void {
    this.#kept.set(key, dataset);
    const oldest = this.#kept.keys().next().value;
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** Ends everything that is asked about a run. */
  #stop(): void {
    this.#asked.choice.stop();
    this.#asked.usage.stop();
    this.#list.clear();
    this.#beside.clear();
    this.#key = '';
    this.#trusting = false;
    this.usage = WAITING;
  }

  async #ask<T>(asked: Promise<T | null>, settle: (stage: Answered<T>) => void): Promise<void> {
    const stage = await settled(asked);
    if (stage === null) return;
    settle(stage);
    this.#changed();
  }

  /** The loader's own choice, which it follows itself. */
  #settle(choose: (actions: LoaderOptions['actions']) => void): void {
    this.#settling = true;
    this.#options.quietly(() => choose(this.#options.actions));
    this.#settling = false;
  }

  #changed(): void {
    this.#options.changed();
  }
}

function keyOf(...names: readonly (string | null)[]): string {
  return JSON.stringify(names);
}
