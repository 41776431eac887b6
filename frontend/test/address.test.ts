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

it('what the loader or the tab chooses is no step', () => {
  const store = new Store<State>(state({ run: 'a' }));
  const address = new Address({ store, guest: false, bufferId: String, arrive: () => {} });
  address.quietly(() => store.set({ module: 'jit_f(1)' }));
  vi.advanceTimersByTime(701);
  expect(history.pushState).not.toHaveBeenCalled();
  expect(history.replaceState).toHaveBeenCalledOnce();
  store.set({ module: 'jit_g(2)' });
  expect(history.pushState).toHaveBeenCalledOnce();
});

it('a step back is taken over without a step of its own', () => {
  const store = new Store<State>(state({ run: 'a' }));
  const arrive = vi.fn(() => store.set({ run: 'c' }));
  new Address({ store, guest: false, bufferId: String, arrive });
  document.location.hash = '#run=c';
  const [, back] = vi.mocked(window.addEventListener).mock.calls.find(([name]) => name === 'popstate')!;
  (back as () => void)();
  (back as () => void)();
  expect(arrive).toHaveBeenCalledExactlyOnceWith('#run=c');
  expect(history.pushState).not.toHaveBeenCalled();
});

it('a link names the pinned buffer by its id', () => {
  const store = new Store<State>(state({ run: 'a', pinned: 4 }));
  const address = new Address({ store, guest: false, bufferId: (row) => `id${row}`, arrive: () => {} });
  expect(address.link()).toBe('http://127.0.0.1/page.html#run=a&buffer=id4');
});

it('the hash to begin with is the own one', () => {
  expect(Address.initial()).toBe('#run=a');
});
