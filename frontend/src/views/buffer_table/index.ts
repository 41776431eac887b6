// The table of buffers: alive here or all, filtered, sorted, with the columns that the person chose, and as CSV.

import { formatBytes, groupDigits } from '../../lib/bytes';
import { counted, shortenMiddle } from '../../lib/text';
import { rowsInGroup } from '../../model/groups/group';
import { SHOWN_BY, shownPoint, shownRows } from '../../model/selection';
import { bufferColumns } from '../../model/table/buffers';
import { type SortOrder, sortRows, type TableColumn, tableCsv } from '../../model/table/table';
import type { State } from '../../state/state';
import { bufferColor } from '../shared/buffer_color';
import { el, setAttributes } from '../shared/dom';
import { download, fileName } from '../shared/download';
import { type Trim, VirtualGrid } from '../shared/grid';
import { closeWhenLeft } from '../shared/menu';
import type { MakeView } from '../shared/view';

/** What a person chose of the table outlives the module that it was chosen for. */
const remembered: { everything: boolean; order: SortOrder; shown: Set<string> | null } = {
  everything: false,
  order: { key: 'bytes', descending: true },
  shown: null,
};

const TYPING_PAUSE_MS = 150;
/** Pixels that the color takes beside a name. */
const SWATCH = 18;

