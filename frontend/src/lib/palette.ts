// Colors of buffers: stable (the same buffer has the same color in every view and in every session), and told apart by
// color-blind people. Hues are those of Okabe and Ito and of Tol's "muted", a lighter and a darker one of each.

const COLORS = [
  '#2f7fc1',
  '#e69f00',
  '#1a9e77',
  '#c96aa3',
  '#5bb4e5',
  '#d3622a',
  '#8273d9',
  '#b3a125',
  '#3aa6a0',
  '#a5566b',
  '#1f5f99',
  '#f0bf4c',
  '#117a5a',
  '#e39cc7',
  '#8fcdf0',
  '#ee9b6c',
  '#5a4bb0',
  '#857a12',
  '#7fd0c4',
  '#d58ba0',
];

/** A 32-bit hash of a text (FNV-1a). */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  // The low bits of names that differ in a digit differ little: mix the high ones in.
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** The color of whatever this text names. */
export function colorOf(text: string): string {
  return COLORS[hashText(text) % COLORS.length]!;
}

/** The color of a group: those whose names differ in numbers alone are alike. */
export function groupColor(name: string): string {
  return colorOf(name.replace(/\d+/g, '#'));
}

/** Shades of a color `#rrggbb`, itself first, so that neighbors of one color are told apart. */
export function shade(color: string, step: number): string {
  const [toward, share] = SHADES[step % SHADES.length]!;
  const mixed = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16);
    return Math.round(part + (toward - part) * share);
  });
  return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** Where each shade leads, 255 white or 0 black, and how far. */
const SHADES: readonly (readonly [number, number])[] = [
  [0, 0],
  [255, 0.4],
  [0, 0.3],
  [255, 0.65],
  [0, 0.5],
];

/** Black or white, whichever reads better on a color `#rrggbb` (relative luminance as WCAG defines it). */
export function inkOn(color: string): '#000000' | '#ffffff' {
  const [r, g, b] = [1, 3, 5].map((at) => linear(Number.parseInt(color.slice(at, at + 2), 16) / 255));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b! > 0.18 ? '#000000' : '#ffffff';
}

function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** Colors of the parts of the ledger; the one for gaps is hatched by the style sheet. */
export const PART_COLORS = {
  argument: '#2f7fc1',
  output: '#1a9e77',
  constant: '#c96aa3',
  temporary: '#e69f00',
  scoped: '#d3622a',
} as const;
