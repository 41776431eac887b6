// A color as numbers, for pixels. Pure.

/** Red, green and blue of `#rrggbb`. */
export function channels(color: string): readonly [number, number, number] {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}
