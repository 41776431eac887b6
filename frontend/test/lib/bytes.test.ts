import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  byteTicks,
  exactBytes,
  formatBytes,
  formatChange,
  formatPercent,
  groupDigits,
  parseBytes,
} from '../../src/lib/bytes';

const GIB = 1024 ** 3;

/** What the command line writes in the same way: tests/test_units.py runs them too. */
const CASES = JSON.parse(
  readFileSync(join(dirname(fileURLToPath(import.meta.url)), '../../../tests/data/formatting.json'), 'utf8'),
) as {
  readonly bytes: readonly [number, string][];
  readonly changes: readonly [number, string][];
  readonly shares: readonly [number, number, string][];
};

describe('texts that Python writes in the same way', () => {
  it.each(CASES.bytes)('%d bytes', (bytes, text) => expect(formatBytes(bytes)).toBe(text));
  it.each(CASES.changes)('a change of %d bytes', (bytes, text) => expect(formatChange(bytes)).toBe(text));
  it.each(CASES.shares)('%d of %d', (part, whole, text) => expect(formatPercent(part, whole)).toBe(text));
});

describe('parseBytes', () => {
  it.each([
    ['16 GiB', 16 * GIB],
    ['15.75G', 15.75 * GIB],
    ['512 mib', 512 * 1024 ** 2],
    ['2 Ki', 2048],
    ['14 B', 14],
    ['1024', 1024],
  ])('%s', (text, bytes) => expect(parseBytes(text)).toBe(bytes));

  it.each(['', 'much', '-1 GiB', '0', '1 XiB', '99999999 PiB', '14GB', '512 mb', '14', '1023'])(
    'refuses “%s”',
    (text) => {
      expect(parseBytes(text)).toBeNull();
    },
  );

  it('reads back what it writes of round sizes', () => {
    for (const bytes of [512, 64 * 1024, 128 * 1024 ** 2, 16 * GIB]) expect(parseBytes(formatBytes(bytes))).toBe(bytes);
  });
});

describe('numbers', () => {
  it('groups digits', () => {
    expect(groupDigits(1234567)).toBe('1,234,567');
    expect(groupDigits(123)).toBe('123');
    expect(exactBytes(1610612736)).toBe('1,610,612,736 B');
  });

  it('marks the axis at powers of two, none above the top', () => {
    const ticks = byteTicks(5 * GIB, 5);
    expect(ticks).toEqual([0, GIB, 2 * GIB, 3 * GIB, 4 * GIB, 5 * GIB]);
    expect(byteTicks(0, 5)).toEqual([0]);
    expect(byteTicks(3, 5)).toEqual([0, 1, 2, 3]);
  });
});
