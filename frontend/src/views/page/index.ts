// The page: controls, problems, and below them the module, the table of modules, or a message.

import type { ModulesAnswer } from '../../generated/contract';
import type { Watched } from '../../lib/store';
import { changeInWords, openingWords } from '../../model/announcement';
import type { Dataset } from '../../model/dataset';
import type { Loaded } from '../../model/loaded';
import { controlsModel, headingOf, type MainPart, mainPart, readingProblems } from '../../model/page';
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

/** The parts that show where no module does. */
type Instead = Exclude<MainPart, { readonly kind: 'module' }>;

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
      const dataset = this.#loaded === null ? null : answerOf(this.#loaded.usage);
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
    const part = mainPart(loaded, state);
    if (part.kind === 'module') this.#showModule(part.key, loaded);
    // What is there stays, dimmed, while another memory space or module is on its way.
    else if (part.kind === 'working' && this.#module !== null) this.#main.classList.add('stale');
    else {
      if (part.kind === 'modules') this.#table?.update(part.answer);
      this.#showInstead(part);
    }
  }

  #showModule(dataset: Dataset, loaded: Loaded): void {
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

  #showInstead(part: Instead): void {
    if (this.#showing === part.key) return;
    this.#clear();
    this.#main.classList.remove('stale');
    this.#showing = part.key;
    this.#main.replaceChildren(this.#instead(part));
  }

  #instead(part: Instead): HTMLElement {
    const { retry } = this.#options;
    switch (part.kind) {
      case 'working':
      case 'loading':
        return loading(part.words);
      case 'failure':
        return failure(part.title, part.error, retry);
      case 'empty_logdir':
        return emptyLogdir(part.logdir, part.problems, retry);
      case 'empty_run':
        return emptyRun(part.run, part.problems);
      case 'unreadable':
        return unreadableModule(part.module, part.problems);
      case 'modules':
        return this.#modulesTable(part.answer);
    }
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

function notices(loaded: Loaded, state: State): HTMLElement[] {
  const { missing, modules, usage } = loaded;
  const listed =
    modules.kind === 'failed' && usage.kind === 'ready'
      ? trouble('The modules of this run cannot be listed', modules.error)
      : null;
  const instead =
    missing === null
      ? null
      : el('div', { class: 'notice', role: 'status' }, `${missing} Another one is shown instead.`);
  return [instead, listed, problemNotice(readingProblems(loaded, state))].filter((part) => part !== null);
}
