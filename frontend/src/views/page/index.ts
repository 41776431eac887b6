// The page: controls, what is wrong, and below them the module, the table of modules, or what shows instead.

import type { ModulesAnswer, Problem, RunsAnswer } from '../../contract';
import type { Watched } from '../../lib/store';
import { changeInWords, openingWords } from '../../model/announcement';
import type { Dataset } from '../../model/dataset';
import type { Loaded } from '../../model/loaded';
import { cannotBeRead, distinct, knownSpaces } from '../../model/module_list';
import { answerOf } from '../../model/stage';
import type { Actions, ViewActions } from '../../state/actions';
import type { State } from '../../state/state';
import type { CardLinks } from '../card';
import { type ModulesOfRuns, makeBaselinePicker } from '../compare_picker';
import { Controls, type ControlsActions } from '../controls';
import type { Report } from '../downloads';
import { type ModulesTable, makeModulesTable } from '../modules_table';
import { el, onResize } from '../shared/dom';
import { problemNotice } from '../shared/problems';
import { emptyLogdir, emptyRun, failure, loading, trouble, unreadableModule } from '../states';
import { ModulePage } from './module';

export interface PageOptions {
  readonly store: Watched<State>;
  readonly actions: Actions;
  /** The actions of the views of a dataset. */
  actionsOn(dataset: Dataset): ViewActions;
  readonly links: CardLinks;
  readonly report: Report | null;
  /** Watches searches over a dataset; ends when the function that it returns is called. */
  watch(dataset: Dataset): () => void;
  retry(): void;
  readonly modules: ModulesOfRuns;
  showKeys(): void;
}

const datasetOf = (loaded: Loaded) => answerOf(loaded.usage);

export class Page {
  readonly element = el('div', { class: 'page' });
  readonly #options: PageOptions;
  readonly #controls: Controls;
  /** What the page is about, for those who go from heading to heading. */
  readonly #heading = el('h1', { class: 'visually-hidden' });
  readonly #notices = el('div', { class: 'notices' });
  readonly #main = el('main', { class: 'main' });
  /** Says to those who listen what a move along the program, a pin or a new memory space has led to. */
  readonly #live = el('div', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite', id: 'live' });
  #module: ModulePage | null = null;
  #table: ModulesTable | null = null;
  #loaded: Loaded | null = null;
  /** What `main` shows, so that it is not built twice. */
  #showing: unknown = null;

  constructor(options: PageOptions) {
    this.#options = options;
    this.#controls = new Controls(this.#actions());
    onResize(this.#controls.element, (_, height) => {
      document.documentElement.style.setProperty('--controls-height', `${Math.ceil(height)}px`);
    });
    this.#controls.element.prepend(this.#heading);
    this.element.append(this.#controls.element, this.#notices, this.#main, this.#live);
    options.store.subscribe((state, previous) => {
      this.#module?.update(state);
      const dataset = this.#loaded === null ? null : datasetOf(this.#loaded);
      const words = dataset === null ? null : changeInWords(dataset, state, previous);
      if (words !== null) this.#live.textContent = words;
    });
  }

  /** Gives the keyboard to the list of modules. */
  focusModules(): boolean {
    this.#controls.focusModules();
    return true;
  }

  /** Gives the keyboard to the filter of buffers; false where there is none. */
  focusFilter(): boolean {
    return this.#module?.focusFilter() ?? false;
  }

  /** Shows how far the answers are. */
  show(loaded: Loaded): void {
    this.#loaded = loaded;
    const { state } = this.#options.store;
    this.#heading.textContent = headingOf(state);
    this.#controls.update(controlsModel(loaded, state));
    this.#showNotices(notices(loaded, state));
    this.#showMain(loaded, state);
  }

  /** Notices that are there already stay as a person has unfolded them, and are not read out again. */
  #showNotices(parts: readonly HTMLElement[]): void {
    const words = (all: Iterable<Element>): string => Array.from(all, (one) => one.textContent).join('\n');
    if (words(parts) !== words(this.#notices.children)) this.#notices.replaceChildren(...parts);
  }

  #showMain(loaded: Loaded, state: State): void {
    const instead = this.#insteadOfModule(loaded, state);
    if (instead !== null) this.#instead(...instead);
    else if (loaded.usage.kind === 'waiting') this.#wait(state.module ?? '');
    else this.#showModule(loaded);
  }

  /** What shows where no module can be shown, with what it is shown for; null where one can. */
  #insteadOfModule(loaded: Loaded, state: State): [unknown, () => HTMLElement] | null {
    const { runs, modules, usage, asking } = loaded;
    const { retry } = this.#options;
    // What the address names is shown whether or not the rest is listed yet.
    if (state.shown === 'module' && (asking || usage.kind === 'ready')) return null;
    if (state.shown === 'module' && usage.kind === 'failed')
      return [usage, () => failure('The memory space cannot be shown', usage.error, retry)];
    if (runs.kind === 'waiting') return ['runs', () => loading('Looking for captures …')];
    if (runs.kind === 'failed') return [runs, () => failure('The captures cannot be listed', runs.error, retry)];
    const { runs: entries, logdir, problems } = runs.value;
    if (entries.length === 0) return [runs, () => emptyLogdir(logdir, problems, retry)];
    if (modules.kind === 'waiting') return ['modules', () => loading(`Reading the programs of ${state.run ?? ''} …`)];
    if (modules.kind === 'failed') {
      return [modules, () => failure(`“${state.run}” cannot be read`, modules.error, retry)];
    }
    if (state.shown === 'modules') {
      this.#table?.update(modules.value);
      return [`modules ${state.run} ${state.host}`, () => this.#modulesTable(modules.value)];
    }
    const module = modules.value.modules.find((one) => one.module === state.module);
    if (module === undefined && modules.value.modules.some((one) => !one.decoded))
      return ['modules', () => loading(`Reading the programs of ${state.run ?? ''} …`)];
    if (module === undefined) {
      return [modules, () => emptyRun(state.run ?? '', runProblems(runs.value, state, modules.value.problems))];
    }
    return cannotBeRead(module) ? [module, () => unreadableModule(module.module, module.problems)] : null;
  }

