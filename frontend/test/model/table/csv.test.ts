/** CSV that a spreadsheet reads back as it was and never runs, the same as the command line writes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CSV_COLUMNS } from '../../../src/generated/contract';
import { csvColumns } from '../../../src/model/table/buffers';
import { type Cell, csvText } from '../../../src/model/table/csv';
import { tableCsv } from '../../../src/model/table/table';
import { dataset } from '../../golden';

const TESTS = join(import.meta.dirname, '..', '..', '..', '..', 'tests');

interface Cases {
  readonly header: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly lines: readonly string[];
}

describe('CSV', () => {
  it('has the cells that both languages are tested with', () => {
    const cases = JSON.parse(readFileSync(join(TESTS, 'data', 'csv_cells.json'), 'utf-8')) as Cases;
    expect(csvText(cases.header, cases.rows).split('\r\n')).toEqual([...cases.lines, '']);
  });

  it.each(['padding_hbm', 'decode_hbm', 'while_cond_vmem'])('of buffers is the file of the server: %s', (name) => {
    const data = dataset(name);
    const rows = Array.from({ length: data.count }, (_, row) => row).filter((row) => data.represents[row] === 1);
    const file = readFileSync(join(TESTS, 'golden', `buffers_${name}.csv`), 'utf-8');
    expect(tableCsv(csvColumns(data), rows)).toBe(file);
    expect(file.split('\r\n')[0]).toBe(CSV_COLUMNS.join(','));
  });
});
