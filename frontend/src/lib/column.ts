// Decodes the columns of the contract into typed arrays.

/** A column of integers: plain, as running sum of differences, or as runs of value and count. */
export type Column =
  | readonly number[]
  | readonly (number | null)[]
  | readonly string[]
  | { readonly delta: readonly number[] }
  | { readonly runs: readonly number[] };

/** What stands for an absent entry (null) in a typed array; every real entry is 0 or more. */
export const ABSENT = -1;

/** The column's integers; exact up to 2^53. Absent entries are ABSENT. */
export function decodeColumn(column: Column): Float64Array {
  if ('delta' in column) return decodeDelta(column.delta);
  if ('runs' in column) return decodeRuns(column.runs);
  const values = new Float64Array(column.length);
  for (let i = 0; i < column.length; i++) {
    const value = column[i];
    values[i] = value === null ? ABSENT : Number(value);
  }
  return values;
}

/** The same for small integers: row numbers, flags. */
export function decodeRows(column: Column): Int32Array {
  return Int32Array.from(decodeColumn(column));
}

/** Identifiers as text: they may not fit a number. Absent ones are "". */
export function decodeIds(column: Column): string[] {
  if ('delta' in column || 'runs' in column) return Array.from(decodeColumn(column), String);
  return (column as readonly (number | string | null)[]).map((value) => (value === null ? '' : String(value)));
}

function decodeDelta(delta: readonly number[]): Float64Array {
  const values = new Float64Array(delta.length);
  let sum = 0;
  for (let i = 0; i < delta.length; i++) {
    sum += delta[i]!;
    values[i] = sum;
  }
  return values;
}

function decodeRuns(runs: readonly number[]): Float64Array {
  let length = 0;
  for (let i = 1; i < runs.length; i += 2) length += runs[i]!;
  const values = new Float64Array(length);
  let at = 0;
  for (let i = 0; i < runs.length; i += 2) {
    const end = at + runs[i + 1]!;
    values.fill(runs[i]!, at, end);
    at = end;
  }
  return values;
}
