/**
 * How names of a program split into paths of groups: framework scopes, source files, call stacks. Pure text; no data set here.
 */

const OPENING = '([{';
const CLOSING = ')]}';

/** A framework op name by its slashes, those inside brackets aside: `jit(f)/transpose(jvp(a/b))/dot` has three parts. */
export function scopeParts(op: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < op.length; at++) {
    const letter = op[at] as string;
    if (OPENING.includes(letter)) depth += 1;
    else if (CLOSING.includes(letter)) depth = Math.max(0, depth - 1);
    else if (letter === '/' && depth === 0) {
      parts.push(op.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(op.slice(from));
  return parts.filter((part) => part !== '');
}

/** The last two parts of a file's path: enough to know it by, short enough to read. */
export function shortFile(file: string): string {
  return file.split('/').filter((part) => part !== '').slice(-2).join('/');
}
