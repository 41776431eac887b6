// Parts of the table of buffers: its menu of columns, its cells and its words.

import { groupDigits } from '../../lib/bytes';
import { shortenMiddle } from '../../lib/text';
import type { Dataset } from '../../model/dataset';
import { shownPoint } from '../../model/selection';
import type { TableColumn } from '../../model/table/table';
import type { State } from '../../state/state';
import { bufferColor } from '../shared/buffer_color';
import { el } from '../shared/dom';
import type { Trim } from '../shared/grid';
import { closeWhenLeft } from '../shared/menu';

/** Pixels that the color takes beside a name. */
const SWATCH = 18;

export function nameCell(dataset: Dataset, row: number, trim: Trim): Node {
  const swatch = el('span', { class: 'swatch', style: `background-color:${bufferColor(dataset, row)}` });
  const name = trim(dataset.name(row), shortenMiddle, SWATCH);
  return el('span', { class: 'buffer-name' }, swatch, el('span', { class: 'buffer-name-text' }, name));
}

/** Which buffers are meant, where not all are. */
export function hereText(dataset: Dataset, state: State): string {
  if (state.window !== null) return state.within ? 'Allocated within' : 'Alive throughout';
  return `Alive at ${state.point === null ? 'the peak' : `point ${groupDigits(shownPoint(dataset, state))}`}`;
}

/** Why no row is there. */
export function emptyText(dataset: Dataset, state: State, everything: boolean): string {
  if (dataset.count === 0) return 'This memory space has no buffers.';
  if (state.filter !== '') return `No buffer ${everything ? '' : 'here '}matches “${state.filter}”.`;
  return everything
    ? 'This group has no buffers.'
    : 'No buffer of this group is alive here. “All buffers” shows the whole program.';
}

export function columnMenu(columns: readonly TableColumn[], shown: Set<string>, changed: () => void): HTMLElement {
  const boxes = columns.map((column, at) => {
    const box = el('input', { type: 'checkbox', checked: shown.has(column.key), disabled: at === 0 });
    box.addEventListener('change', () => {
      if (box.checked) shown.add(column.key);
      else shown.delete(column.key);
      changed();
    });
    return el('label', { class: 'menu-entry', title: column.help }, box, column.label);
  });
  const menu = el(
    'details',
    { class: 'menu' },
    el('summary', { class: 'quiet' }, 'Columns'),
    el('div', { class: 'menu-list', tabindex: -1 }, ...boxes),
  );
  closeWhenLeft(menu);
  return menu;
}
