// Where the memory goes: the buffers of the selection grouped by what a person asks about, as an icicle to drill into.
// The group that is drilled into filters everything else on the page.

import { GROUPINGS } from '../../generated/vocabulary';
import { exactBytes, formatBytes, formatPercent } from '../../lib/bytes';
import { colorOf } from '../../lib/palette';
import { counted, shortenMiddle } from '../../lib/text';
import { layoutBuffers } from '../../model/groups/buffers';
import { groupTree, lacksExpression, pathOf } from '../../model/groups/group';
import { type Cell, depthOf, type GroupNode, layoutIcicle, nodeAt } from '../../model/groups/tree';
import { KEPT_BY, shownPoint, shownRows } from '../../model/selection';
import type { GroupBy, State } from '../../state/state';
import { bufferColor } from '../shared/buffer_color';
import { el, onResize, setAttributes } from '../shared/dom';
import type { MakeView } from '../shared/view';
import { moveFocus } from './focus';

const MOST_LEVELS = 6;
const LEVEL_HEIGHT = 28;
const LEAST_WIDTH = 4;
const NARROW = 12;
const LETTER = 6.6;
const TYPING_PAUSE_MS = 250;
const EXAMPLE = 'layer_(\\d+)';

const DRAWN_BY: readonly (keyof State)[] = [...KEPT_BY, 'expressionProblem'];

