// The URL hash as a flat list of named texts: `#run=a%2Fb&space=HBM`.

/** The parameters; the first of equal names counts. A broken escape reads as it stands. */
export function parseHash(hash: string): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const part of hash.replace(/^#/, '').split('&')) {
    if (part === '') continue;
    const at = part.indexOf('=');
    const name = decode(at < 0 ? part : part.slice(0, at));
    if (!parameters.has(name)) parameters.set(name, at < 0 ? '' : decode(part.slice(at + 1)));
  }
  return parameters;
}

/** The hash of the parameters, names in the order given; absent ones (null) are left out. */
export function formatHash(parameters: Iterable<readonly [string, string | null]>): string {
  const parts = [];
  for (const [name, value] of parameters) {
    if (value !== null) parts.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  }
  return parts.length === 0 ? '' : `#${parts.join('&')}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '));
  } catch {
    return text;
  }
}
