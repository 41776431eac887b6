/** Order, view and CSV of tables. */
import { describe, expect, it } from 'vitest';
import {
  columnWidths,
  nextOrder,
  rowsInView,
  scrollTo,
  sortRows,
  type TableColumn,
  tableCsv,
} from '../../../src/model/table/table';

function column(values: readonly (number | string | null)[], align: 'start' | 'end' = 'end'): TableColumn {
  return {
    key: 'value',
    label: 'Value',
    help: '',
    align,
    width: 10,
    shown: true,
    text: (row) => String(values[row]),
    sortKey: (row) => values[row] ?? null,
    csv: (row) => values[row] ?? null,
  };
}

const rows = (count: number): Uint32Array => Uint32Array.from({ length: count }, (_, row) => row);

describe('sorting', () => {
  it('orders numbers and keeps equal rows in order, both ways', () => {
    const values = column([5, 1, 5, 3]);
    expect([...sortRows(rows(4), values, false)]).toEqual([1, 3, 0, 2]);
    expect([...sortRows(rows(4), values, true)]).toEqual([0, 2, 3, 1]);
  });

  it('orders texts with numbers inside as a person would', () => {
    expect([...sortRows(rows(3), column(['fusion.10', 'fusion.9', 'Copy'], 'start'), false)]).toEqual([2, 1, 0]);
  });

  it('puts what is absent last both ways', () => {
    const values = column([null, 2, 0]);
    expect([...sortRows(rows(3), values, false)]).toEqual([2, 1, 0]);
    expect([...sortRows(rows(3), values, true)]).toEqual([1, 2, 0]);
  });

  it('turns round on a second click, and begins with the largest number or the first text', () => {
    expect(nextOrder({ key: 'other', descending: false }, column([]))).toEqual({ key: 'value', descending: true });
    expect(nextOrder({ key: 'other', descending: true }, column([], 'start'))).toEqual({
      key: 'value',
      descending: false,
    });
    expect(nextOrder({ key: 'value', descending: true }, column([]))).toEqual({ key: 'value', descending: false });
  });
});

describe('rows in view', () => {
  it('covers the view and no more than it needs', () => {
    expect(rowsInView(0, 100, 10, 1000, 2)).toEqual({ first: 0, last: 12 });
    expect(rowsInView(5000, 100, 10, 1000, 2)).toEqual({ first: 498, last: 512 });
    expect(rowsInView(99_999, 100, 10, 1000, 2)).toEqual({ first: 1000, last: 1000 });
    expect(rowsInView(0, 100, 10, 0)).toEqual({ first: 0, last: 0 });
  });

  it('scrolls only as far as it must', () => {
    expect(scrollTo(3, 0, 100, 10)).toBe(0);
    expect(scrollTo(10, 0, 100, 10)).toBe(10);
    expect(scrollTo(2, 50, 100, 10)).toBe(20);
  });
});

it('writes CSV of exact values', () => {
  expect(tableCsv([column([1, null, '=x'])], [2, 1, 0])).toBe("value\r\n'=x\r\n\r\n1\r\n");
});

describe('widths of columns', () => {
  const columns = [
    { ...column([]), width: 200, least: 100, stretch: true },
    { ...column([]), width: 150, least: 100 },
    { ...column([]), width: 50 },
  ];

  it('are as wanted where there is room, and what is left is shared by width', () => {
    expect(columnWidths(columns, 400)).toEqual([200, 150, 50]);
    expect(columnWidths(columns, 500)).toEqual([300, 150, 50]);
    const two = columns.map((one, at) => ({ ...one, stretch: at !== 1 }));
    expect(columnWidths(two, 500)).toEqual([280, 150, 70]);
  });

  it('give way together where there is too little, and no further than each may', () => {
    expect(columnWidths(columns, 325)).toEqual([150, 125, 50]);
    expect(columnWidths(columns, 10)).toEqual([100, 100, 50]);
  });
});
