/**
 * Tables as pure functions: columns, order of rows, the rows in view of a long table, CSV. A row is a number that columns know how
 * to read; nothing here knows what the rows are, nor the DOM.
 */
import { type Cell, csvText } from './csv';

export interface TableColumn {
  /** Stable name, used in links and as the CSV header. */
  readonly key: string;
  readonly label: string;
  /** One sentence that says what the column holds. */
  readonly help: string;
  readonly align: 'start' | 'end';
  /** Width in pixels before anything is known of the screen. */
  readonly width: number;
  /** Where there is too little room, it may be as narrow as this. */
  readonly least?: number;
  /** Takes its part of the room that is left over. */
  readonly stretch?: boolean;
  /** Where a text too long for its cell is cut; in the middle unless this says otherwise. */
  readonly cut?: 'start';
  /** Shown in the fixed-width type. */
  readonly mono?: boolean;
  /** Shown unless the user chooses otherwise. */
  readonly shown: boolean;
  /** What is read in the cell. */
  text(row: number): string;
  /** What rows are ordered by; null comes last in both directions. */
  sortKey(row: number): number | string | null;
  /** What is written to CSV: exact, never rounded. */
  csv(row: number): Cell;
}

/** Widths of columns in so much room: some may give way, some share what is left by their widths. */
export function columnWidths(columns: readonly TableColumn[], room: number): number[] {
  const wanted = columns.reduce((sum, { width }) => sum + width, 0);
  const slack = columns.reduce((sum, { width, least }) => sum + width - (least ?? width), 0);
  const share = slack === 0 ? 0 : Math.max(0, Math.min(1, (wanted - room) / slack));
  const elastic = columns.reduce((sum, { width, stretch }) => sum + (stretch ? width : 0), 0);
  const growth = elastic === 0 ? 0 : Math.max(0, room - wanted) / elastic;
  return columns.map(({ width, least, stretch }) =>
    Math.floor(width - share * (width - (least ?? width)) + (stretch ? growth * width : 0)),
  );
}

export interface SortOrder {
  readonly key: string;
  readonly descending: boolean;
}

/** Rows in order of a column; rows that are equal in it keep their order. */
export function sortRows(rows: Uint32Array, column: TableColumn, descending: boolean): Uint32Array {
  const keys = Array.from(rows, (row) => column.sortKey(row));
  const ranks = keys.some((key) => typeof key === 'string')
    ? textRanks(keys)
    : Float64Array.from(keys, (key) => (key === null ? NaN : (key as number)));
  const sign = descending ? -1 : 1;
  const places = Uint32Array.from(rows.keys()).sort((a, b) => {
    const left = ranks[a] as number;
    const right = ranks[b] as number;
    if (Number.isNaN(left) || Number.isNaN(right))
      return Number(Number.isNaN(left)) - Number(Number.isNaN(right)) || a - b;
    return sign * (left - right) || a - b;
  });
  return places.map((place) => rows[place] as number);
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Each text's place among the distinct texts, numbers inside them compared as numbers, so that texts are compared once only. */
function textRanks(keys: readonly (number | string | null)[]): Float64Array {
  const distinct = [...new Set(keys)].filter((key) => key !== null).map(String);
  distinct.sort(collator.compare);
  const rank = new Map(distinct.map((text, place) => [text, place]));
  return Float64Array.from(keys, (key) => (key === null ? NaN : (rank.get(String(key)) as number)));
}

/** Rows [first, last) of a long table that the screen needs, with some to spare above and below. */
export function rowsInView(
  scrollTop: number,
  viewHeight: number,
  rowHeight: number,
  count: number,
  spare = 8,
): { first: number; last: number } {
  const first = Math.max(0, Math.min(count, Math.floor(scrollTop / rowHeight) - spare));
  const last = Math.min(count, Math.ceil((scrollTop + viewHeight) / rowHeight) + spare);
  return { first, last: Math.max(first, last) };
}

/** How far to scroll so that a row is in view whole; the same place when it is already. */
export function scrollTo(row: number, scrollTop: number, viewHeight: number, rowHeight: number): number {
  const top = row * rowHeight;
  if (top < scrollTop) return top;
  return top + rowHeight > scrollTop + viewHeight ? top + rowHeight - viewHeight : scrollTop;
}

/** What a column is to a file. */
export type CsvSource = Pick<TableColumn, 'key' | 'csv'>;

export function tableCsv(columns: readonly CsvSource[], rows: Iterable<number>): string {
  function* cells(): Generator<Cell[]> {
    for (const row of rows) yield columns.map((column) => column.csv(row));
  }
  return csvText(
    columns.map((column) => column.key),
    cells(),
  );
}

/** The next order after a click on a column's head: largest first for numbers, A first for texts, then the other way round. */
export function nextOrder(order: SortOrder, column: TableColumn): SortOrder {
  if (order.key === column.key) return { key: column.key, descending: !order.descending };
  return { key: column.key, descending: column.align === 'end' };
}
