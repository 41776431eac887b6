import { describe, expect, it } from 'vitest';
import type { ModuleEntry, RunEntry } from '../../src/generated/contract';
import { findModule, findSpace, firstModule, namedSpace, runsToTry } from '../../src/model/choice';
import { golden } from '../golden';

const { modules } = golden('ModulesAnswer', 'modules.json');
const run = (name: string, time: string | null): RunEntry => ({
  run: name,
  kind: 'profile',
  hosts: [],
  time,
  problems: [],
});
const module = (patch: Partial<ModuleEntry>): ModuleEntry => ({ ...modules[0]!, ...patch });

describe('runs', () => {
  it('are tried newest first, else as listed', () => {
    const runs = [
      run('a', null),
      run('b', '2025-01-01T00:00:00+00:00'),
      run('c', '2026-01-01T00:00:00+00:00'),
      run('d', null),
    ];
    expect(runsToTry(runs).map((one) => one.run)).toEqual(['c', 'b', 'a', 'd']);
  });
});

describe('modules', () => {
  const one = module({ module: 'jit_f(11)', name: 'jit_f', program_id: '11', metadata_id: '1' });
  const other = module({ module: 'jit_f(12)', name: 'jit_f', program_id: '12', metadata_id: '2' });
  const broken = module({ module: 'jit_g(1)', name: 'jit_g', program_id: '1', metadata_id: '3', spaces: [] });

  it('open with the largest that can be read', () => {
    expect(firstModule([broken, one, other])).toBe(one);
    expect(firstModule([broken])).toBe(broken);
    expect(firstModule([])).toBeNull();
  });

  it.each([
    ['jit_f(12)', other],
    ['jit_f(2)', other],
    ['jit_f(77)', one],
    ['jit_f', one],
    ['jit_g', broken],
    ['jit_h(11)', null],
    ['', null],
  ])('are found by “%s”', (wanted, found) => expect(findModule([one, other, broken], wanted)).toBe(found));
});

describe('memory spaces', () => {
  it('fall back to HBM, then to the largest peak', () => {
    const spaces = modules[0]!.spaces;
    const entry = module({
      spaces: [
        { ...spaces[0]!, space: 'VMEM' },
        { ...spaces[0]!, space: 'HBM' },
      ],
    });
    expect(findSpace(entry, 'VMEM')).toBe('VMEM');
    expect(findSpace(entry, 'CMEM')).toBe('HBM');
    expect(findSpace(module({ spaces: [{ ...spaces[0]!, space: 'SMEM' }] }), null)).toBe('SMEM');
    expect(findSpace(module({ spaces: [] }), 'HBM')).toBeNull();
  });

  it('are found by older names', () => {
    const spaces = modules[0]!.spaces;
    const entry = module({
      spaces: [spaces[0]!, { ...spaces[0]!, space: 'SparseCore', aliases: ['Workspace Register'] }],
    });
    expect(findSpace(entry, 'Workspace Register')).toBe('SparseCore');
    expect(namedSpace(entry, 'Workspace Register')).toBe('SparseCore');
    expect(namedSpace(entry, 'CMEM')).toBeNull();
  });
});
