// Colors of buffers: stable (the same buffer has the same color in every view and in every session), and told apart by
// color-blind people. Hues are those of Okabe and Ito, in two lightnesses that keep contrast in both themes.

const BASE = [
  '#0072b2',
  '#e69f00',
  '#009e73',
  '#cc79a7',
  '#56b4e9',
  '#d55e00',
  '#8c7ae6',
  '#b8a200',
  '#7f7f7f',
  '#2fb5a8',
];

/** A 32-bit hash of a text (FNV-1a). */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** The color of whatever this text names. */
export function colorOf(text: string): string {
  return BASE[hashText(text) % BASE.length]!;
}

/** Colors of the parts of the ledger, in the order in which they are stacked. */
export const PART_COLORS = {
  argument: '#0072b2',
  output: '#009e73',
  constant: '#cc79a7',
  thread_local: '#8c7ae6',
  temporary: '#e69f00',
  scoped: '#d55e00',
  fragmentation: 'url(#hatch)',
} as const;
