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