export const makeIcicle: MakeView = ({ store, dataset }) => {
  const kinds = (Object.keys(GROUPINGS) as GroupBy[]).map((kind) => kindButton(kind));
  const expression = el('input', {
    type: 'text',
    class: 'filter',
    id: 'expression',
    placeholder: EXAMPLE,
    'aria-label': 'Regular expression: its first group names the groups',
    'aria-describedby': 'expression-problem',
    title: 'Matched against instruction, framework op, source and opcode. The first group in brackets names the group.',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const problem = el('div', { class: 'problem-line', id: 'expression-problem', role: 'status' });
  const crumbs = el('nav', { class: 'crumbs', 'aria-label': 'Chosen group' });
  const note = el('p', { class: 'hint icicle-note' });
  const cells = el('div', {
    class: 'icicle-cells',
    role: 'group',
    'aria-label': 'Groups, outermost on top. Arrow keys move, Enter drills down, Backspace goes up.',
  });
  const element = el(
    'section',
    { class: 'panel icicle', 'aria-label': 'Where it goes' },
    el(
      'div',
      { class: 'panel-head' },
      el('h2', {}, 'Where it goes'),
      el('div', { class: 'choices-row', role: 'group', 'aria-label': 'Group by' }, ...kinds),
      expression,
    ),
    problem,
    crumbs,
    cells,
    note,
  );
  let width = 0;
  let tree: GroupNode = groupTree(dataset, store.state, new Int32Array());
  let pause: ReturnType<typeof setTimeout> | undefined;

  function kindButton(kind: GroupBy): HTMLButtonElement {
    const button = el('button', { type: 'button', class: 'choice', 'data-kind': kind }, GROUPINGS[kind].word);
    button.addEventListener('click', () => {
      if (store.state.group !== kind) store.set({ group: kind, groupPath: [] });
    });
    return button;
  }

  function draw(): void {
    const { state } = store;
    for (const button of kinds) setAttributes(button, { 'aria-pressed': String(button.dataset.kind === state.group) });
    expression.hidden = state.group !== 'expression';
    problem.textContent = state.group === 'expression' ? (state.expressionProblem ?? '') : '';
    const rows = shownRows(dataset, state);
    tree = groupTree(dataset, state, rows);
    drawCrumbs(state);
    drawCells(state, rows);
    drawNote(state);
  }

  function drawCrumbs(state: State): void {
    const steps = ['All', ...state.groupPath].map((name, depth) => {
      const path = state.groupPath.slice(0, depth);
      const node = nodeAt(tree, path);
      const last = depth === state.groupPath.length;
      const button = el(
        'button',
        { type: 'button', class: 'crumb', title: name, 'aria-current': last ? 'true' : null },
        shortenMiddle(name, 40),
        el('span', { class: 'crumb-bytes' }, formatBytes(node?.bytes ?? 0)),
      );
      button.addEventListener('click', () => store.set({ groupPath: path }));
      return button;
    });
    crumbs.replaceChildren(
      ...steps.flatMap((step, at) =>
        at === 0 ? [step] : [el('span', { class: 'crumb-gap', 'aria-hidden': 'true' }, '/'), step],
      ),
    );
  }

  function drawCells(state: State, rows: Int32Array): void {
    if (width <= 0) return;
    if (lacksExpression(state)) {
      showInstead(expressionHint());
      return;
    }
    const top = nodeAt(tree, state.groupPath);
    if (top === null || top.count === 0) {
      const nothing = top === null ? 'Nothing of this group is alive here.' : 'Nothing is alive here.';
      showInstead(el('p', { class: 'empty' }, nothing));
      return;
    }
    const levels = Math.min(MOST_LEVELS, depthOf(top));
    const drawn = layoutIcicle(top, levels, LEAST_WIDTH / width).map((cell) => groupCell(cell, state));
    const leaf = top.children.length === 0;
    if (leaf) drawn.push(...bufferCells(top, rows));
    const deepest = drawn.reduce((most, cell) => Math.max(most, Number(cell.dataset.depth)), 0);
    cells.style.height = `${(deepest + 1) * LEVEL_HEIGHT}px`;
    const focused = cells.contains(document.activeElement);
    cells.replaceChildren(...drawn);
    const first = cells.querySelector<HTMLElement>('button');
    if (first) first.tabIndex = 0;
    if (focused) first?.focus();
    markHovered(state);
  }

  function showInstead(words: HTMLElement): void {
    cells.style.height = 'auto';
    cells.replaceChildren(words);
  }

  function groupCell(cell: Cell, state: State): HTMLElement {
    const { node } = cell;
    if (cell.gathered > 0) {
      const title = `${counted(cell.gathered, 'smaller group')}: ${formatBytes(cell.bytes)}`;
      return place(el('div', { class: 'icicle-cell gathered', title }), cell.left, cell.right, cell.depth);
    }
    const root = node.path.length === 0;
    const name = root ? 'All' : node.name;
    const padding = node.bytes - node.unpadded;
    const title = [
      root ? 'All groups' : node.path.join(' / '),
      `${formatBytes(node.bytes)} (${exactBytes(node.bytes)}), ${formatPercent(node.bytes, tree.bytes)} of what is alive here`,
      counted(node.count, 'buffer'),
      `${formatBytes(padding)} padding`,
    ].join('\n');
    const button = cellButton(name, node.bytes, (cell.right - cell.left) * width, title);
    button.style.setProperty('--cell', root ? 'var(--muted)' : colorOf(node.name.replace(/\d+/g, '#')));
    if (padding > 0.01 * node.bytes)
      button.append(el('span', { class: 'icicle-padding', style: `width:${(100 * padding) / node.bytes}%` }));
    button.dataset.path = JSON.stringify(node.path);
    const here = node.path.length === state.groupPath.length;
    button.addEventListener('click', () => store.set({ groupPath: here ? node.path.slice(0, -1) : node.path }));
    return place(button, cell.left, cell.right, cell.depth);
  }

  function bufferCells(node: GroupNode, rows: Int32Array): HTMLElement[] {
    const { state } = store;
    const inside = rows.filter((row) => node.path.every((name, depth) => pathOf(dataset, state, row)[depth] === name));
    return layoutBuffers(dataset, inside, LEAST_WIDTH / width).map(({ row, left, right, gathered, bytes }) => {
      if (row === null) {
        const title = `${counted(gathered, 'smaller buffer')}: ${formatBytes(bytes)}`;
        return place(el('div', { class: 'icicle-cell gathered', title }), left, right, 1);
      }
      const button = cellButton(
        dataset.name(row),
        bytes,
        (right - left) * width,
        `${dataset.name(row)}\n${formatBytes(bytes)}\n${dataset.shapeText(row)}`,
      );
      button.style.setProperty('--cell', bufferColor(dataset, row));
      button.classList.add('buffer');
      button.dataset.row = String(row);
      button.addEventListener('pointerenter', () => store.set({ hovered: row }));
      button.addEventListener('pointerleave', () => store.set({ hovered: null }));
      button.addEventListener('click', () => store.set({ pinned: store.state.pinned === row ? null : row }));
      return place(button, left, right, 1);
    });
  }

  function cellButton(name: string, bytes: number, room: number, title: string): HTMLButtonElement {
    const size = formatBytes(bytes);
    const letters = Math.floor((room - 12) / LETTER);
    const withSize = letters >= size.length + 8;
    const text = letters < 4 ? '' : shortenMiddle(name, withSize ? letters - size.length - 1 : letters);
    return el(
      'button',
      { type: 'button', class: 'icicle-cell', tabindex: -1, title, 'aria-label': `${name}, ${size}` },
      el('span', { class: 'icicle-name' }, text),
      withSize ? el('span', { class: 'icicle-bytes' }, size) : null,
    );
  }

  function place(cell: HTMLElement, left: number, right: number, depth: number): HTMLElement {
    cell.style.left = `${left * width}px`;
    const room = Math.max(1, (right - left) * width - 1);
    cell.style.width = `${room}px`;
    // Their padding would make narrow cells wider than their share.
    cell.classList.toggle('narrow', room < NARROW);
    cell.style.top = `${depth * LEVEL_HEIGHT}px`;
    cell.dataset.depth = String(depth);
    return cell;
  }

  function drawNote(state: State): void {
    const parts: string[] = [];
    if (cells.querySelector('.icicle-padding') !== null) parts.push('Dotted: the share that is padding.');
    if (state.window === null) {
      const point = shownPoint(dataset, state);
      const shared = tree.bytes - (dataset.usage[point]! - dataset.scoped[point]!);
      if (shared > 0)
        parts.push(`Groups add up to ${formatBytes(shared)} more than the usage: some buffers here share addresses.`);
      if (dataset.scoped[point]! > 0)
        parts.push(`${formatBytes(dataset.scoped[point]!)} of scoped memory are nobody’s buffer and in no group.`);
    }
    note.textContent = parts.join(' ');
    note.hidden = parts.length === 0 || lacksExpression(state);
  }

  function markHovered(state: State): void {
    const path = state.hovered === null ? null : pathOf(dataset, state, state.hovered);
    for (const cell of cells.querySelectorAll<HTMLElement>('[data-path]')) {
      const own = JSON.parse(cell.dataset.path!) as string[];
      cell.classList.toggle(
        'holds',
        path !== null && own.length > 0 && own.every((name, depth) => path[depth] === name),
      );
    }
    for (const cell of cells.querySelectorAll<HTMLElement>('[data-row]'))
      cell.classList.toggle('holds', Number(cell.dataset.row) === state.hovered);
  }

  cells.addEventListener('keydown', (event) => {
    const from = event.target;
    if (!(from instanceof HTMLElement)) return;
    if (event.key === 'Backspace') store.set({ groupPath: store.state.groupPath.slice(0, -1) });
    else if (!moveFocus(cells, from, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  });
  expression.addEventListener('keydown', (event) => event.stopPropagation());
  expression.addEventListener('input', () => {
    clearTimeout(pause);
    pause = setTimeout(() => store.set({ expression: expression.value, groupPath: [] }), TYPING_PAUSE_MS);
  });
  expression.value = store.state.expression;
  const stop = onResize(element, () => {
    const now = cells.clientWidth;
    if (now === width) return;
    width = now;
    draw();
  });

  return {
    element,
    update(state, previous) {
      if (document.activeElement !== expression) expression.value = state.expression;
      if (DRAWN_BY.some((key) => state[key] !== previous[key])) draw();
      else if (state.hovered !== previous.hovered) markHovered(state);
    },
    destroy() {
      clearTimeout(pause);
      stop();
    },
  };
};

function expressionHint(): HTMLElement {
  return el(
    'p',
    { class: 'empty' },
    'Type a regular expression above. Buffers of one match are one group, named after what the first brackets match: ',
    el('code', {}, EXAMPLE),
    ' makes a group of each layer_0, layer_1 and so on.',
  );
}
