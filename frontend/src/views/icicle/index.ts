// Where the memory goes: the buffers of the selection grouped by what a person asks about, as an icicle to drill into.
// The group that is drilled into filters everything else on the page.

import { formatBytes } from '../../lib/bytes';
import type { Dataset } from '../../model/dataset';
import { groupChoices, groupTree, lacksExpression, shownGroup } from '../../model/groups/group';
import type { GroupNode } from '../../model/groups/tree';
import { KEPT_BY, shownPoint, shownRows } from '../../model/selection';
import type { State } from '../../state/state';
import { el, onResize, setAttributes } from '../shared/dom';
import type { MakeView, ViewContext } from '../shared/view';
import { icicleCells, LEVEL_HEIGHT, markHovered } from './cells';
import { crumbsOf } from './crumbs';
import { expressionHint, makeExpression } from './expression';
import { moveFocus } from './focus';

const DRAWN_BY: readonly (keyof State)[] = [...KEPT_BY, 'expressionProblem'];

export const makeIcicle: MakeView = (context) => {
  const { current, dataset, actions } = context;
  const kinds = groupChoices(dataset).map(([kind, word]) => kindButton(context, kind, word));
  const expression = makeExpression(context);
  const problem = el('div', { class: 'problem-line', id: 'expression-problem', role: 'status' });
  const crumbs = el('nav', { class: 'crumbs', 'aria-label': 'Selected group' });
  const note = el('p', { class: 'hint icicle-note' });
  const cells = el('div', {
    class: 'icicle-cells',
    role: 'group',
    'aria-label': 'Groups, outermost at the top. Arrow keys move, Enter opens a group, Backspace goes up.',
  });
  const element = el(
    'section',
    { class: 'panel icicle', 'aria-label': 'Where it goes' },
    el(
      'div',
      { class: 'panel-head' },
      el('h2', {}, 'Where it goes'),
      el('div', { class: 'choices-row', role: 'group', 'aria-label': 'Group by' }, ...kinds),
      expression.element,
    ),
    problem,
    crumbs,
    cells,
    note,
  );
  let width = 0;
  let tree: GroupNode = groupTree(dataset, current.state, new Int32Array());

  function draw(): void {
    const { state } = current;
    const group = shownGroup(dataset, state);
    for (const button of kinds) setAttributes(button, { 'aria-pressed': String(button.dataset.kind === group) });
    expression.element.hidden = state.group !== 'expression';
    problem.textContent = state.group === 'expression' ? (state.expressionProblem ?? '') : '';
    tree = groupTree(dataset, state, shownRows(dataset, state));
    crumbs.replaceChildren(...crumbsOf(context, tree));
    drawCells(state);
    drawNote(state);
  }

  function drawCells(state: State): void {
    if (width <= 0) return;
    if (lacksExpression(state)) {
      showInstead(expressionHint());
      return;
    }
    const top = tree.at(state.groupPath);
    if (top === null || top.count === 0) {
      const nothing = top === null ? 'No buffer of this group is alive here.' : 'No buffers are alive here.';
      showInstead(el('p', { class: 'empty' }, nothing));
      return;
    }
    const drawn = icicleCells(context, tree, top, width);
    const deepest = drawn.reduce((most, cell) => Math.max(most, Number(cell.dataset.depth)), 0);
    cells.style.height = `${(deepest + 1) * LEVEL_HEIGHT}px`;
    const focused = cells.contains(document.activeElement);
    cells.replaceChildren(...drawn);
    const first = cells.querySelector<HTMLElement>('button');
    if (first) first.tabIndex = 0;
    if (focused) first?.focus();
    markHovered(dataset, state, cells);
  }

  function showInstead(words: HTMLElement): void {
    cells.style.height = 'auto';
    cells.replaceChildren(words);
  }

  function drawNote(state: State): void {
    const hasPadding = cells.querySelector('.icicle-padding') !== null;
    const parts = lacksExpression(state) ? [] : noteParts(dataset, state, tree.bytes, hasPadding);
    note.textContent = parts.join(' ');
    note.hidden = parts.length === 0;
  }

  followKeys(cells, actions.drillUp);
  const stop = onResize(element, () => {
    const now = cells.clientWidth;
    if (now === width) return;
    width = now;
    draw();
  });

  return {
    element,
    update(state, previous) {
      expression.update(state);
      if (DRAWN_BY.some((key) => state[key] !== previous[key])) draw();
      else if (state.hovered !== previous.hovered) markHovered(dataset, state, cells);
    },
    destroy() {
      expression.destroy();
      stop();
    },
  };
};

function kindButton({ actions }: ViewContext, kind: string, word: string): HTMLButtonElement {
  const button = el('button', { type: 'button', class: 'choice', 'data-kind': kind }, word);
  button.addEventListener('click', () => actions.groupBy(kind));
  return button;
}

function noteParts(dataset: Dataset, state: State, bytes: number, hasPadding: boolean): string[] {
  const parts: string[] = [];
  if (hasPadding) parts.push('Dotted: padding.');
  if (state.window === null) {
    const point = shownPoint(dataset, state);
    const shared = bytes - (dataset.usage[point]! - dataset.scoped[point]!);
    if (shared > 0)
      parts.push(
        `Groups add up to ${formatBytes(shared)} more than the usage, because some buffers here share addresses.`,
      );
    if (dataset.scoped[point]! > 0)
      parts.push(`${formatBytes(dataset.scoped[point]!)} of scoped memory belong to no buffer and no group.`);
  }
  return parts;
}

/** Keys move the focus among the cells, or lead to the group around. */
function followKeys(cells: HTMLElement, drillUp: () => void): void {
  cells.addEventListener('keydown', (event) => {
    const from = event.target;
    if (!(from instanceof HTMLElement)) return;
    if (event.key === 'Backspace') drillUp();
    else if (!moveFocus(cells, from, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  });
}
