// The table of buffers: alive here or all, filtered, sorted, with selectable columns, and as CSV.

import type { Dataset } from '../../model/dataset';
import { rowsInGroup } from '../../model/groups/group';
import { SHOWN_BY, shownRows } from '../../model/selection';
import { bufferColumns, csvColumns } from '../../model/table/buffers';
import { type SortOrder, sortRows, tableCsv } from '../../model/table/table';
import type { State } from '../../state/state';
import { el, focusOn } from '../shared/dom';
import { download, fileName } from '../shared/download';
import { VirtualGrid } from '../shared/grid';
import type { View, ViewContext } from '../shared/view';
import { makeTableHead } from './head';
import { columnMenu, emptyText, nameCell } from './parts';

/** What a person chose of the table outlives the module that it was chosen for. */
const remembered: { everything: boolean; order: SortOrder; shown: Set<string> | null } = {
  everything: false,
  order: { key: 'bytes', descending: true },
  shown: null,
};

/** What of the state chooses among the rows, whichever are meant. */
const NARROWED_BY: readonly (keyof State)[] = ['group', 'groupPath', 'instructionNames', 'filterRows', 'filterProblem'];

export interface BufferTable extends View {
  focusFilter(): void;
}

export function makeBufferTable(context: ViewContext): BufferTable {
  const { current, dataset, actions } = context;
  const columns = bufferColumns(dataset);
  remembered.shown ??= new Set(columns.filter((column) => column.shown).map((column) => column.key));
  const shown = remembered.shown;
  let rows: Uint32Array = new Uint32Array();
  const csv = el('button', { type: 'button', class: 'quiet', id: 'table-csv' }, 'CSV');
  csv.addEventListener('click', () => {
    const text = tableCsv(csvColumns(dataset), rows);
    download(fileName([dataset.answer.name, dataset.answer.space, 'buffers'], 'csv'), text, 'text/csv;charset=utf-8');
  });
  const menu = columnMenu(columns, shown, () => show());
  const head = makeTableHead(
    context,
    (everything) => {
      remembered.everything = everything;
      show();
    },
    [menu, csv],
  );
  const problem = el('div', { class: 'problem-line', id: 'filter-problem', role: 'status' });
  const empty = el('p', { class: 'empty', hidden: true });
  const grid = new VirtualGrid({
    id: 'buffer-grid',
    label: 'Buffers',
    content: (row, column, trim) => (column.key === 'name' ? nameCell(dataset, row, trim) : null),
    hover: actions.hover,
    open: actions.togglePin,
    reorder: (order) => {
      remembered.order = order;
      show();
    },
  });
  const attributes = { class: 'panel buffer-table', 'aria-label': 'Buffer table' };
  const element = el('section', attributes, head.element, problem, grid.element, empty);

  function show(): void {
    const { state } = current;
    const { everything, order } = remembered;
    const group = rowsInGroup(dataset, state);
    const kept = candidates(dataset, state).filter(
      (row) => (group === null || group[row] === 1) && (state.filterRows === null || state.filterRows[row] === 1),
    );
    const sortColumn = columns.find((column) => column.key === order.key)!;
    rows = sortRows(Uint32Array.from(kept), sortColumn, order.descending);
    const chosen = columns.filter((column) => shown.has(column.key));
    grid.show(chosen, rows, order);
    grid.mark(state.pinned, state.hovered);
    head.show(state, rows, everything);
    problem.textContent = state.filterProblem ?? '';
    empty.hidden = rows.length > 0;
    grid.element.hidden = rows.length === 0;
    empty.textContent = emptyText(dataset, state, everything);
  }

  show();
  return {
    element,
    focusFilter: () => focusOn(head.filter.element),
    update(state, previous) {
      head.filter.update(state);
      const changed = (keys: readonly (keyof State)[]): boolean => keys.some((key) => state[key] !== previous[key]);
      if (changed(NARROWED_BY) || (changed(SHOWN_BY) && !remembered.everything)) show();
      else grid.mark(state.pinned, state.hovered);
      // A buffer pinned elsewhere is looked up here; one pinned by a click in the table is in view already.
      if (state.pinned !== null && state.pinned !== previous.pinned) grid.reveal(state.pinned);
    },
    destroy() {
      head.filter.destroy();
      grid.destroy();
    },
  };
}

/** Rows before group and filter choose among them. */
function candidates(dataset: Dataset, state: State): Int32Array {
  if (!remembered.everything) return shownRows(dataset, state);
  return Int32Array.from({ length: dataset.count }, (_, row) => row).filter((row) => dataset.represents[row] === 1);
}
