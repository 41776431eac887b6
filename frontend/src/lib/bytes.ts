// Bytes and shares as people read them, by the rule of the package's units.py: both run the cases of tests/data/formatting.json.

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
const MINUS = '−';

/** `15.75 GiB`, `576 MiB`, `512 B`: two decimals below 100 of a unit, none from there on. Halves round up; the sign is kept. */
export function formatBytes(bytes: number): string {
  const size = Math.abs(bytes);
  const sign = bytes < 0 ? MINUS : '';
  if (size < 1024) return `${sign}${size} B`;
  let unit = 1;
  // Rounding must not turn 1023.5 MiB into 1024 MiB.
  while (unit < UNITS.length - 1 && Math.round(size / 1024 ** unit) >= 1024) unit++;
  const value = size / 1024 ** unit;
  const hundredths = Math.round(value * 100);
  const figure = hundredths < 10_000 ? (hundredths / 100).toFixed(2) : String(Math.round(value));
  return `${sign}${figure} ${UNITS[unit]}`;
}

/** A difference with its sign: `+1.50 KiB`, `−3 B`, and `0 B` where nothing changed. */
export function formatChange(bytes: number): string {
  return bytes > 0 ? `+${formatBytes(bytes)}` : formatBytes(bytes);
}

/** `1,610,612,736 B`: every digit. */
export function exactBytes(bytes: number): string {
  return `${bytes < 0 ? '−' : ''}${groupDigits(Math.abs(bytes))} B`;
}

/** `1,234,567`. */
export function groupDigits(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** `83 %`, `0.4 %`, `< 0.1 %`; `100 %` only for all of it, `0 %` only for nothing. Halves round up. */
export function formatPercent(part: number, whole: number): string {
  if (whole === 0) return part === 0 ? '0 %' : '—';
  const size = Math.abs(part);
  const sign = part < 0 ? MINUS : '';
  if (size > 0 && 1000 * size < whole) return sign ? `> ${MINUS}0.1 %` : '< 0.1 %';
  const tenths = rounded(1000 * size, whole);
  const nearlyAll = 199 * whole <= 200 * size && size < whole;
  if (!nearlyAll && (tenths >= 100 || (100 * size) % whole === 0)) return `${sign}${rounded(100 * size, whole)} %`;
  return `${sign}${((nearlyAll ? Math.min(tenths, 999) : tenths) / 10).toFixed(1)} %`;
}

/** The quotient of two integers, neither negative, to the nearest integer; halves go up. */
function rounded(numerator: number, denominator: number): number {
  const rest = numerator % denominator;
  return (numerator - rest) / denominator + (2 * rest >= denominator ? 1 : 0);
}

/**
 * Bytes of `16 GiB`, `15.75G`, `512 MiB`; null where the text is no size. The command line has the same rule: G and GiB are powers of
 * 1024, as XLA writes them; GB has two meanings, and a small number without a unit is a forgotten unit.
 */
export function parseBytes(text: string): number | null {
  const found = /^\s*(\d+(?:\.\d+)?)\s*(?:([kmgtp])(?:i?|ib)|(b?))\s*$/i.exec(text);
  if (!found) return null;
  const power = ['', 'k', 'm', 'g', 't', 'p'].indexOf((found[2] ?? '').toLowerCase());
  const bytes = Math.round(Number(found[1]) * 1024 ** power);
  if (!found[2] && !found[3] && bytes < 1024) return null;
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : null;
}

/** Round sizes for an axis from 0 to at most `largest`: whole multiples of a power of two times 1, 2 or 4. */
export function byteTicks(largest: number, count: number): number[] {
  if (!(largest > 0)) return [0];
  const step = 2 ** Math.ceil(Math.log2(largest / count));
  const ticks = [];
  for (let tick = 0; tick <= largest; tick += Math.max(step, 1)) ticks.push(tick);
  return ticks;
}
