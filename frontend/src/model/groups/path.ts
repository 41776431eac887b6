/**
 * How names of a program split into paths of groups: scopes and arguments. Pure text; no data set here.
 */

/** The parts of an argument's name as frameworks write it: `params['blocks'][0].w` is params, blocks, 0, w. */
export function argumentParts(name: string): string[] {
  const steps = /\[(?:'([^']*)'|"([^"]*)"|([^\]]*))\]|\.?([^.[\]]+)/g;
  const parts: string[] = [];
  for (const match of name.matchAll(steps)) parts.push(match[1] ?? match[2] ?? match[3] ?? match[4] ?? '');
  return parts.filter((part) => part !== '');
}

/** The framework's operation at the end of an op name, empty where the name ends at a scope or has none. */
export function operationOf(op: string): string {
  const last = op.slice(op.lastIndexOf('/') + 1);
  return last.includes('(') || last.includes(')') ? '' : last;
}
