/** Every answer of the server is the record that the page takes it for, to the last field. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checked, mismatchesOf, type Records } from '../src/generated/contract';
import { golden } from './golden';

const FOLDER = join(import.meta.dirname, '..', '..', 'tests', 'golden');
const RECORDS = JSON.parse(readFileSync(join(FOLDER, 'records.json'), 'utf-8')) as Record<string, keyof Records | null>;

describe('a golden answer', () => {
  it.each(Object.entries(RECORDS))('%s is a %s', (name, record) => {
    if (record !== null) expect(golden(record, `${name}.json`)).toBeDefined();
  });

  it('has its record in the table', () => {
    const names = readdirSync(FOLDER).filter((name) => /^(?!breakdowns_|records).*\.json$/.test(name));
    expect(names.map((name) => name.replace('.json', '')).sort()).toEqual(Object.keys(RECORDS).sort());
  });
});

describe('what is no answer', () => {
  const compare = golden('CompareAnswer', 'compare.json');

  it('lacks a field or has one of another name', () => {
    const [{ other_space, ...rest }, ...more] = compare.changes as [(typeof compare.changes)[0]];
    const wrong = { ...compare, changes: [{ ...rest, otherSpace: other_space }, ...more] };
    expect(mismatchesOf('CompareAnswer', wrong)).toEqual([
      'CompareAnswer.changes[0].otherSpace: unknown',
      'CompareAnswer.changes[0].other_space: missing',
    ]);
    expect(() => checked('CompareAnswer', wrong)).toThrow('other_space: missing');
  });

  it.each([
    ['a null', { points: null }],
    ['a fraction', { points: 1.5 }],
    ['a text', { points: '1' }],
    ['another word', { axis: 'time' }],
    ['a record that is none', { headline: [] }],
    ['a half-filled record', { headline: { peak_bytes: 1 } }],
  ])('has %s where it must not', (_, patch) => {
    expect(mismatchesOf('CompareSide', { ...compare.subject, ...patch })).not.toEqual([]);
  });

  it.each([[{ delta: ['1'] }], [{ sum: [1] }], [[1.5]], [{ delta: [1], runs: [1] }], [null]])(
    'has the column %j',
    (points) => {
      expect(mismatchesOf('Curve', { points, bytes: [] })).not.toEqual([]);
    },
  );

  it.each([[{ delta: [1, 2] }], [{ runs: [0, 3] }], [[1, null]], [['9007199254740993']], [[]]])(
    'does not come of the column %j',
    (points) => {
      expect(mismatchesOf('Curve', { points, bytes: [] })).toEqual([]);
    },
  );
});
