// Which changes are steps that a browser's Back undoes.

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Address } from '../src/address';
import { Store } from '../src/lib/store';
import type { State } from '../src/state/state';
import { state } from './golden';

const history = { pushState: vi.fn(), replaceState: vi.fn() };

beforeEach(() => {
  vi.useFakeTimers();
  const location = { hash: '#run=a', pathname: '/page.html', search: '', href: 'http://127.0.0.1/page.html#run=a' };
  const window = { addEventListener: vi.fn(), location };
  vi.stubGlobal('document', { location });
  vi.stubGlobal('window', Object.assign(window, { parent: window }));
  vi.stubGlobal('history', history);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

function storeWith(guest: boolean): Store<State> {
  const store = new Store<State>(state({ run: 'a' }));
  new Address({ store, guest, bufferId: String, arrive: () => {} });
  return store;
}

const STEPS: readonly Partial<State>[] = [
  { shown: 'modules' },
  { run: 'b' },
  { host: 'host1' },
  { module: 'jit_f(1)' },
  { space: 'VMEM' },
  { point: 3 },
  { window: [1, 2] },
  { within: true },
  { pinned: 4 },
  { group: 'opcode' },
  { groupPath: ['arguments'] },
  { baseline: { run: 'b', host: null, module: 'jit_f(1)', space: 'HBM' } },
];

it.each(STEPS)('a step is %j', (patch) => {
  storeWith(false).set(patch);
  expect(history.pushState).toHaveBeenCalledOnce();
});

it.each<Partial<State>>([{ filter: 'dot' }, { zoom: [1, 9] }, { capacity: 7 }, { folded: [1] }])(
  'no step of its own is %j',
  (patch) => {
    storeWith(false).set(patch);
    expect(history.replaceState).not.toHaveBeenCalled();
    vi.runAllTimers();
    expect(history.pushState).not.toHaveBeenCalled();
    expect(history.replaceState).toHaveBeenCalledOnce();
  },
);

it('in the Profile tab nothing is a step', () => {
  const store = storeWith(true);
  for (const patch of STEPS) store.set(patch);
  vi.runAllTimers();
  expect(history.pushState).not.toHaveBeenCalled();
  expect(history.replaceState).toHaveBeenCalledOnce();
});

it('one walk is one step, and a rest begins another', () => {
  const store = storeWith(false);
  for (const point of [1, 2, 3]) store.set({ point });
  expect(history.pushState).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(701);
  store.set({ point: 4 });
  expect(history.pushState).toHaveBeenCalledTimes(2);
});