export const makeBufferTable: MakeView = ({ store, dataset }) => {
  const columns = bufferColumns(dataset);
  remembered.shown ??= new Set(columns.filter((column) => column.shown).map((column) => column.key));
  const shown = remembered.shown;
  let rows: Uint32Array = new Uint32Array();

  const here = el('button', { type: 'button', class: 'choice' }, 'Alive here');
  const all = el('button', { type: 'button', class: 'choice' }, 'All buffers');
  const filter = el('input', {
    type: 'search',
    id: 'filter',
    class: 'filter',
    placeholder: 'Filter: text or /expression/',
    'aria-label': 'Filter buffers by text or /regular expression/',
    'aria-describedby': 'filter-problem',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const problem = el('div', { class: 'problem-line', id: 'filter-problem', role: 'status' });
  const chip = el('button', { type: 'button', class: 'chip', title: 'Show every group again' });
  const count = el('span', { class: 'table-count', 'aria-live': 'polite' });
  const csv = el('button', { type: 'button', class: 'quiet', id: 'table-csv' }, 'CSV');
  const empty = el('p', { class: 'empty', hidden: true });
  const grid = new VirtualGrid({
    id: 'buffer-grid',
    label: 'Buffers',
    content: (row, column, trim) => (column.key === 'name' ? nameCell(row, trim) : null),
    hover: (row) => store.set({ hovered: row }),
    open: (row) => store.set({ pinned: store.state.pinned === row ? null : row }),
    reorder: (order) => {
      remembered.order = order;
      show();
    },
  });
  const element = el(
    'section',
    { class: 'panel buffer-table', 'aria-label': 'Buffer table' },
    el(
      'div',
      { class: 'panel-head' },
      el('h2', {}, 'Buffers'),
      el('div', { class: 'choices-row', role: 'group', 'aria-label': 'Which buffers' }, here, all),
      filter,
      chip,
      count,
      el(
        'div',
        { class: 'buttons' },
        columnMenu(columns, shown, () => show()),
        csv,
      ),
    ),
    problem,
    grid.element,
    empty,
  );

  function nameCell(row: number, trim: Trim): Node {
    const swatch = el('span', { class: 'swatch', style: `background-color:${bufferColor(dataset, row)}` });
    const name = trim(dataset.name(row), shortenMiddle, SWATCH);
    return el('span', { class: 'buffer-name' }, swatch, el('span', { class: 'buffer-name-text' }, name));
  }

  function candidates(state: State): Int32Array {
    if (!remembered.everything) return shownRows(dataset, state);
    return Int32Array.from({ length: dataset.count }, (_, row) => row).filter((row) => dataset.represents[row] === 1);
  }

  function show(): void {
    const { state } = store;
    const group = rowsInGroup(dataset, state);
    const kept = candidates(state).filter(
      (row) => (group === null || group[row] === 1) && (state.filterRows === null || state.filterRows[row] === 1),
    );
    const chosen = columns.filter((column) => shown.has(column.key));
    const sortColumn = columns.find((column) => column.key === remembered.order.key)!;
    rows = sortRows(Uint32Array.from(kept), sortColumn, remembered.order.descending);
    grid.show(chosen, rows, remembered.order);
    grid.mark(state.pinned, state.hovered);
    describe(state);
  }

  function describe(state: State): void {
    const bytes = rows.reduce((sum, row) => sum + dataset.size[row]!, 0);
    // Over the whole program buffers take each other's place: no one shall take their sum for what is in use.
    const everything = remembered.everything;
    count.textContent = `${counted(rows.length, 'buffer')}, ${formatBytes(bytes)}${everything ? ' in sum' : ''}`;
    count.title = everything ? 'Sizes added up over the whole program: they need not be alive at once.' : '';
    setAttributes(here, { 'aria-pressed': String(!remembered.everything) });
    setAttributes(all, { 'aria-pressed': String(remembered.everything) });
    here.textContent = hereText(state);
    chip.hidden = state.groupPath.length === 0;
    chip.textContent = `${state.groupPath.join(' / ')} ✕`;
    problem.textContent = state.filterProblem ?? '';
    empty.hidden = rows.length > 0;
    grid.element.hidden = rows.length === 0;
    empty.textContent = emptyText(state);
  }

  function hereText(state: State): string {
    if (state.window !== null) return state.within ? 'Allocated within' : 'Alive throughout';
    return `Alive at ${state.point === null ? 'the peak' : `point ${groupDigits(shownPoint(dataset, state))}`}`;
  }

  function emptyText(state: State): string {
    if (dataset.count === 0) return 'This memory space holds no buffers.';
    if (state.filter !== '') return `No buffer ${remembered.everything ? '' : 'here '}matches “${state.filter}”.`;
    return remembered.everything
      ? 'No buffer is in this group.'
      : 'No buffer of this group is alive here. “All buffers” looks at the whole program.';
  }

  function choose(everything: boolean): void {
    remembered.everything = everything;
    show();
  }

  let pause: ReturnType<typeof setTimeout> | undefined;
  filter.addEventListener('input', () => {
    clearTimeout(pause);
    pause = setTimeout(() => store.set({ filter: filter.value }), TYPING_PAUSE_MS);
  });
  // Keys typed here are text, none of the page's commands.
  filter.addEventListener('keydown', (event) => event.stopPropagation());
  here.addEventListener('click', () => choose(false));
  all.addEventListener('click', () => choose(true));
  chip.addEventListener('click', () => store.set({ groupPath: [] }));
  csv.addEventListener('click', () => {
    const text = tableCsv(columns, rows);
    download(fileName([dataset.answer.name, dataset.answer.space, 'buffers'], 'csv'), text, 'text/csv;charset=utf-8');
  });
  filter.value = store.state.filter;
  show();

  return {
    element,
    update(state, previous) {
      if (document.activeElement !== filter) filter.value = state.filter;
      const moved = SHOWN_BY.some((key) => state[key] !== previous[key]);
      const narrowed =
        state.group !== previous.group ||
        state.groupPath !== previous.groupPath ||
        state.instructionNames !== previous.instructionNames ||
        state.filterRows !== previous.filterRows ||
        state.filterProblem !== previous.filterProblem;
      if (narrowed || (moved && !remembered.everything)) show();
      else grid.mark(state.pinned, state.hovered);
      // A buffer pinned elsewhere is looked up here; one pinned by a click in the table is in view already.
      if (state.pinned !== null && state.pinned !== previous.pinned) grid.reveal(state.pinned);
    },
    destroy() {
      clearTimeout(pause);
      grid.destroy();
    },
  };
};

function columnMenu(columns: readonly TableColumn[], shown: Set<string>, changed: () => void): HTMLElement {
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
