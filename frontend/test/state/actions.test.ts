/** What a choice resets: nothing that belongs to one run, module or memory space stays for another. */
import { describe, expect, it } from 'vitest';
import { Store } from '../../src/lib/store';
import { chooseModule, chooseRun, chooseSpace, inSpace, showLine, stackBy } from '../../src/state/actions';
import type { State } from '../../src/state/state';
import { state } from '../golden';

const baseline = { run: 'b', host: null, module: 'm', space: 'HBM' };
const full: Partial<State> = {
  run: 'r',
  module: 'm',
  space: 'HBM',
  point: 3,
  window: [1, 4],
  pinned: 2,
  hovered: 1,
  zoom: [0, 9],
  folded: [1],
  capacity: 16,
  groupPath: ['a'],
  baseline,
};
const store = (patch: Partial<State> = {}) => new Store<State>(state({ ...full, ...patch }));

describe('another memory space', () => {
  it('drops capacity, pins and group, and keeps the point and the zoom on the common axis', () => {
    const one = store();
    chooseSpace(one, 'VMEM');
    expect(one.state).toMatchObject({ space: 'VMEM', capacity: null, pinned: null, hovered: null, groupPath: [] });
    expect(one.state).toMatchObject({ point: 3, window: [1, 4], zoom: [0, 9], folded: [1] });
  });

  it('is compared with the same space of the baseline', () => {
    const one = store();
    chooseSpace(one, 'VMEM');
    expect(one.state.baseline).toEqual({ ...baseline, space: 'VMEM' });
    const other = store({ baseline: { ...baseline, space: 'SMEM' } });
    chooseSpace(other, 'VMEM');
    expect(other.state.baseline?.space).toBe('SMEM');
  });

  it('changes nothing where it is the one that is shown', () => {
    const one = store();
    const before = one.state;
    chooseSpace(one, 'HBM');
    expect(one.state).toBe(before);
  });

  it('keeps a capacity that was given before any space was chosen', () => {
    expect(inSpace(state({ space: null, capacity: 16 }), 'HBM')).toMatchObject({ space: 'HBM', capacity: 16 });
  });
});

describe('another module', () => {
  it('drops all that is of its axis, and keeps the capacity of the same space of the device', () => {
    const one = store();
    chooseModule(one, 'other');
    expect(one.state).toMatchObject({ module: 'other', space: 'HBM', capacity: 16, point: null, window: null });
    expect(one.state).toMatchObject({ zoom: null, folded: [], pinned: null, groupPath: [] });
  });

  it('drops the capacity where it opens in another space', () => {
    const one = store();
    chooseModule(one, 'other', 'VMEM');
    expect(one.state).toMatchObject({ module: 'other', space: 'VMEM', capacity: null });
  });
});

it('another run may be of another device', () => {
  const one = store();
  chooseRun(one, 'other');
  expect(one.state).toMatchObject({ run: 'other', module: null, capacity: null, point: null, groupPath: [] });
});

describe('stacked usage', () => {
  it('by another grouping leaves the chosen group, which means nothing there; by the same one keeps it', () => {
    const one = store();
    stackBy(one, one.state.group);
    expect(one.state).toMatchObject({ chart: 'stacked', groupPath: ['a'] });
    stackBy(one, 'type');
    expect(one.state).toMatchObject({ chart: 'stacked', group: 'type', groupPath: [] });
    showLine(one);
    expect(one.state).toMatchObject({ chart: 'line', group: 'type' });
  });
});
