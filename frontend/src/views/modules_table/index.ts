// Every module of a run with its peak in every memory space: where a person begins when no module is chosen.

import type { ModulesAnswer } from '../../contract';
import { exactBytes, formatBytes, formatPercent } from '../../lib/bytes';
import { counted, shortenMiddle, shortenModule } from '../../lib/text';
import { cannotBeRead } from '../../model/module_list';
import { hostDifferences, moduleColumns, type SpaceColumn, spaceOf } from '../../model/table/modules';
import { type SortOrder, sortRows, type TableColumn, tableCsv } from '../../model/table/table';
import { el } from '../shared/dom';
import { download, fileName } from '../shared/download';
import { type Trim, VirtualGrid } from '../shared/grid';

export interface ModulesTableOptions {
  readonly answer: ModulesAnswer;
  /** Without a space for a module that has not been decoded. */
  choose(module: string, space: string | null): void;
}

export interface ModulesTable {
  readonly element: HTMLElement;
  /** Takes in what has been decoded since; search and order stay. */
  update(answer: ModulesAnswer): void;
  destroy(): void;
}

/** Pixels of the words beside the name of a module that cannot be read. */
const CANNOT_BE_READ = 96;
const MOST_HEIGHT_ROWS = 22;

export function makeModulesTable({ answer: first, choose }: ModulesTableOptions): ModulesTable {
  let answer = first;
  let { modules } = answer;
  let columns = moduleColumns(answer);
  /** As a person has chosen it; the largest peak of the first memory space comes first until then. */
  let chosenOrder: SortOrder | null = null;
  let order = firstOrder();
  let rows: Uint32Array = new Uint32Array();
  const filter = el('input', {
    type: 'search',
    class: 'filter',
    id: 'module-filter',
    placeholder: 'Search modules',
    'aria-label': 'Search modules by name',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const count = el('span', { class: 'table-count', 'aria-live': 'polite' });
  const pending = el('span', { class: 'hint' });
  const csv = el('button', { type: 'button', class: 'quiet' }, 'CSV');
  const empty = el('p', { class: 'empty', hidden: true });
  const grid = new VirtualGrid({
    id: 'module-grid',
    label: 'Modules',
    content: (row, column, trim) => {
      if (isSpace(column)) return peakCell(row, column);
      return column.key === 'module' ? nameCell(row, trim) : null;
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

  function nameCell(row: number, trim: Trim): Node {
    const module = modules[row]!;
    const broken = cannotBeRead(module);
    return el(
      'span',
      {
        class: broken ? 'module-broken' : 'module-name',
        title: module.problems.map((problem) => `${problem.message} ${problem.advice}`).join('\n') || module.module,
      },
      trim(module.module, shortenModule, broken ? CANNOT_BE_READ : 0),
      broken ? el('span', { class: 'hint' }, ' cannot be read') : null,
    );
  }

  function peakCell(row: number, column: SpaceColumn): Node {
    const space = spaceOf(modules[row]!, column.space);
    if (space === null) return el('span', { class: 'hint' }, modules[row]!.decoded ? '–' : '…');
    const capacity = space.capacity_bytes;
    const over = capacity !== null && space.required_bytes > capacity;
    const title = [
      `peak ${exactBytes(space.peak_bytes)}`,
      `required ${formatBytes(space.required_bytes)}`,
      capacity === null ? null : `${formatPercent(space.required_bytes, capacity)} of ${formatBytes(capacity)}`,
    ];
    return el(
      'span',
      { class: over ? 'peak-cell over' : 'peak-cell', title: title.filter(Boolean).join('\n') },
      el(
        'span',
        { class: 'peak-track' },
        el('span', {
          class: 'peak-bar',
          style: `width:${(100 * space.peak_bytes) / column.largest}%;background-color:var(--${over ? 'bad' : 'usage'})`,
        }),
      ),
      el('span', { class: 'peak-text' }, formatBytes(space.peak_bytes)),
    );
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
    pending.textContent = waiting === 0 ? '' : `${counted(waiting, 'module')} still to be read`;
    hosts.replaceChildren(...[hostStrip(answer, choose)].filter((strip) => strip !== null));
    grid.element.hidden = rows.length === 0;
    empty.hidden = rows.length > 0;
    empty.textContent =
      modules.length === 0 ? 'This run holds no modules.' : `No module has “${filter.value}” in its name.`;
  }

  filter.addEventListener('input', show);
  filter.addEventListener('keydown', (event) => event.stopPropagation());
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

/** The same program on several hosts, where it does not cost the same: something differs that should not. */
function hostStrip(answer: ModulesAnswer, choose: ModulesTableOptions['choose']): HTMLElement | null {
  const differences = hostDifferences(answer);
  if (differences.length === 0) return null;
  const items = differences.map(({ name, rows }) =>
    el(
      'div',
      { class: 'host-strip' },
      el('b', {}, shortenMiddle(name, 40)),
      ...rows.map((row) => {
        const module = answer.modules[row]!;
        const space = module.spaces[0] ?? null;
        const button = el(
          'button',
          { type: 'button', class: 'buffer-link', title: module.module },
          `${shortenMiddle(module.hosts.join(', '), 40)}: ${space === null ? 'cannot be read' : `${space.space} ${formatBytes(space.peak_bytes)}`}`,
        );
        if (space !== null) button.addEventListener('click', () => choose(module.module, space.space));
        return button;
      }),
    ),
  );
  return el('div', { class: 'host-strips' }, el('h3', {}, 'Differs between hosts'), ...items);
}
