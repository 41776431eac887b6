// Colors as numbers: for pixels, and for what lies between two colors. Pure.

/** Red, green and blue of `#rrggbb`. */
export function channels(color: string): readonly [number, number, number] {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** So much of one color and the rest of another, all as `#rrggbb`. */
export function blend(color: string, other: string, share: number): string {
  const rest = channels(other);
  const mixed = channels(color).map((channel, at) => Math.round(channel * share + rest[at]! * (1 - share)));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** Stripes over a ground: rising, falling, or both. */
export interface Hatch {
  readonly ground: string;
  readonly stripe: string;
  readonly rises: boolean;
  readonly falls: boolean;
}

/**
 * How a buffer of a color is drawn on free addresses of another. Rising stripes on a paler ground: it shares its addresses. Falling
 * ones: the compiler's trace does not list it. Null is the color alone.
 */
export function hatchOf(color: string, free: string, shared: boolean, unlisted: boolean): Hatch | null {
  if (shared) return { ground: blend(color, free, 0.45), stripe: color, rises: true, falls: unlisted };
  return unlisted ? { ground: color, stripe: blend(color, free, 0.5), rises: false, falls: true } : null;
}
