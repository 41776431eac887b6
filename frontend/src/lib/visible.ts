// Names of a capture are anybody's text: what cannot be seen in them is written as Python writes it.

const SHORT: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** The text on one line, with the escape of each character that cannot be seen. */
export function visible(text: string): string {
  return text.replace(/(?! )[\p{C}\p{Z}]/gu, escaped);
}

function escaped(letter: string): string {
  const code = letter.codePointAt(0)!;
  const [mark, digits] = code < 0x100 ? ['x', 2] : code < 0x10000 ? ['u', 4] : ['U', 8];
  return SHORT[letter] ?? `\\${mark}${code.toString(16).padStart(digits, '0')}`;
}
