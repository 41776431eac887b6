// Selects the baseline: another run, module and memory space.

import type { ModuleEntry, ModulesAnswer, RunEntry } from '../../generated/contract';
import { DEFAULT_SPACE, SPACES } from '../../generated/vocabulary';
import { formatBytes } from '../../lib/bytes';
import type { Current } from '../../lib/store';
import { shortenMiddle } from '../../lib/text';
import { cannotBeRead } from '../../model/module_list';
import type { Stage } from '../../model/stage';
import type { Actions } from '../../state/actions';
import type { State } from '../../state/state';
import { el } from '../shared/dom';
import { closeWhenLeft } from '../shared/menu';

export interface BaselinePickerOptions {
  readonly current: Current<State>;
  readonly actions: Pick<Actions, 'compareWith'>;
  readonly modules: ModulesOfRuns;
  runs(): readonly RunEntry[];
}

/** The modules of any run. */
export interface ModulesOfRuns {
  /** Calls back with all that is known of them, as often as more is; ends when the function that it returns is called. */
  watch(run: string, changed: (modules: Stage<ModulesAnswer>) => void): () => void;
  /** A module with its memory spaces. */
  decoded(run: string, module: string): Promise<ModuleEntry | undefined>;
}

export function makeBaselinePicker(options: BaselinePickerOptions): { element: HTMLElement } {
  const { current, actions, runs, modules: modulesOf } = options;
  const run = el('select', { 'aria-label': 'Run of the baseline', id: 'baseline-run' });
  const module = el('select', { 'aria-label': 'Module of the baseline', id: 'baseline-module' });
  const go = el('button', { type: 'button', class: 'quiet', id: 'baseline-go', disabled: true }, 'Compare');
  const status = el('span', { class: 'hint', role: 'status' });
  const panel = el(
    'div',
    { class: 'menu-list baseline-picker', tabindex: -1 },
    label('Run', run),
    label('Module', module),
    go,
    status,
  );
  const menu = el('details', { class: 'menu' }, el('summary', { class: 'quiet', id: 'compare' }, 'Compare'), panel);
  let modules: readonly ModuleEntry[] = [];
  let stop = (): void => undefined;

  function fill(): void {
    modules = [];
    module.replaceChildren();
    // Nothing is chosen yet: a button that can be pressed would do nothing.
    go.disabled = true;
    status.textContent = 'Reading …';
    stop();
    stop = modulesOf.watch(run.value, show);
  }

  function show(stage: Stage<ModulesAnswer>): void {
    if (stage.kind === 'waiting') return;
    if (stage.kind === 'failed') {
      status.textContent = stage.error.message;
      return;
    }
    const before = modules[Number(module.value)]?.module;
    modules = stage.value.modules.filter((one) => !cannotBeRead(one));
    module.replaceChildren(...modules.map(option));
    const same = modules.findIndex((one) => one.module === before);
    const another = modules.findIndex((one) => one.module !== current.state.module || run.value !== current.state.run);
    module.selectedIndex = Math.max(0, same < 0 ? another : same);
    status.textContent = modules.length === 0 ? 'None of this run’s modules can be read.' : '';
    go.disabled = modules.length === 0;
  }

  function option(one: ModuleEntry, at: number): HTMLElement {
    const space = current.state.space ?? SPACES[DEFAULT_SPACE].name;
    const peak = formatBytes(one.spaces.find((own) => own.space === space)?.peak_bytes ?? 0);
    const words = one.decoded ? `${shortenMiddle(one.module, 44)}  ${peak}` : shortenMiddle(one.module, 44);
    return el('option', { value: at, title: one.module }, words);
  }

  async function compare(): Promise<void> {
    const chosen = modules[Number(module.value)]!;
    const wanted = run.value;
    go.disabled = true;
    status.textContent = 'Reading …';
    try {
      const entry = chosen.decoded ? chosen : await modulesOf.decoded(wanted, chosen.module);
      const space = entry?.spaces.find((one) => one.space === current.state.space) ?? entry?.spaces[0];
      status.textContent = space === undefined ? 'This module cannot be read.' : '';
      if (space === undefined) return;
      menu.open = false;
      actions.compareWith({ run: wanted, host: null, module: chosen.module, space: space.space });
    } catch (error) {
      status.textContent = error instanceof Error ? error.message : String(error);
    } finally {
      go.disabled = false;
    }
  }

  run.addEventListener('change', fill);
  menu.addEventListener('toggle', () => {
    if (!menu.open) {
      stop();
      return;
    }
    run.replaceChildren(...runs().map((one) => el('option', { value: one.run }, shortenMiddle(one.run, 50))));
    if (current.state.run !== null) run.value = current.state.run;
    fill();
  });
  go.addEventListener('click', () => void compare());
  closeWhenLeft(menu);
  // The page's own keys mean nothing in here.
  panel.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') event.stopPropagation();
  });
  return { element: menu };
}

function label(text: string, control: HTMLElement): HTMLElement {
  return el('label', { class: 'field' }, el('span', { class: 'field-label' }, text), control);
}
