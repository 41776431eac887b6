/** The table of modules: columns of the spaces that there are, and programs that hosts compiled differently. */
import { expect, it } from 'vitest';
import { type ModuleEntry, type ModulesAnswer, VERSION } from '../../../src/generated/contract';
import { hostDifferences, moduleColumns } from '../../../src/model/table/modules';
import { columnWidths, sortRows } from '../../../src/model/table/table';

const space = (name: string, number: number, peak: number) => ({
  space: name,
  memory_space: number,
  about: null,
  aliases: [],
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
    size_bytes: 1,
    decoded: true,
    fingerprint: name,
    instruction_count: 3,
    axis: 'schedule',
    points: 3,
    hosts,
    platform: 'tpu',
    device: null,
    spaces,
    problems: [],
  };
}

const answer = (modules: readonly ModuleEntry[]): ModulesAnswer => ({
  version: VERSION,
  run: 'r',
  host: null,
  modules,
  problems: [],
});

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

it('shows platforms only where one is known, and keeps their column for the file', () => {
  const known = module('f(1)', ['h0'], []);
  const platform = (modules: readonly ModuleEntry[]) =>
    moduleColumns(answer(modules)).find(({ key }) => key === 'platform')!;
  expect(platform([{ ...known, platform: null }, known]).shown).toBe(true);
  expect(platform([{ ...known, platform: null, device: 'TPU v5e' }]).shown).toBe(true);
  expect(platform([{ ...known, platform: null }]).shown).toBe(false);
});

it('a single bar begins where the longest name ends; several share what names leave', () => {
  const widths = (names: readonly string[], spaces: ModuleEntry['spaces']) =>
    columnWidths(moduleColumns(answer(names.map((name) => module(name, ['h0'], spaces)))), 1600);
  const hbm = space('HBM', 0, 10);
  expect(widths(['jit_f(1)'], [hbm])[0]).toBe(180);
  expect(widths(['jit_f(1)', `jit_${'f'.repeat(36)}`], [hbm])[0]).toBe(304);
  expect(widths(['f'.repeat(900)], [hbm])[0]).toBe(480);
  expect(widths(['jit_f(1)'], [hbm])[1]).toBeGreaterThan(1000);
  expect(widths(['jit_f(1)'], [hbm, space('VMEM', 1, 5)])[1]).toBe(150);
});
