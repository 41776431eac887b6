// Every module of a run with its peak in every memory space; shown first when no module is selected.

import type { ModulesAnswer } from '../../generated/contract';
import { counted } from '../../lib/text';
import { cannotBeRead } from '../../model/module_list';
import { moduleColumns, type SpaceColumn, spaceOf } from '../../model/table/modules';
import { type SortOrder, sortRows, type TableColumn, tableCsv } from '../../model/table/table';
import { el } from '../shared/dom';
import { download, fileName } from '../shared/download';
import { VirtualGrid } from '../shared/grid';
import { nameCell, peakCell } from './cells';
import { type ChooseModule, hostStrip } from './hosts';

export interface ModulesTableOptions {
  readonly answer: ModulesAnswer;
  readonly choose: ChooseModule;
}

export interface ModulesTable {
  readonly element: HTMLElement;
  /** Takes in what has been decoded since; search and order stay. */
  update(answer: ModulesAnswer): void;
  destroy(): void;
}

const MOST_HEIGHT_ROWS = 22;

export function makeModulesTable({ answer: first, choose }: ModulesTableOptions): ModulesTable {
  let answer = first;
  let { modules } = answer;
  let columns = moduleColumns(answer);
  /** As a person has chosen it; the largest peak of the first memory space comes first until then. */
  let chosenOrder: SortOrder | null = null;
  let order = firstOrder();
  let rows: Uint32Array = new Uint32Array();
  const filter = makeFilter();
  const count = el('span', { class: 'table-count', 'aria-live': 'polite' });
  const pending = el('span', { class: 'hint' });
  const csv = el('button', { type: 'button', class: 'quiet' }, 'CSV');
  const empty = el('p', { class: 'empty', hidden: true });
  const grid = new VirtualGrid({
    id: 'module-grid',
    label: 'Modules',
    content: (row, column, trim) => {
      if (isSpace(column)) return peakCell(modules[row]!, column);
      return column.key === 'module' ? nameCell(modules[row]!, trim) : null;
    },
    hover: () => undefined,
    open: (row) => {
      const module = modules[row]!;
      const sorted = columns.filter(isSpace).find((column) => column.key === order.key);
      const space = (sorted === undefined ? null : spaceOf(module, sorted.space)) ?? module.spaces[0];
      if (!cannotBeRead(module)) choose(module.module, space?.space ?? null);
    },
    reorder: (next) => {
      chosenOrder = next;
      order = next;
      show();
    },
  });
  const hosts = el('div', { class: 'spot' });
  const element = el(
    'section',
    { class: 'panel modules-table', 'aria-label': 'Modules' },
    el('div', { class: 'panel-head' }, el('h2', {}, 'Modules'), filter, count, pending, csv),
    grid.element,
    empty,
    hosts,
  );

  function firstOrder(): SortOrder {
    const space = columns.find(isSpace);
    return { key: space?.key ?? 'module', descending: space !== undefined };
  }

  function show(): void {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const kept = modules.flatMap((module, row) =>
      words.every((word) => module.module.toLowerCase().includes(word)) ? [row] : [],
    );
    const column = columns.find((one) => one.key === order.key) ?? columns[0]!;
    rows = sortRows(Uint32Array.from(kept), column, order.descending);
    grid.element.style.height = `${Math.min(rows.length, MOST_HEIGHT_ROWS) * 28 + 36}px`;
    grid.show(
      columns.filter(({ shown }) => shown),
      rows,
      order,
    );
    count.textContent = counted(rows.length, 'module');
    const waiting = modules.filter((module) => !module.decoded).length;
    pending.hidden = waiting === 0;
    pending.textContent = waiting === 0 ? '' : `${counted(waiting, 'module')} not read yet`;
    hosts.replaceChildren(...[hostStrip(answer, choose)].filter((strip) => strip !== null));
    grid.element.hidden = rows.length === 0;
    empty.hidden = rows.length > 0;
    empty.textContent =
      modules.length === 0 ? 'This run has no modules.' : `No module name contains “${filter.value}”.`;
  }

  filter.addEventListener('input', show);
  csv.addEventListener('click', () =>
    download(fileName([answer.run, 'modules'], 'csv'), tableCsv(columns, rows), 'text/csv;charset=utf-8'),
  );
  show();
  return {
    element,
    update(next) {
      if (next === answer) return;
      answer = next;
      modules = answer.modules;
      columns = moduleColumns(answer);
      order = chosenOrder ?? firstOrder();
      show();
    },
    destroy: () => grid.destroy(),
  };
}

function isSpace(column: TableColumn): column is SpaceColumn {
  return 'space' in column;
}

function makeFilter(): HTMLInputElement {
  const filter = el('input', {
    type: 'search',
    class: 'filter',
    id: 'module-filter',
    placeholder: 'Search modules',
    'aria-label': 'Search modules by name',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  // Keys typed here are text, none of the page's commands.
  filter.addEventListener('keydown', (event) => event.stopPropagation());
  return filter;
}
