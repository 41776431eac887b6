// Selection of run, host, module and memory space. Knows lists and choices, no dataset.

import { DEFAULT_SPACE, SPACES } from '../../generated/vocabulary';
import { formatBytes, formatPercent, parseBytes } from '../../lib/bytes';
import { shortenMiddle } from '../../lib/text';
import type { ControlsModel } from '../../model/page';
import type { Actions } from '../../state/actions';
import { el, setAttributes } from '../shared/dom';
import { ModulePicker } from './module_picker';

type Choices = 'chooseRun' | 'chooseHost' | 'chooseModule' | 'chooseSpace' | 'setCapacity' | 'toggleModules';

export interface ControlsActions extends Pick<Actions, Choices> {
  reload(): void;
}

export class Controls {
  readonly element = el('header', { class: 'controls' });
  readonly #run = el('select', { id: 'run', 'aria-label': 'Run' });
  readonly #host = el('select', { id: 'host', 'aria-label': 'Host' });
  readonly #picker: ModulePicker;
  #drawnSpaces = '';
  readonly #spaces = el('div', { class: 'spaces', role: 'tablist', 'aria-label': 'Memory space' });
  readonly #capacity = el('input', {
    id: 'capacity',
    type: 'text',
    spellcheck: 'false',
    autocomplete: 'off',
    'aria-label': 'Device capacity',
    'aria-describedby': 'capacity-fault',
  });
  readonly #capacityFault = el('span', { id: 'capacity-fault', class: 'capacity-fault', role: 'alert' });
  readonly #fields: { readonly run: HTMLElement; readonly host: HTMLElement; readonly module: HTMLElement };
  readonly #all = el('button', { type: 'button', class: 'quiet', id: 'all-modules' });
  readonly #first = el('div', { class: 'controls-row' });
  readonly #second: HTMLElement;
  readonly #tools = el('div', { class: 'tools' });
  readonly #actions: ControlsActions;

  constructor(actions: ControlsActions) {
    this.#actions = actions;
    this.#picker = new ModulePicker((module) => actions.chooseModule(module));
    this.#fields = {
      run: field('Run', this.#run),
      host: field('Host', this.#host),
      module: field('Module', this.#picker.element),
    };
    this.#fields.module.classList.add('grow');
    const reload = el(
      'button',
      { type: 'button', class: 'quiet icon', title: 'Check for new captures', 'aria-label': 'Check for new captures' },
      '⟳',
    );
    const capacity = field('Capacity', this.#capacity);
    capacity.append(this.#capacityFault);
    capacity.classList.add('capacity-field');
    this.#second = el('div', { class: 'controls-row' }, this.#spaces, capacity, this.#tools);
    this.#first.append(this.#fields.run, this.#fields.host, this.#fields.module, this.#all, reload);
    this.element.append(this.#first, this.#second);
    this.#run.addEventListener('change', () => actions.chooseRun(this.#run.value));
    this.#host.addEventListener('change', () => actions.chooseHost(this.#host.value || null));
    this.#capacity.addEventListener('change', () => this.#capacityTyped());
    this.#all.addEventListener('click', () => actions.toggleModules());
    reload.addEventListener('click', () => actions.reload());
  }

  update(model: ControlsModel): void {
    const { chosenElsewhere } = model;
    // The tab around us lists modules and reloads itself.
    this.#first.hidden = chosenElsewhere.run && chosenElsewhere.module;
    this.#fields.run.hidden = chosenElsewhere.run || model.runs.length === 0;
    this.#fields.module.hidden = chosenElsewhere.module || model.runs.length === 0;
    fill(
      this.#run,
      model.runs.map((run) => [run.run, run.run]),
      model.run ?? '',
    );
    const hosts = model.runs.find((run) => run.run === model.run)?.hosts ?? [];
    this.#fields.host.hidden = hosts.length < 2 || chosenElsewhere.run;
    fill(
      this.#host,
      [['', `all ${hosts.length} hosts`], ...hosts.map((host): [string, string] => [host, host])],
      model.host ?? '',
    );
    this.#picker.update(model.modules, model.module, model.space ?? SPACES[DEFAULT_SPACE].name);
    this.#all.hidden = model.modules.length < 2;
    this.#all.textContent = model.modulesShown ? 'Back to the module' : `All ${model.modules.length} modules`;
    this.#second.hidden = model.modulesShown || model.space === null;
    this.#updateSpaces(model);
    this.#updateCapacity(model);
  }

  /** Gives the keyboard to the list of modules. */
  focusModules(): void {
    this.#picker.focus();
  }

  /** Buttons that belong to what is shown. */
  setTools(tools: readonly HTMLElement[]): void {
    this.#tools.replaceChildren(...tools);
  }

  #updateSpaces(model: ControlsModel): void {
    // While peaks of other modules fill in, tabs that stay as they are keep the focus and the pointer.
    const drawn = JSON.stringify([
      model.space,
      model.spaces.map((one) => [one.space, one.peak_bytes, one.required_bytes, one.capacity_bytes, one.about]),
    ]);
    if (drawn === this.#drawnSpaces) return;
    this.#drawnSpaces = drawn;
    this.#spaces.replaceChildren(
      ...model.spaces.map((space) => {
        const chosen = space.space === model.space;
        const capacity = space.capacity_bytes;
        const title = [
          `${space.space}: peak ${formatBytes(space.peak_bytes)}, required ${formatBytes(space.required_bytes)}`,
          capacity === null ? null : `${formatPercent(space.required_bytes, capacity)} of ${formatBytes(capacity)}`,
          space.about,
        ];
        const tab = el(
          'button',
          {
            type: 'button',
            role: 'tab',
            'aria-selected': String(chosen),
            tabindex: chosen ? 0 : -1,
            class: 'space',
            title: title.filter(Boolean).join('\n'),
            'data-space': space.space,
          },
          el('span', { class: 'space-name' }, space.space),
          el('span', { class: 'space-peak' }, formatBytes(space.peak_bytes)),
        );
        tab.addEventListener('click', () => this.#actions.chooseSpace(space.space));
        tab.addEventListener('keydown', (event) => this.#moveTab(event, tab));
        return tab;
      }),
    );
  }

  #moveTab(event: KeyboardEvent, tab: HTMLElement): void {
    const to =
      event.key === 'ArrowRight'
        ? tab.nextElementSibling
        : event.key === 'ArrowLeft'
          ? tab.previousElementSibling
          : null;
    if (!(to instanceof HTMLElement)) return;
    event.preventDefault();
    event.stopPropagation();
    const space = to.dataset.space!;
    this.#actions.chooseSpace(space);
    this.#spaces.querySelector<HTMLElement>(`[data-space="${CSS.escape(space)}"]`)?.focus();
  }

  #updateCapacity(model: ControlsModel): void {
    const bytes = model.capacity ?? model.knownCapacity.bytes;
    if (document.activeElement !== this.#capacity) this.#capacity.value = bytes === null ? '' : formatBytes(bytes);
    const source =
      model.capacity !== null
        ? 'capacity you entered; clear the field to remove it'
        : (model.knownCapacity.source ?? 'not in the capture; enter it, e.g. 16 GiB');
    setAttributes(this.#capacity, {
      placeholder: 'e.g. 16 GiB',
      title: `Memory of one device: ${source}`,
      'aria-invalid': false,
    });
    this.#capacityFault.textContent = '';
  }

  #capacityTyped(): void {
    const text = this.#capacity.value.trim();
    const bytes = text === '' ? null : parseBytes(text);
    if (text !== '' && bytes === null) {
      setAttributes(this.#capacity, { 'aria-invalid': 'true' });
      this.#capacityFault.textContent = `“${shortenMiddle(text, 16)}” is not a size; enter e.g. 16 GiB`;
      return;
    }
    this.#actions.setCapacity(bytes);
  }
}

/** No label element around: a click in the module list would focus the field again. The controls are labelled themselves. */
function field(label: string, control: HTMLElement): HTMLElement {
  return el('div', { class: 'field' }, el('span', { class: 'field-label', 'aria-hidden': 'true' }, label), control);
}

function fill(select: HTMLSelectElement, options: readonly (readonly [string, string])[], value: string): void {
  const wanted = options.map(([key]) => key).join('\n');
  if (select.dataset.options !== wanted) {
    select.dataset.options = wanted;
    select.replaceChildren(
      ...options.map(([key, label]) => el('option', { value: key, title: label }, shortenMiddle(label, 60))),
    );
  }
  select.value = value;
}
