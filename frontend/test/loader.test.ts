// What is asked for a choice, and which answers count, with a server whose answers come when the test says so.

import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ModulesAnswer, RunsAnswer, SpacesAnswer, UsageAnswer } from '../src/generated/contract';
import { Store } from '../src/lib/store';
import { Loader } from '../src/loader';
import { answerOf } from '../src/model/stage';
import { type Actions, bindActions } from '../src/state/actions';
import type { State } from '../src/state/state';
import { golden, state } from './golden';

interface Asked {
  readonly route: string;
  readonly query: readonly unknown[];
  readonly signal: AbortSignal;
  answer(value: unknown): void;
  fail(error: Error): void;
}

const asked: Asked[] = [];
const report = { is: false };

vi.mock('../src/api', async () => {
  const { ApiError } = await vi.importActual<typeof import('../src/api')>('../src/api');
  const ask =
    (route: string) =>
    (...all: unknown[]): Promise<unknown> =>
      new Promise((answer, fail) => {
        const signal = all.pop() as AbortSignal;
        asked.push({ route, query: all, signal, answer, fail });
      });
  return {
    ApiError,
    inReport: () => report.is,
    getRuns: ask('runs'),
    getModuleNames: ask('names'),
    getModules: ask('modules'),
    getSpaces: ask('spaces'),
    getUsage: ask('usage'),
    getFindings: ask('findings'),
    getComparison: ask('compare'),
  };
});

const usage = golden('UsageAnswer', 'usage_while_cond_hbm.json');
const { modules } = golden('ModulesAnswer', 'modules.json');
const run = { run: usage.run, kind: 'profile', hosts: ['host0', 'host1'], time: null, problems: [] } as const;
const runs: RunsAnswer = { version: 1, logdir: '/logs', runs: [run, { ...run, run: 'other' }], problems: [] };
const space = { ...modules[0]!.spaces[0]!, space: 'HBM' };
const entry = (module: string) => ({ ...modules[0]!, module, decoded: true, spaces: [space] });
const list = (...names: string[]): ModulesAnswer => ({
  version: 1,
  run: usage.run,
  host: null,
  modules: names.map(entry),
  problems: [],
});
const usageOf = (module: string): UsageAnswer => ({ ...usage, host: null, module, space: 'HBM' });
const spacesOf = (module: string): SpacesAnswer => ({ ...golden('SpacesAnswer', 'memory_spaces.json'), module });

interface Page {
  readonly store: Store<State>;
  readonly actions: Actions;
  readonly loader: Loader;
}

function pageAt(choice: Partial<State>): Page {
  const store = new Store<State>(state(choice));
  const actions = bindActions(store);
  const loader = new Loader({ store, actions, quietly: (choose) => choose(), changed: () => {} });
  store.subscribe((now, before) => loader.follow(now, before));
  void loader.start();
  return { store, actions, loader };
}

/** The last question of a route. */
const last = (route: string): Asked => {
  const found = asked.filter((one) => one.route === route).at(-1);
  if (found === undefined) throw new Error(`nothing asked for ${route}`);
  return found;
};
const count = (route: string): number => asked.filter((one) => one.route === route).length;
const rest = (): Promise<void> => new Promise((done) => setTimeout(done));

async function answer(route: string, value: unknown): Promise<void> {
  last(route).answer(value);
  await rest();
}

/** A page that shows the module jit_f, with its findings. */
async function shown(): Promise<Page> {
  const page = pageAt({ run: usage.run, module: 'jit_f', space: 'HBM' });
  await answer('usage', usageOf('jit_f'));
  await answer('runs', runs);
  await answer('names', list('jit_f', 'jit_g'));
  await answer('spaces', spacesOf('jit_f'));
  await answer('findings', { findings: [] });
  return page;
}

beforeEach(() => {
  asked.length = 0;
  report.is = false;
});

describe('what the address names in full', () => {
  it('is asked for at once, beside the list of runs', () => {
    pageAt({ run: usage.run, module: 'jit_f', space: 'HBM' });
    expect(asked.map(({ route }) => route)).toEqual(['usage', 'runs']);
  });

  it('gives way to what is there, with a word, where it is not', async () => {
    const { ApiError } = await import('../src/api');
    const { store, loader } = pageAt({ run: usage.run, module: 'jit_gone', space: 'HBM' });
    last('usage').fail(new ApiError('not_found', 'There is no such module.', ''));
    await rest();
    await answer('runs', runs);
    await answer('names', list('jit_f'));
    expect(loader.missing).toContain('jit_gone');
    expect(store.state.module).toBe('jit_f');
    expect(last('usage').query).toEqual([{ run: usage.run, host: null, module: 'jit_f' }, 'HBM']);
  });
});

