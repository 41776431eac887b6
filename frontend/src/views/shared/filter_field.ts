// The field that filters buffers. Table and map have one each, of the same filter: what is typed in one shows in the other.

import type { State } from '../../state/state';
import { el } from './dom';
import type { ViewContext } from './view';

const TYPING_PAUSE_MS = 150;

export interface FilterField {
  readonly element: HTMLInputElement;
  update(state: State): void;
  destroy(): void;
}

export function makeFilterField(
  { current, actions }: ViewContext,
  attributes: Readonly<Record<string, string>>,
): FilterField {
  const element = el('input', {
    type: 'search',
    class: 'filter',
    ...attributes,
    autocomplete: 'off',
    spellcheck: 'false',
  });
  let pause: ReturnType<typeof setTimeout> | undefined;
  element.value = current.state.filter;
  element.addEventListener('input', () => {
    clearTimeout(pause);
    pause = setTimeout(() => actions.filterBy(element.value), TYPING_PAUSE_MS);
  });
  // Keys typed here are text, none of the page's commands.
  element.addEventListener('keydown', (event) => event.stopPropagation());
  return {
    element,
    update(state) {
      if (document.activeElement !== element) element.value = state.filter;
    },
    destroy: () => clearTimeout(pause),
  };
}
