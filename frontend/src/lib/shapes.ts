// Checks that a value is of a type which is written as text, such as `(Loop | null)[]`. Knows nothing of what the types mean.

/** By name, the fields of a record with the text of each one's type, or the text of a type. */
export type RecordTypes = Readonly<Record<string, Readonly<Record<string, string>> | string>>;

/** Where the value is not of the type, as places with what was expected; fields that the type lacks count too. */
export function mismatches(value: unknown, type: string, shapes: RecordTypes, place = type): string[] {
  const choices = split(type, ' | ');
  if (choices.length > 1) {
    const found = choices.map((choice) => mismatches(value, choice, shapes, place));
    // Of a record that may be null, what is wrong inside it says more.
    return found.some((one) => one.length === 0) ? [] : found.reduce((a, b) => (b.length > a.length ? b : a));
  }
  if (type.endsWith('[]')) {
    const item = type.slice(0, -2).replace(/^\((.*)\)$/, '$1');
    return Array.isArray(value)
      ? value.flatMap((one, at) => mismatches(one, item, shapes, `${place}[${at}]`))
      : [`${place}: ${type}`];
  }
  if (type.startsWith('[')) {
    const items = split(type.slice(1, -1), ', ');
    return Array.isArray(value) && value.length === items.length
      ? items.flatMap((item, at) => mismatches(value[at], item, shapes, `${place}[${at}]`))
      : [`${place}: ${type}`];
  }
  const shape = shapes[type];
  if (typeof shape === 'string') return mismatches(value, shape, shapes, place);
  if (shape !== undefined) return ofRecord(value, shape, shapes, place);
  return isPlain(value, type) ? [] : [`${place}: ${type}`];
}

function ofRecord(
  value: unknown,
  shape: Readonly<Record<string, string>>,
  shapes: RecordTypes,
  place: string,
): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${place}: record`];
  const record = value as Readonly<Record<string, unknown>>;
  const extra = Object.keys(record).filter((name) => !Object.hasOwn(shape, name));
  return [
    ...extra.map((name) => `${place}.${name}: unknown`),
    ...Object.entries(shape).flatMap(([name, type]) =>
      Object.hasOwn(record, name)
        ? mismatches(record[name], type, shapes, `${place}.${name}`)
        : [`${place}.${name}: missing`],
    ),
  ];
}

function isPlain(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type.startsWith("'")) return value === type.slice(1, -1);
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'Column') return isColumn(value);
  return typeof value === type;
}

function isColumn(value: unknown): boolean {
  if (Array.isArray(value))
    return value.every((one) => one === null || Number.isInteger(one)) || value.every((one) => typeof one === 'string');
  if (typeof value !== 'object' || value === null) return false;
  const [[name, numbers] = [], ...more] = Object.entries(value);
  return (
    more.length === 0 &&
    (name === 'delta' || name === 'runs') &&
    Array.isArray(numbers) &&
    numbers.every((one) => Number.isInteger(one))
  );
}

/** The parts between separators that stand in no parentheses, brackets or quotes. */
function split(text: string, separator: string): string[] {
  const parts = [''];
  let depth = 0;
  for (let at = 0; at < text.length; ) {
    if (depth === 0 && text.startsWith(separator, at)) {
      parts.push('');
      at += separator.length;
      continue;
    }
    const letter = text[at]!;
    if (letter === '(' || letter === '[') depth += 1;
    if (letter === ')' || letter === ']') depth -= 1;
    parts[parts.length - 1] += letter;
    at += 1;
  }
  return parts;
}
