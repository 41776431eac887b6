/**
 * Rows of text and integers as CSV (RFC 4180, CRLF), safe to open in a spreadsheet. It knows nothing of buffers or of the DOM.
 * A cell of text that a spreadsheet would run as a formula gets an apostrophe before it, and what cannot be seen is written as its
 * escape; numbers are written as they are. The command line writes the same.
 */

import { visible } from '../../lib/visible';

const FORMULA = /^[=+\-@]/;
const NEEDS_QUOTES = /[",]/;

export type Cell = string | number | null;

export function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = visible(cell);
  // In full width and other forms of these characters too.
  const guarded = FORMULA.test(String.fromCodePoint(text.codePointAt(0) ?? 0).normalize('NFKC')) ? `'${text}` : text;
  return NEEDS_QUOTES.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

export function csvText(header: readonly string[], rows: Iterable<readonly Cell[]>): string {
  const lines = [header.map(csvCell).join(',')];
  for (const row of rows) lines.push(row.map(csvCell).join(','));
  return `${lines.join('\r\n')}\r\n`;
}
