/** CSV that a spreadsheet reads back as it was and never runs. */
import { describe, expect, it } from 'vitest';
import { csvCell, csvText } from '../../../src/model/table/csv';

describe('CSV', () => {
  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '\uff1d1+1',
    '\uff0b1',
    '\uff0d1',
    '\uff20SUM(A1)',
    '\ufe661+1',
  ])('guards %j', (text) => {
    expect(csvCell(text).replace(/^"/, '').startsWith("'")).toBe(true);
  });

  it('leaves numbers and harmless text as they are', () => {
    expect(csvCell(-5)).toBe('-5');
    expect(csvCell('jit(f)/a=b')).toBe('jit(f)/a=b');
    expect(csvCell(null)).toBe('');
  });

  it('quotes what would break the row', () => {
    expect(
      csvText(
        ['a', 'b'],
        [
          ['x,y', 'say "hi"'],
          ['two\nlines', 9007199254740991],
        ],
      ),
    ).toBe('a,b\r\n"x,y","say ""hi"""\r\n"two\nlines",9007199254740991\r\n');
  });
});