  /** What is there stays, dimmed, while another memory space or module is on its way. */
  #wait(module: string): void {
    if (this.#module === null) this.#instead('usage', () => loading(`Working out the memory of ${module} …`));
    else this.#main.classList.add('stale');
  }

  #showModule(loaded: Loaded): void {
    const dataset = datasetOf(loaded);
    if (dataset === null) return;
    this.#main.classList.remove('stale');
    if (this.#showing !== dataset) {
      this.#clear();
      this.#showing = dataset;
      const { store: current, links, report, watch, actionsOn } = this.#options;
      const main = this.#main;
      // The page keeps its height, and so its place, until the views below are there too.
      main.style.minHeight = `${main.offsetHeight}px`;
      const mounted = (): void => {
        main.style.minHeight = '';
      };
      const context = { current, dataset, actions: actionsOn(dataset) };
      this.#module = new ModulePage({ ...context, links, report, mounted, stop: watch(dataset) });
      main.replaceChildren(this.#module.element);
      this.#live.textContent = openingWords(dataset);
      this.#controls.setTools([this.#baselinePicker(), ...this.#module.tools, this.#keysButton()]);
    }
    this.#module?.beside(loaded);
  }

  #baselinePicker(): HTMLElement {
    const { store: current, actions, modules } = this.#options;
    const runs = () => (this.#loaded === null ? null : answerOf(this.#loaded.runs))?.runs ?? [];
    return makeBaselinePicker({ current, actions, modules, runs }).element;
  }

  #keysButton(): HTMLElement {
    const button = el('button', { type: 'button', class: 'quiet icon', title: 'Keys (?)', 'aria-label': 'Keys' }, '?');
    button.addEventListener('click', () => this.#options.showKeys());
    return button;
  }

  #modulesTable(answer: ModulesAnswer): HTMLElement {
    const table = makeModulesTable({
      answer,
      choose: this.#options.actions.chooseModule,
    });
    this.#table = table;
    return table.element;
  }

  #instead(what: unknown, make: () => HTMLElement): void {
    if (this.#showing === what) return;
    this.#clear();
    this.#main.classList.remove('stale');
    this.#showing = what;
    this.#main.replaceChildren(make());
  }

  #clear(): void {
    this.#module?.destroy();
    this.#module = null;
    this.#table?.destroy();
    this.#table = null;
    this.#controls.setTools([]);
    this.#showing = null;
  }

  #actions(): ControlsActions {
    const { actions, retry } = this.#options;
    return {
      ...actions,
      setCapacity: (capacity) => {
        actions.setCapacity(capacity);
        if (this.#loaded !== null) this.show(this.#loaded);
      },
      reload: retry,
    };
  }
}

function headingOf({ shown, run, module, space }: State): string {
  if (shown === 'modules') return `Modules of ${run ?? ''}`;
  return module === null ? 'Memory Viewer' : `Memory of ${module}${space === null ? '' : `, ${space}`}`;
}

function controlsModel(loaded: Loaded, state: State): Parameters<Controls['update']>[0] {
  const modules = answerOf(loaded.modules)?.modules ?? [];
  const spaces = knownSpaces(loaded, state);
  const dataset = datasetOf(loaded);
  const named = state.run === null || loaded.runs.kind === 'failed' ? [] : [{ run: state.run, hosts: [] }];
  return {
    // The run of the address stands there before any is listed.
    runs: answerOf(loaded.runs)?.runs ?? named,
    run: state.run,
    host: state.host,
    modules,
    module: state.module,
    spaces,
    platform: modules.find((one) => one.module === state.module)?.platform ?? dataset?.answer.platform ?? null,
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

function runProblems({ runs }: RunsAnswer, state: State, more: readonly Problem[]): Problem[] {
  const own = runs.find((one) => one.run === state.run)?.problems ?? [];
  return [...own, ...more];
}

function notices(loaded: Loaded, state: State): HTMLElement[] {
  const parts: HTMLElement[] = [];
  if (loaded.missing !== null)
    parts.push(el('div', { class: 'notice', role: 'status' }, `${loaded.missing} This is shown instead.`));
  if (loaded.modules.kind === 'failed' && loaded.usage.kind === 'ready')
    parts.push(trouble('The modules of this run cannot be listed', loaded.modules.error));
  const runs = answerOf(loaded.runs);
  const modules = answerOf(loaded.modules);
  const problems = [
    ...(runs?.problems ?? []),
    ...(runs === null ? [] : runProblems(runs, state, modules?.problems ?? [])),
    ...(datasetOf(loaded)?.problems ?? []),
  ];
  const shown = loaded.usage.kind === 'ready' || (modules !== null && modules.modules.length > 0);
  const notice = shown ? problemNotice(distinct(problems)) : null;
  return notice === null ? parts : [...parts, notice];
}
