// The searchable list of modules, largest peak first: a combobox with a listbox.

import type { ModuleEntry } from '../../generated/contract';
import { DEFAULT_SPACE, SPACES } from '../../generated/vocabulary';
import { formatBytes } from '../../lib/bytes';
import { shortenMiddle } from '../../lib/text';
import { cannotBeRead } from '../../model/module_list';
import { el, focusOn, setAttributes } from '../shared/dom';

export class ModulePicker {
  readonly element = el('div', { class: 'picker' });
  readonly #input = el('input', {
    type: 'text',
    id: 'module',
    role: 'combobox',
    'aria-expanded': 'false',
    'aria-controls': 'module-list',
    'aria-autocomplete': 'list',
    'aria-label': 'Module',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'select a module',
  });
  readonly #list = el('ul', {
    id: 'module-list',
    role: 'listbox',
    'aria-label': 'Modules',
    class: 'picker-list',
    hidden: true,
  });
  readonly #choose: (module: string) => void;
  #modules: readonly ModuleEntry[] = [];
  #chosen: string | null = null;
  #space: string = SPACES[DEFAULT_SPACE].name;
  #active = -1;

  constructor(choose: (module: string) => void) {
    this.#choose = choose;
    this.element.append(this.#input, this.#list);
    this.#input.addEventListener('focus', () => {
      this.#input.select();
      this.#open('');
    });
    this.#input.addEventListener('input', () => this.#open(this.#input.value));
    this.#input.addEventListener('blur', () => this.#close());
    this.#input.addEventListener('keydown', (event) => this.#key(event));
    // The list must not take the focus: its click would come after the blur that closes it.
    this.#list.addEventListener('pointerdown', (event) => event.preventDefault());
  }

  focus(): void {
    focusOn(this.#input);
  }

  update(modules: readonly ModuleEntry[], chosen: string | null, space: string): void {
    this.#modules = modules;
    this.#chosen = chosen;
    this.#space = space;
    if (this.#list.hidden) this.#showChosen();
  }

  #showChosen(): void {
    this.#input.value = this.#chosen ?? '';
    this.#input.title = this.#chosen ?? '';
  }

  #open(typed: string): void {
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.#modules.filter((one) => words.every((word) => one.module.toLowerCase().includes(word)));
    const largest = Math.max(1, ...this.#modules.map((one) => this.#peak(one)));
    this.#list.replaceChildren(...found.slice(0, 500).map((one, at) => this.#option(one, at, largest)));
    const none = this.#modules.length === 0 ? 'Listing the modules …' : 'No module name matches.';
    if (found.length === 0) this.#list.append(el('li', { class: 'picker-none' }, none));
    this.#list.hidden = false;
    setAttributes(this.#input, { 'aria-expanded': 'true' });
    this.#activate(
      Math.max(
        0,
        found.findIndex((one) => one.module === this.#chosen),
      ),
    );
  }

  #peak(module: ModuleEntry): number {
    return module.spaces.find((space) => space.space === this.#space)?.peak_bytes ?? 0;
  }

  #option(module: ModuleEntry, at: number, largest: number): HTMLElement {
    const peak = this.#peak(module);
    const size = module.decoded ? formatBytes(peak) : '…';
    const option = el(
      'li',
      {
        role: 'option',
        id: `module-option-${at}`,
        class: 'picker-option',
        title: module.module,
        'data-module': module.module,
        'aria-selected': String(module.module === this.#chosen),
      },
      el('span', { class: 'picker-bar', style: `width:${(100 * peak) / largest}%` }),
      el('span', { class: 'picker-name' }, shortenMiddle(module.module, 64)),
      el('span', { class: 'picker-peak' }, cannotBeRead(module) ? 'cannot be read' : size),
    );
    option.addEventListener('click', () => this.#take(module.module));
    return option;
  }

  #activate(at: number): void {
    const options = this.#list.querySelectorAll('[role=option]');
    this.#active = options.length === 0 ? -1 : Math.max(0, Math.min(options.length - 1, at));
    options.forEach((option, i) => {
      option.classList.toggle('active', i === this.#active);
    });
    const active = options[this.#active];
    setAttributes(this.#input, { 'aria-activedescendant': active?.id ?? null });
    active?.scrollIntoView({ block: 'nearest' });
  }

  #key(event: KeyboardEvent): void {
    event.stopPropagation();
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };
    const move = moves[event.key];
    if (move !== undefined) {
      event.preventDefault();
      if (this.#list.hidden) this.#open('');
      else this.#activate(this.#active + move);
    } else if (event.key === 'Enter') {
      const active = this.#list.querySelector<HTMLElement>('.active');
      if (!this.#list.hidden && active) this.#take(active.dataset.module!);
    } else if (event.key === 'Escape') this.#input.blur();
  }

  #take(module: string): void {
    this.#chosen = module;
    this.#input.blur();
    this.#choose(module);
  }

  #close(): void {
    this.#list.hidden = true;
    setAttributes(this.#input, { 'aria-expanded': 'false', 'aria-activedescendant': null });
    this.#showChosen();
  }
}
