// Shortens long names where they are least informative.

/** Shortens a text to so many characters. */
export type Cut = (text: string, most: number) => string;

const LEAST_LETTERS = 4;
/** More are in no cell, but for those of no width. */
const MOST_LETTERS = 400;

/** The text, or of its cuts the longest that is no wider than `room`, as `width` measures. */
export function fitted(text: string, cut: Cut, room: number, width: (text: string) => number): string {
  const whole = width(text);
  if (whole <= room) return text;
  // What is left may be of narrower letters than the whole.
  const guess = Math.ceil((1.2 * text.length * room) / whole);
  let most = Math.min(text.length, MOST_LETTERS, Math.max(LEAST_LETTERS, guess));
  while (most > LEAST_LETTERS && width(cut(text, most)) > room) most -= 1;
  return cut(text, most);
}

/** Fewer digits of a number tell no module from another. */
const LEAST_DIGITS = 5;

/** At most `most` characters, with an ellipsis in the middle; the end, which tells names apart, keeps more. */
export function shortenMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = Math.max(most - 1, 2);
  const tail = Math.ceil(kept * 0.6);
  return `${text.slice(0, kept - tail)}…${text.slice(text.length - tail)}`;
}

/** At most `most` characters of a path of scopes: its end, from a scope's beginning where that keeps enough. */
export function shortenStart(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.slice(text.length - Math.max(most - 1, 1));
  const scope = end.indexOf('/');
  return `…${scope !== -1 && scope < end.length / 2 ? end.slice(scope) : end}`;
}

/** A module's name with its number, `jit_f(4897…4338)`: of the two the number is shortened first, where that is enough. */
export function shortenModule(module: string, most: number): string {
  const [, name, number] = /^(.*)\((\d+)\)$/.exec(module) ?? [];
  const room = most - (name?.length ?? 0) - 2;
  if (name === undefined || number === undefined || room < LEAST_DIGITS) return shortenMiddle(module, most);
  return `${name}(${shortenMiddle(number, room)})`;
}

/** The last parts of a path, as many as tell the file: `models/transformer.py`. */
export function shortPath(path: string): string {
  return path.split(/[/\\]/).slice(-2).join('/');
}

/** `1 buffer`, `3 buffers`. */
export function counted(count: number, word: string): string {
  return `${count.toLocaleString('en-US')} ${word}${count === 1 ? '' : 's'}`;
}
