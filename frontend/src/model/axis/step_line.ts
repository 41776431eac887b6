// A step line over program points, reduced to what a screen can show: at most two values per pixel column. Pure.

/** Pixel columns from left to right: the smallest and largest value that a column's points take. */
export interface Columns {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/**
 * The values of points `[a, b)` gathered into `width` columns. A column narrower than a point takes the point's value; one
 * that covers several takes their extremes, so a peak never disappears.
 */
export function gatherColumns(values: Float64Array, a: number, b: number, width: number): Columns {
  const low = new Float64Array(width);
  const high = new Float64Array(width);
  const step = (b - a) / width;
  for (let column = 0; column < width; column++) {
    const first = clamp(Math.floor(a + column * step), 0, values.length - 1);
    const last = clamp(Math.ceil(a + (column + 1) * step), first + 1, values.length);
    let least = values[first]!;
    let most = least;
    for (let point = first + 1; point < last; point++) {
      const value = values[point]!;
      if (value < least) least = value;
      if (value > most) most = value;
    }
    low[column] = least;
    high[column] = most;
  }
  return { low, high };
}

/** The SVG path of a step line through points `[a, b)`: exact where points are wider than pixels, else by columns. */
export function stepPath(
  values: Float64Array,
  a: number,
  b: number,
  width: number,
  y: (value: number) => number,
): string {
  const columns = Math.max(1, Math.floor(width));
  if (b - a <= columns) return exactPath(values, a, b, width, y);
  const { low, high } = gatherColumns(values, a, b, columns);
  const parts: string[] = [];
  for (let column = 0; column < columns; column++) {
    const top = round(y(high[column]!));
    const bottom = round(y(low[column]!));
    parts.push(`${column === 0 ? 'M' : 'L'}${column},${bottom}`);
    if (top !== bottom) parts.push(`V${top}`);
    if (top !== bottom)
      parts.push(
        `V${round(y(values[clamp(Math.ceil(a + ((column + 1) * (b - a)) / columns) - 1, 0, values.length - 1)]!))}`,
      );
  }
  parts.push(`H${round(width)}`);
  return parts.join('');
}

function exactPath(values: Float64Array, a: number, b: number, width: number, y: (value: number) => number): string {
  const parts: string[] = [];
  const scale = width / (b - a);
  const last = Math.min(Math.ceil(b), values.length);
  for (let point = Math.max(0, Math.floor(a)); point < last; point++) {
    const x = round(Math.max(0, (point - a) * scale));
    const at = round(y(values[point]!));
    parts.push(parts.length === 0 ? `M${x},${at}` : `H${x}V${at}`);
  }
  if (parts.length > 0) parts.push(`H${round(Math.min(width, (last - a) * scale))}`);
  return parts.join('');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}
