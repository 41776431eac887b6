/** The table of modules: columns of the spaces that there are, and programs that hosts compiled differently. */
import { expect, it } from 'vitest';
import type { ModuleEntry, ModulesAnswer } from '../../src/contract';
import { sortRows } from '../../src/model/table';
import { hostDifferences, moduleColumns } from '../../src/model/table_modules';

const space = (name: string, color: number, peak: number) => ({
  space: name,
  color,
  peak_bytes: peak,
  allocated_bytes: peak,
  required_bytes: peak,
  capacity_bytes: null,
});

function module(name: string, hosts: readonly string[], spaces: ModuleEntry['spaces']): ModuleEntry {
  return {
    module: name,
    name: name.replace(/\(.*/, ''),
    program_id: null,
    metadata_id: null,
    fingerprint: name,
    instruction_count: 3,
    hosts,
    platform: 'tpu',
    device: null,
    spaces,
    problems: [],
  };
}

const answer = (modules: readonly ModuleEntry[]): ModulesAnswer => ({ run: 'r', host: null, modules, problems: [] });

it('has a column a memory space, in the order of their numbers, and sorts absent ones last', () => {
  const columns = moduleColumns(
    answer([
      module('a(1)', ['h0'], [space('VMEM', 1, 5), space('HBM', 0, 10)]),
      module('b(2)', ['h0'], [space('HBM', 0, 30)]),
      module('broken', ['h0'], []),
    ]),
  );
  expect(columns.map((column) => column.label).slice(0, 3)).toEqual(['Module', 'HBM', 'VMEM']);
  const hbm = columns.find((column) => column.label === 'HBM')!;
  expect([...sortRows(Uint32Array.of(0, 1, 2), hbm, true)]).toEqual([1, 0, 2]);
  expect([...sortRows(Uint32Array.of(2, 1, 0), hbm, false)]).toEqual([0, 1, 2]);
});

it('finds a program that hosts hold different modules of', () => {
  const differing = answer([
    module('f(1)', ['h0', 'h1'], [space('HBM', 0, 1)]),
    module('f(2)', ['h2'], [space('HBM', 0, 2)]),
    module('g(3)', ['h0', 'h1', 'h2'], []),
  ]);
  expect(hostDifferences(differing)).toEqual([{ name: 'f', rows: [0, 1] }]);
});

it('takes two programs of one name on the same host for two programs', () => {
  expect(hostDifferences(answer([module('f(1)', ['h0'], []), module('f(2)', ['h0'], [])]))).toEqual([]);
});
