// Answers that the server really gives, written by the Python tests into tests/golden.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UsageAnswer } from '../src/contract';
import { Dataset } from '../src/model/dataset';
import { INITIAL, type State } from '../src/state/state';

const FOLDER = join(import.meta.dirname, '..', '..', 'tests', 'golden');

export function golden<T>(name: string): T {
  return JSON.parse(readFileSync(join(FOLDER, name), 'utf-8')) as T;
}

/** The dataset of `usage_<name>.json`. */
export function dataset(name: string): Dataset {
  return new Dataset(golden<UsageAnswer>(`usage_${name}.json`));
}

/** Every usage answer there is, by name. */
export const DATASETS: readonly (readonly [string, Dataset])[] = readdirSync(FOLDER)
  .filter((name) => /^usage_.*\.json$/.test(name))
  .map((name) => [name, new Dataset(golden<UsageAnswer>(name))]);

export function state(patch: Partial<State> = {}): State {
  return { ...INITIAL, ...patch };
}
