// Colors as numbers: for pixels, and for text that can be read on them. Pure.

/** Red, green and blue of `#rrggbb`. */
export function channels(color: string): readonly [number, number, number] {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** Relative luminance by WCAG 2, from 0 to 1. */
export function luminance(color: string): number {
  const [red, green, blue] = channels(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Black or white, whichever contrasts more with a color. */
export function inkOn(color: string): '#000000' | '#ffffff' {
  return luminance(color) > 0.179 ? '#000000' : '#ffffff';
}
