// Answers that the server really gives, written by the Python tests into tests/golden. Each is checked against the contract.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checked, type Records } from '../src/generated/contract';
import { Dataset } from '../src/model/dataset';
import { INITIAL, type State } from '../src/state/state';

const FOLDER = join(import.meta.dirname, '..', '..', 'tests', 'golden');

/** An answer as the record that it must be, to the last field. */
export function golden<N extends keyof Records>(record: N, name: string): Records[N] {
  return checked(record, JSON.parse(readFileSync(join(FOLDER, name), 'utf-8')));
}

/** The dataset of `usage_<name>.json`. */
export function dataset(name: string): Dataset {
  return new Dataset(golden('UsageAnswer', `usage_${name}.json`));
}

/** What the server says at the peak of `usage_<name>.json`, by grouping. */
export function breakdowns(usage: string): Record<string, Records['BreakdownAnswer']> {
  const answers: Record<string, unknown> = JSON.parse(
    readFileSync(join(FOLDER, usage.replace('usage_', 'breakdowns_')), 'utf-8'),
  );
  return Object.fromEntries(Object.entries(answers).map(([by, answer]) => [by, checked('BreakdownAnswer', answer)]));
}

/** Every usage answer there is, by name. */
export const DATASETS: readonly (readonly [string, Dataset])[] = readdirSync(FOLDER)
  .filter((name) => /^usage_.*\.json$/.test(name))
  .map((name) => [name, new Dataset(golden('UsageAnswer', name))]);

export function state(patch: Partial<State> = {}): State {
  return { ...INITIAL, ...patch };
}
