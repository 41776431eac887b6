import { describe, expect, it } from 'vitest';
import { byteTicks, exactBytes, formatBytes, formatPercent, groupDigits, parseBytes } from '../../src/lib/bytes';

const GIB = 1024 ** 3;

describe('formatBytes', () => {
  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1.00 KiB'],
    [1536, '1.50 KiB'],
    [15.75 * GIB, '15.75 GiB'],
    [116654080, '111 MiB'],
    [-2.25 * GIB, '−2.25 GiB'],
    [2 ** 53, '8.00 PiB'],
  ])('%d', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  it('never rounds up to 1024 of a unit', () => {
    expect(formatBytes(1024 ** 2 - 1)).toBe('1.00 MiB');
    expect(formatBytes(GIB - 1)).toBe('1.00 GiB');
  });
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

  it.each([
    [0, 0, '0 %'],
    [1, 0, '—'],
    [83, 100, '83 %'],
    [1, 3000, '< 0.1 %'],
    [5, 1000, '0.5 %'],
    [9951, 10_000, '99.5 %'],
    [9999, 10_000, '99.9 %'],
    [1, 1, '100 %'],
  ])('%d of %d', (part, whole, text) => expect(formatPercent(part, whole)).toBe(text));

  it('marks the axis at powers of two, none above the top', () => {
    const ticks = byteTicks(5 * GIB, 5);
    expect(ticks).toEqual([0, GIB, 2 * GIB, 3 * GIB, 4 * GIB, 5 * GIB]);
    expect(byteTicks(0, 5)).toEqual([0]);
    expect(byteTicks(3, 5)).toEqual([0, 1, 2, 3]);
  });
});
