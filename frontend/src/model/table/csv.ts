/**
 * Rows of text and integers as CSV (RFC 4180, CRLF), safe to open in a spreadsheet. It knows nothing of buffers or of the DOM.
 * A cell of text that a spreadsheet would run as a formula gets an apostrophe before it; numbers are written as they are.
 */

const FORMULA = /^[=+\-@\t\r\n]/;
const NEEDS_QUOTES = /[",\r\n]/;

export type Cell = string | number | null;

export function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  // In full width and other forms of these characters too.
  const guarded = FORMULA.test(cell.slice(0, 1).normalize('NFKC')) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

export function csvText(header: readonly string[], rows: Iterable<readonly Cell[]>): string {
  const lines = [header.map(csvCell).join(',')];
  for (const row of rows) lines.push(row.map(csvCell).join(','));
  return `${lines.join('\r\n')}\r\n`;
}
