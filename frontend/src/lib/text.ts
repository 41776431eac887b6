// Long names, shortened where they say least: in the middle.

/** Fewer digits of a number tell no module from another. */
const LEAST_DIGITS = 5;

/** At most `most` characters, with an ellipsis in the middle; the end, which tells names apart, keeps more. */
export function shortenMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = Math.max(most - 1, 2);
  const tail = Math.ceil(kept * 0.6);
  return `${text.slice(0, kept - tail)}…${text.slice(text.length - tail)}`;
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
