// What the page shows for how far the answers are.

import { describe, expect, it } from 'vitest';
import type { ModulesAnswer, Problem, RunsAnswer } from '../../src/generated/contract';
import type { Loaded } from '../../src/model/loaded';
import { controlsModel, headingOf, mainPart, readingProblems } from '../../src/model/page';
import { type Failed, type Stage, WAITING } from '../../src/model/stage';
import { dataset, golden, state } from '../golden';

const data = dataset('while_cond_hbm');
const { modules } = golden('ModulesAnswer', 'modules.json');
const ready = <T>(value: T): Stage<T> => ({ kind: 'ready', value });
const failed: Failed = { kind: 'failed', error: { code: 'broken', message: 'It broke.', advice: 'Mend it.' } };
const problem = (message: string): Problem => ({ code: 'c', message, advice: '', path: null });
const run = { run: 'r', kind: 'profile', hosts: ['host0'], time: null, problems: [problem('of the run')] } as const;
const runs: RunsAnswer = { version: 1, logdir: '/logs', runs: [run], problems: [problem('of the logdir')] };
const entry = { ...modules[0]!, module: 'm', decoded: true, problems: [problem('of the module')] };
const list = (patch: Partial<ModulesAnswer> = {}): ModulesAnswer => ({
  version: 1,
  run: 'r',
  host: null,
  modules: [entry],
  problems: [problem('of the list')],
  ...patch,
});

function loaded(patch: Partial<Loaded> = {}): Loaded {
  return {
    runs: ready(runs),
    modules: ready(list()),
    usage: WAITING,
    asking: false,
    spaces: WAITING,
    findings: WAITING,
    comparison: null,
    missing: null,
    chosenElsewhere: { run: false, module: false },
    ...patch,
  };
}

const chosen = state({ run: 'r', module: 'm', space: 'HBM' });
const table = state({ ...chosen, shown: 'modules' });

describe('the main part', () => {
  it('is the module as soon as it is there, whatever became of the lists', () => {
    const part = mainPart(loaded({ usage: ready(data), runs: WAITING, modules: failed }), chosen);
    expect(part).toEqual({ kind: 'module', key: data });
  });

  it('waits for a module that the address names, before anything is listed', () => {
    const part = mainPart(loaded({ asking: true, runs: WAITING, modules: WAITING }), chosen);
    expect(part).toMatchObject({ kind: 'working', words: 'Computing the memory of m …' });
  });

  it.each<[string, Partial<Loaded>, object]>([
    ['runs on their way', { runs: WAITING }, { kind: 'loading', words: 'Searching for captures …' }],
    ['runs that failed', { runs: failed }, { kind: 'failure', title: 'The captures cannot be listed' }],
    ['no runs', { runs: ready({ ...runs, runs: [] }) }, { kind: 'empty_logdir', logdir: '/logs' }],
    ['modules on their way', { modules: WAITING }, { kind: 'loading', words: 'Reading the programs of r …' }],
    ['modules that failed', { modules: failed }, { kind: 'failure', title: '“r” cannot be read' }],
    [
      'a module that may yet be decoded',
      { modules: ready(list({ modules: [{ ...entry, module: 'other', decoded: false }] })) },
      { kind: 'loading' },
    ],
    ['no modules', { modules: ready(list({ modules: [] })) }, { kind: 'empty_run', run: 'r' }],
    ['an unreadable module', { modules: ready(list({ modules: [{ ...entry, spaces: [] }] })) }, { kind: 'unreadable' }],
    ['a usage that failed', { usage: failed }, { kind: 'failure', title: 'The memory space cannot be shown' }],
    ['a module whose usage is to be asked for', {}, { kind: 'working' }],
  ])('for %s', (_, patch, part) => {
    expect(mainPart(loaded(patch), chosen)).toMatchObject(part);
  });

  it('is the table of modules where that is chosen, also while a module is there', () => {
    const part = mainPart(loaded({ usage: ready(data) }), table);
    expect(part).toMatchObject({ kind: 'modules', key: 'modules r null', answer: { modules: [entry] } });
    expect(mainPart(loaded({ usage: ready(data), modules: WAITING }), table)).toMatchObject({ kind: 'loading' });
  });

  it('stays the same part while its answer does', () => {
    const stages = loaded({ modules: failed });
    expect(mainPart(stages, chosen).key).toBe(mainPart({ ...stages }, chosen).key);
    expect(mainPart(loaded(), table).key).toBe(mainPart(loaded(), table).key);
  });
});

describe('problems of reading', () => {
  const words = (patch: Partial<Loaded>): string[] =>
    readingProblems(loaded(patch), chosen).map(({ message }) => message);

  it('are those of all that is shown, each once', () => {
    expect(words({})).toEqual(['of the logdir', 'of the run', 'of the list']);
    const twice = ready(list({ problems: [problem('of the run')] }));
    expect(words({ modules: twice })).toEqual(['of the logdir', 'of the run']);
  });

  it('are none where nothing is shown: the main part has them', () => {
    expect(words({ modules: ready(list({ modules: [] })) })).toEqual([]);
  });
});

describe('the controls', () => {
  it('name the run of the address before any is listed, unless none can be', () => {
    expect(controlsModel(loaded({ runs: WAITING }), chosen).runs).toEqual([{ run: 'r', hosts: [] }]);
    expect(controlsModel(loaded({ runs: failed }), chosen).runs).toEqual([]);
    expect(controlsModel(loaded(), chosen).runs).toEqual([run]);
  });

  it("have the user's capacity beside the one that is known of the space", () => {
    const space = { ...entry.spaces[0]!, space: 'HBM', capacity_bytes: 1000 };
    const modules = ready(list({ modules: [{ ...entry, spaces: [space] }] }));
    const model = controlsModel(loaded({ modules }), { ...chosen, capacity: 7 });
    expect([model.capacity, model.knownCapacity.bytes]).toEqual([7, 1000]);
    expect(controlsModel(loaded({ modules }), { ...chosen, space: 'VMEM' }).knownCapacity.bytes).toBeNull();
  });
});

it('the heading names what the page is about', () => {
  expect(headingOf(chosen)).toBe('Memory of m, HBM');
  expect(headingOf(table)).toBe('Modules of r');
  expect(headingOf(state())).toBe('Memory Viewer');
});
