// What is typed as a filter: which rows it leaves, and what is said of an expression that is none.

import { expect, it } from 'vitest';
import { Store } from '../src/lib/store';
import { keepMatches } from '../src/matching';
import { bindActions } from '../src/state/actions';
import type { State } from '../src/state/state';
import { dataset, state } from './golden';

const data = dataset('while_cond_hbm');
const settled = (): Promise<void> => new Promise((done) => setTimeout(done));

it('says what is wrong with an expression, until something else is typed', async () => {
  const store = new Store<State>(state());
  const stop = keepMatches({ store, dataset: data, actions: bindActions(store) });
  store.set({ filter: '/(/' });
  await settled();
  expect(store.state.filterProblem).toContain('(');
  expect(store.state.filterRows).toBeNull();
  store.set({ filter: 'no buffer is called so' });
  await settled();
  expect(store.state.filterProblem).toBeNull();
  expect(store.state.filterRows).toEqual(new Uint8Array(data.count));
  stop();
  expect(store.state.filterRows).toBeNull();
});

it('leaves the rows whose names have the text', async () => {
  const store = new Store<State>(state());
  const name = data.name(0);
  const stop = keepMatches({ store, dataset: data, actions: bindActions(store) });
  store.set({ filter: name });
  await settled();
  expect(store.state.filterRows?.[0]).toBe(1);
  stop();
});
