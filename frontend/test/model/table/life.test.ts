/** Columns of the table of buffers, on answers of the server. */
import { describe, expect, it } from 'vitest';
import { groupDigits } from '../../../src/lib/bytes';
import { lifeFacts, lifeOf } from '../../../src/model/card';
import { bufferColumns } from '../../../src/model/table/buffers';
import { DATASETS } from '../../golden';

describe.each(DATASETS)('the columns From and Until of %s', (_, dataset) => {
  const columns = bufferColumns(dataset);
  const [from, until] = ['start', 'end'].map((key) => columns.find((column) => column.key === key)!);

  it('name the points that the card names, and the file the half-open span', () => {
    for (let row = 0; row < dataset.count; row++) {
      const life = lifeOf(dataset, row);
      expect(until!.csv(row)).toBe(dataset.end[row]);
      expect(Number(until!.sortKey(row))).toBeGreaterThanOrEqual(Number(from!.sortKey(row)));
      expect(Number(until!.sortKey(row))).toBeLessThan(dataset.points);
      if (life.kind !== 'traced' || life.end - life.start === 1) continue;
      const alive = lifeFacts(dataset, row, life).find(({ name }) => name === 'Alive')!;
      expect(alive.text).toBe(
        `points ${from!.text(row)} to ${until!.text(row)} (${groupDigits(life.end - life.start)})`,
      );
    }
  });
});

describe.each(DATASETS)('the column Life known by of %s', (_, dataset) => {
  const column = bufferColumns(dataset).find(({ key }) => key === 'known_by')!;

  it('is there for whoever asks for it, on the page and in the file', () => {
    expect(column).toMatchObject({ label: 'Life known by', shown: false });
    for (let row = 0; row < dataset.count; row++) {
      const temporary = ['trace', 'readers', 'unknown'][dataset.knownBy[row]!];
      expect(column.text(row)).toBe(dataset.isTemporary(row) ? temporary : 'allocation');
      expect(column.csv(row)).toBe(column.text(row));
    }
  });
});

describe.each(DATASETS)('the columns Last read and Readers of %s', (_, dataset) => {
  const [lastRead, readers] = ['last_read', 'readers'].map(
    (key) => bufferColumns(dataset).find((column) => column.key === key)!,
  );

  it('have the point that the card names, and the number of direct readers', () => {
    for (let row = 0; row < dataset.count; row++) {
      const said = lifeFacts(dataset, row, lifeOf(dataset, row)).find(({ name }) => name === 'Last read at')!;
      expect(lastRead!.csv(row)).toBe(said.point);
      expect(readers!.csv(row)).toBe(dataset.readersOf(row).length);
    }
  });
});
