/** Rules that the Python package has, too: tests/vocabulary/test_vocabulary.py runs the same cases. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Finding, ModuleEntry } from '../../src/generated/contract';
import { SPACES } from '../../src/generated/vocabulary';
import { isInChart } from '../../src/model/capacity';
import { findSpace } from '../../src/model/choice';
import { findingTone, forAnyCapacity } from '../../src/model/findings';

const RULES = JSON.parse(
  readFileSync(join(dirname(fileURLToPath(import.meta.url)), '../../../tests/data/rules.json'), 'utf8'),
) as {
  readonly capacity_in_charts: readonly { required: number; capacity: number | null; shown: boolean }[];
  readonly default_space: readonly { peaks: Record<string, number>; space: number | null }[];
};

describe('rules', () => {
  it.each(RULES.capacity_in_charts)('a chart of $required bytes has the capacity $capacity: $shown', (one) => {
    expect(one.capacity !== null && isInChart(one.capacity, one.required)).toBe(one.shown);
  });

  it.each(RULES.default_space)('of $peaks the first space is $space', ({ peaks, space }) => {
    const nameOf = (number: number): string => SPACES[number as keyof typeof SPACES].name;
    const spaces = Object.entries(peaks).map(([number, peak_bytes]) => {
      const memory_space = Number(number);
      return { space: nameOf(memory_space), memory_space, peak_bytes };
    });
    // The order in which they are listed does not matter.
    for (const listed of [spaces, [...spaces].reverse()])
      expect(findSpace({ spaces: listed } as unknown as ModuleEntry, null)).toBe(space === null ? null : nameOf(space));
  });
});

describe('findings', () => {
  const finding = (kind: string): Finding => ({ kind }) as Finding;

  it('are as urgent as the vocabulary has them', () => {
    const kinds = ['over_capacity', 'scoped_over_capacity', 'near_capacity', 'dominant_buffer', 'padding', 'new'];
    expect(kinds.map((kind) => findingTone(finding(kind)))).toEqual(['bad', 'bad', 'warn', 'warn', 'note', 'note']);
  });

  it('of a capacity are left out where it is another', () => {
    const findings = ['near_capacity', 'padding', 'over_capacity', 'new'].map(finding);
    expect(forAnyCapacity({ findings }).findings.map(({ kind }) => kind)).toEqual(['padding', 'new']);
  });
});
