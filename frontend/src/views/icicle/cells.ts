// Cells of the icicle: groups in levels, below the innermost its buffers.

import { exactBytes, formatBytes, formatPercent } from '../../lib/bytes';
import { groupColor } from '../../lib/palette';
import { counted, shortenMiddle } from '../../lib/text';
import type { Dataset } from '../../model/dataset';
import { layoutBuffers } from '../../model/groups/buffers';
import { pathOf } from '../../model/groups/group';
import { type Cell, type GroupNode, layoutIcicle } from '../../model/groups/tree';
import { keptRows } from '../../model/selection';
import type { State } from '../../state/state';
import { bufferColor } from '../shared/buffer_color';
import { el } from '../shared/dom';
import type { ViewContext } from '../shared/view';

export const LEVEL_HEIGHT = 28;
const MOST_LEVELS = 6;
const LEAST_WIDTH = 4;
const NARROW = 12;
const LETTER = 6.6;

/** The cells below a group, of a tree of all groups; those of its buffers where it has no groups in it. */
export function icicleCells(context: ViewContext, tree: GroupNode, top: GroupNode, width: number): HTMLElement[] {
  const levels = Math.min(MOST_LEVELS, top.levels);
  const cells = layoutIcicle(top, levels, LEAST_WIDTH / width).map((cell) =>
    groupCell(context, cell, tree.bytes, width),
  );
  return top.children.length > 0 ? cells : [...cells, ...bufferCells(context, width)];
}

/** A group, or the gathered small ones of its level. `whole` are the bytes of all groups. */
function groupCell(context: ViewContext, cell: Cell, whole: number, width: number): HTMLElement {
  const { current, actions } = context;
  const { node } = cell;
  if (cell.gathered > 0) {
    const title = `${counted(cell.gathered, 'smaller group')}: ${formatBytes(cell.bytes)}`;
    return place(el('div', { class: 'icicle-cell gathered', title }), cell, cell.depth, width);
  }
  const root = node.path.length === 0;
  const name = root ? 'All' : node.name;
  const padding = node.bytes - node.unpadded;
  const title = [
    root ? 'All groups' : node.path.join(' / '),
    `${formatBytes(node.bytes)} (${exactBytes(node.bytes)}), ${formatPercent(node.bytes, whole)} of the live buffers`,
    counted(node.count, 'buffer'),
    `${formatBytes(padding)} padding`,
  ].join('\n');
  const button = cellButton(name, node.bytes, (cell.right - cell.left) * width, title);
  button.style.setProperty('--cell', root ? 'var(--muted)' : groupColor(node.name));
  if (padding > 0.01 * node.bytes)
    button.append(el('span', { class: 'icicle-padding', style: `width:${(100 * padding) / node.bytes}%` }));
  button.dataset.path = JSON.stringify(node.path);
  const here = node.path.length === current.state.groupPath.length;
  button.addEventListener('click', () => actions.drill(here ? node.path.slice(0, -1) : node.path));
  return place(button, cell, cell.depth, width);
}

/** The buffers of the chosen group, which has no groups in it. */
function bufferCells(context: ViewContext, width: number): HTMLElement[] {
  const { current, dataset } = context;
  const kept = keptRows(dataset, current.state);
  return layoutBuffers(dataset, kept, LEAST_WIDTH / width).map(({ row, left, right, gathered, bytes }) => {
    if (row === null) {
      const title = `${counted(gathered, 'smaller buffer')}: ${formatBytes(bytes)}`;
      return place(el('div', { class: 'icicle-cell gathered', title }), { left, right }, 1, width);
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
    button.addEventListener('pointerenter', () => context.actions.hover(row));
    button.addEventListener('pointerleave', () => context.actions.hover(null));
    button.addEventListener('click', () => context.actions.togglePin(row));
    return place(button, { left, right }, 1, width);
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

/** Puts a cell at its share of the width. */
function place(
  cell: HTMLElement,
  { left, right }: { readonly left: number; readonly right: number },
  depth: number,
  width: number,
): HTMLElement {
  cell.style.left = `${left * width}px`;
  const room = Math.max(1, (right - left) * width - 1);
  cell.style.width = `${room}px`;
  // Their padding would make narrow cells wider than their share.
  cell.classList.toggle('narrow', room < NARROW);
  cell.style.top = `${depth * LEVEL_HEIGHT}px`;
  cell.dataset.depth = String(depth);
  return cell;
}

/** Marks the hovered buffer, and the groups that hold it. */
export function markHovered(dataset: Dataset, state: State, cells: HTMLElement): void {
  const path = state.hovered === null ? null : pathOf(dataset, state, state.hovered);
  for (const cell of cells.querySelectorAll<HTMLElement>('[data-path]')) {
    const own = JSON.parse(cell.dataset.path!) as string[];
    cell.classList.toggle('holds', path !== null && own.length > 0 && own.every((name, depth) => path[depth] === name));
  }
  for (const cell of cells.querySelectorAll<HTMLElement>('[data-row]'))
    cell.classList.toggle('holds', Number(cell.dataset.row) === state.hovered);
}
