// Chooses what to compare with: another run, module and memory space.

import type { ModuleEntry, ModulesAnswer, RunEntry } from '../contract';
import { formatBytes } from '../lib/bytes';
import type { Store } from '../lib/store';
import { shortenMiddle } from '../lib/text';
import type { State } from '../model/state';
import { el } from './dom';
import { closeWhenLeft } from './dom_menu';

export interface BaselinePickerOptions {
  readonly store: Store<State>;
  readonly runs: readonly RunEntry[];
  modulesOf(run: string): Promise<ModulesAnswer>;
}

export function makeBaselinePicker({ store, runs, modulesOf }: BaselinePickerOptions): { element: HTMLElement } {
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
  run.append(...runs.map((one) => el('option', { value: one.run }, shortenMiddle(one.run, 50))));
  let modules: readonly ModuleEntry[] = [];
  let asked = '';

  async function fill(): Promise<void> {
    const wanted = run.value;
    asked = wanted;
    module.replaceChildren();
    // Nothing is chosen yet: a button that can be pressed would do nothing.
    go.disabled = true;
    status.textContent = 'Reading …';
    try {
      const answer = await modulesOf(wanted);
      // An answer about a run that is no longer chosen comes too late.
      if (asked !== wanted) return;
      modules = answer.modules.filter((one) => one.spaces.length > 0);
      const space = store.state.space ?? 'HBM';
      module.append(
        ...modules.map((one, at) =>
          el(
            'option',
            { value: at, title: one.module },
            `${shortenMiddle(one.module, 44)}  ${formatBytes(one.spaces.find((own) => own.space === space)?.peak_bytes ?? 0)}`,
          ),
        ),
      );
      status.textContent = modules.length === 0 ? 'No module of this run can be read.' : '';
      const own = modules.findIndex((one) => one.module !== store.state.module || wanted !== store.state.run);
      module.selectedIndex = Math.max(0, own);
      go.disabled = modules.length === 0;
    } catch (error) {
      if (asked === wanted) status.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  run.addEventListener('change', () => void fill());
  menu.addEventListener('toggle', () => {
    if (!menu.open) return;
    if (store.state.run !== null) run.value = store.state.run;
    void fill();
  });
  go.addEventListener('click', () => {
    const chosen = modules[Number(module.value)]!;
    const space = chosen.spaces.find((one) => one.space === store.state.space) ?? chosen.spaces[0]!;
    menu.open = false;
    store.set({ baseline: { run: run.value, host: null, module: chosen.module, space: space.space } });
  });
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
