// Bytes as people read them: IEC units, two decimals below 100 as XLA writes them, exact where a tooltip asks for it.

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** `1.50 GiB`, `512 B`; the sign is kept. */
export function formatBytes(bytes: number): string {
  const size = Math.abs(bytes);
  let unit = 0;
  while (unit < UNITS.length - 1 && size >= 1024 ** (unit + 1)) unit++;
  const value = size / 1024 ** unit;
  // Rounding must not turn 1023.999 MiB into 1024 MiB.
  if (unit > 0 && unit < UNITS.length - 1 && Number(value.toFixed(digits(value))) >= 1024)
    return formatBytes(Math.sign(bytes) * 1024 ** (unit + 1));
  const text = unit === 0 ? String(size) : value.toFixed(digits(value));
  return `${bytes < 0 ? '−' : ''}${text} ${UNITS[unit]}`;
}

function digits(value: number): number {
  return value < 100 ? 2 : 0;
}

/** `1,610,612,736 B`: every digit. */
export function exactBytes(bytes: number): string {
  return `${bytes < 0 ? '−' : ''}${groupDigits(Math.abs(bytes))} B`;
}

/** `1,234,567`. */
export function groupDigits(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** `83 %`, `0.4 %`, `< 0.1 %`; `100 %` only for all of it. */
export function formatPercent(part: number, whole: number): string {
  if (whole === 0) return part === 0 ? '0 %' : '—';
  const percent = (100 * part) / whole;
  if (percent !== 0 && Math.abs(percent) < 0.1) return '< 0.1 %';
  if (percent >= 99.5 && percent < 100) return `${Math.min(percent, 99.9).toFixed(1)} %`;
  return `${Math.abs(percent) < 10 && percent % 1 !== 0 ? percent.toFixed(1) : percent.toFixed(0)} %`;
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
