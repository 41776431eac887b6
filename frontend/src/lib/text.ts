// Long names, shortened where they say least: in the middle.

/** At most `most` characters, with an ellipsis in the middle; the end, which tells names apart, keeps more. */
export function shortenMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = Math.max(most - 1, 2);
  const tail = Math.ceil(kept * 0.6);
  return `${text.slice(0, kept - tail)}…${text.slice(text.length - tail)}`;
}

/** The last parts of a path, as many as tell the file: `models/transformer.py`. */
export function shortPath(path: string): string {
  return path.split(/[/\\]/).slice(-2).join('/');
}

/** `1 buffer`, `3 buffers`. */
export function counted(count: number, word: string): string {
  return `${count.toLocaleString('en-US')} ${word}${count === 1 ? '' : 's'}`;
}
