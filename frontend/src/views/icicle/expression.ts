// The field for a regular expression to group by, and what it is for.

import type { State } from '../../state/state';
import { el } from '../shared/dom';
import type { ViewContext } from '../shared/view';

const TYPING_PAUSE_MS = 250;
const EXAMPLE = 'layer_(\\d+)';

export interface ExpressionField {
  readonly element: HTMLInputElement;
  update(state: State): void;
  destroy(): void;
}

export function makeExpression({ current, actions }: ViewContext): ExpressionField {
  const element = el('input', {
    type: 'text',
    class: 'filter',
    id: 'expression',
    placeholder: EXAMPLE,
    'aria-label': 'Regular expression; its first capture group names the groups',
    'aria-describedby': 'expression-problem',
    title: 'Matched against instruction, framework op, source and opcode. The first capture group names the group.',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  let pause: ReturnType<typeof setTimeout> | undefined;
  element.value = current.state.expression;
  element.addEventListener('keydown', (event) => event.stopPropagation());
  element.addEventListener('input', () => {
    clearTimeout(pause);
    pause = setTimeout(() => actions.groupByExpression(element.value), TYPING_PAUSE_MS);
  });
  return {
    element,
    update(state) {
      if (document.activeElement !== element) element.value = state.expression;
    },
    destroy: () => clearTimeout(pause),
  };
}

export function expressionHint(): HTMLElement {
  return el(
    'p',
    { class: 'empty' },
    'Enter a regular expression above. Its first capture group names the groups: ',
    el('code', {}, EXAMPLE),
    ' makes one group for each layer (layer_0, layer_1, …).',
  );
}