describe('where nothing is chosen', () => {
  it('the newest run opens with its first module and HBM', async () => {
    const { store } = pageAt({});
    await answer('runs', runs);
    await answer('names', list('jit_f', 'jit_g'));
    expect(store.state).toMatchObject({ run: usage.run, module: 'jit_f', space: 'HBM' });
    expect(count('usage')).toBe(1);
  });

  it('a host that the run does not have is all hosts', async () => {
    const { store } = pageAt({ run: usage.run, host: 'host9' });
    await answer('runs', runs);
    expect(store.state.host).toBeNull();
    expect(last('names').query).toEqual([usage.run, null]);
  });
});

describe('another choice', () => {
  it('ends the questions of the one before, whose late answers count for nothing', async () => {
    const { actions, loader } = await shown();
    actions.chooseModule('jit_g');
    await rest();
    const first = last('usage');
    actions.chooseModule('jit_f');
    await rest();
    expect(first.signal.aborted).toBe(true);
    first.answer(usageOf('jit_g'));
    await rest();
    expect(answerOf(loader.usage)?.answer.module).toBe('jit_f');
  });

  it('forgets the findings and the comparison of the one before', async () => {
    const { actions, loader } = await shown();
    expect(loader.findings.kind).toBe('ready');
    actions.chooseModule('jit_g');
    await rest();
    expect(loader.findings.kind).toBe('waiting');
    expect(loader.usage.kind).toBe('waiting');
  });

  it('that was shown a moment ago is not asked for again', async () => {
    const { actions, loader } = await shown();
    actions.chooseModule('jit_g');
    await rest();
    await answer('usage', usageOf('jit_g'));
    const before = count('usage');
    actions.chooseModule('jit_f');
    await rest();
    expect(count('usage')).toBe(before);
    expect(answerOf(loader.usage)?.answer.module).toBe('jit_f');
  });

  it('of the run lists its modules', async () => {
    const { actions } = await shown();
    actions.chooseRun('other');
    expect(last('names').query).toEqual(['other', null]);
  });
});

describe('a capacity', () => {
  it('asks for the findings again, and those that are shown stay until then', async () => {
    const { actions, loader } = await shown();
    const before = loader.findings;
    actions.setCapacity(2 ** 30);
    expect(last('findings').query[2]).toBe(2 ** 30);
    expect(loader.findings).toBe(before);
    await answer('findings', { findings: [{ kind: 'over_capacity' }] });
    expect(answerOf(loader.findings)?.findings).toHaveLength(1);
    expect(count('usage')).toBe(1);
  });

  it('counts in the order it was typed, not in that of the answers', async () => {
    const { actions, loader } = await shown();
    actions.setCapacity(1);
    const first = last('findings');
    actions.setCapacity(2);
    await answer('findings', { findings: [{ kind: 'second' }] });
    first.answer({ findings: [{ kind: 'first' }] });
    await rest();
    expect(first.signal.aborted).toBe(true);
    expect(answerOf(loader.findings)?.findings.map(({ kind }) => kind)).toEqual(['second']);
  });

  it('leaves, in a report, what does not depend on it', async () => {
    const { actions, loader } = await shown();
    report.is = true;
    actions.setCapacity(2 ** 30);
    expect(last('findings').query[2]).toBeNull();
    await answer('findings', { findings: [{ kind: 'over_capacity' }, { kind: 'padding' }] });
    expect(answerOf(loader.findings)?.findings.map(({ kind }) => kind)).toEqual(['padding']);
  });
});

describe('a baseline', () => {
  it('is asked for, and nothing is compared once it is left', async () => {
    const { actions, loader } = await shown();
    const baseline = { run: 'other', host: null, module: 'jit_f', space: 'HBM' };
    actions.compareWith(baseline);
    expect(last('compare').query).toEqual([{ run: usage.run, host: null, module: 'jit_f' }, 'HBM', baseline]);
    expect(loader.comparison?.kind).toBe('waiting');
    actions.compareWith(null);
    await answer('compare', {});
    expect(last('compare').signal.aborted).toBe(true);
    expect(loader.comparison).toBeNull();
  });
});

it('a failure is kept with its words, and the next start asks anew', async () => {
  const { ApiError } = await import('../src/api');
  const { loader } = pageAt({});
  last('runs').fail(new ApiError('unreachable', 'The server does not answer.', 'Try again.'));
  await rest();
  expect(loader.runs).toMatchObject({ kind: 'failed', error: { code: 'unreachable' } });
  void loader.start();
  expect(loader.runs.kind).toBe('waiting');
  await answer('runs', runs);
  expect(loader.runs.kind).toBe('ready');
});
