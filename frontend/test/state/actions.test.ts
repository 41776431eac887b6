// What each action resets: nothing that belongs to one run, module or memory space stays for another.

import { describe, expect, it, vi } from 'vitest';
import { Store } from '../../src/lib/store';
import { bindActions, bindMoves } from '../../src/state/actions';
import { type Change, choose } from '../../src/state/choose';
import { look } from '../../src/state/look';
import type { State } from '../../src/state/state';
import { dataset, state } from '../golden';

const baseline = { run: 'b', host: null, module: 'm', space: 'HBM' };
/** Everything that a person can choose is chosen. */
const full = state({
  run: 'r',
  host: 'host0',
  module: 'm',
  space: 'HBM',
  point: 3,
  window: [1, 4],
  pinned: 2,
  hovered: 1,
  hoveredPoint: 5,
  zoom: [0, 9],
  folded: [1],
  capacity: 16,
  group: 'opcode',
  groupPath: ['a', 'b'],
  filter: 'dot',
  baseline,
});

const NO_BUFFER = { pinned: null, hovered: null, groupPath: [] };
const NO_AXIS = { point: null, window: null, hoveredPoint: null, zoom: null, folded: [] };

/** Every action with what it changes of `full`, all of it: a reset too many is as wrong as one too few. */
const CHANGES: readonly (readonly [string, Change, Change])[] = [
  [
    'another run may be of another device',
    choose.chooseRun(full, 'other'),
    { ...NO_BUFFER, ...NO_AXIS, capacity: null, run: 'other', host: null, module: null, shown: 'module' },
  ],
  ['another host', choose.chooseHost(full, null), { ...NO_BUFFER, ...NO_AXIS, host: null }],
  [
    'another module in the same space',
    choose.chooseModule(full, 'other'),
    { ...NO_BUFFER, ...NO_AXIS, module: 'other', shown: 'module' },
  ],
  [
    'another module in another space',
    choose.chooseModule(full, 'other', 'VMEM'),
    {
      ...NO_BUFFER,
      ...NO_AXIS,
      module: 'other',
      shown: 'module',
      space: 'VMEM',
      capacity: null,
      baseline: { ...baseline, space: 'VMEM' },
    },
  ],
  [
    'another memory space, on the same axis',
    choose.chooseSpace(full, 'VMEM'),
    { ...NO_BUFFER, space: 'VMEM', capacity: null, baseline: { ...baseline, space: 'VMEM' } },
  ],
  ['the same memory space', choose.chooseSpace(full, 'HBM'), {}],
  ['a capacity', choose.setCapacity(full, 7), { capacity: 7 }],
  ['the table of modules', choose.toggleModules(full), { shown: 'modules' }],
  ['back to the module', choose.toggleModules({ ...full, shown: 'modules' }), { shown: 'module' }],
  ['the end of a comparison', choose.compareWith(full, null), { baseline: null }],
  ['a run that the loader opens', choose.openRun(full, 'other'), { run: 'other', host: null }],
  ['a host that the run does not have', choose.openAllHosts(), { host: null }],
  ['a module that the loader opens', choose.openModule(full, 'other', 'HBM'), { module: 'other' }],
  [
    'a module that the loader opens in another space',
    choose.openModule(full, 'other', 'VMEM'),
    { module: 'other', space: 'VMEM', capacity: null, baseline: { ...baseline, space: 'VMEM' } },
  ],
  ['another name of what is shown', choose.nameShown(full, 'm(1)', '0'), { module: 'm(1)', space: '0' }],
  ['a hovered buffer', look.hover(full, 4), { hovered: 4 }],
  ['a hovered point', look.hoverPoint(full, 4), { hoveredPoint: 4 }],
  ['a place on the map', look.hoverPlace(full, null, 6), { hovered: null, hoveredPoint: 6 }],
  ['a pin', look.pin(full, 4), { pinned: 4 }],
  ['a click on another buffer', look.togglePin(full, 4), { pinned: 4 }],
  ['a click on the pinned buffer', look.togglePin(full, 2), { pinned: null }],
  ['a click on none', look.togglePin(full, null), { pinned: null }],
  ['a link to a buffer', look.showBuffer(full, 4), { pinned: 4, hovered: null }],
  ['an end of the pin', look.unpin(), { pinned: null, hovered: null }],
  ['another grouping', look.groupBy(full, 'scope'), { group: 'scope', groupPath: [] }],
  ['the same grouping', look.groupBy(full, 'opcode'), {}],
  ['another expression', look.groupByExpression(full, 'x'), { expression: 'x', groupPath: [] }],
  ['a group', look.drill(full, ['c']), { groupPath: ['c'] }],
  ['the group around', look.drillUp(full), { groupPath: ['a'] }],
  ['the group around all', look.drillUp(state()), {}],
  ['a filter', look.filterBy(full, 'x'), { filter: 'x' }],
  ['a window', look.selectWindow(full, [2, 3]), { window: [2, 3] }],
  ['what was allocated within', look.setWithin(full, true), { within: true }],
  ['the whole program', look.zoomTo(full, null), { zoom: null }],
  ['Esc: first the pin', look.letGo(full), { pinned: null, hovered: null }],
  ['Esc: then the group', look.letGo({ ...full, pinned: null }), { groupPath: [] }],
  ['Esc: then the window', look.letGo({ ...full, pinned: null, groupPath: [] }), { window: null }],
  ['Esc: then nothing', look.letGo(state()), {}],
  ['a theme', look.setTheme(full, 'dark'), { theme: 'dark' }],
  ['rows found', look.filterFound(full, null, 'broken'), { filterRows: null, filterProblem: 'broken' }],
  ['names found', look.namesFound(full, []), { instructionNames: [], expressionProblem: null }],
  [
    'another dataset',
    look.forgetFound(),
    { filterRows: null, filterProblem: null, instructionNames: null, expressionProblem: null },
  ],
];

it.each(CHANGES)('%s', (_, change, expected) => {
  expect(change).toEqual(expected);
});

describe('a memory space', () => {
  it('keeps a capacity that was given before any space was chosen', () => {
    const change = choose.openModule(state({ space: null, capacity: 16 }), 'm', 'HBM');
    expect(change).toMatchObject({ space: 'HBM', capacity: 16 });
  });

  it('leaves a baseline of another space as it is', () => {
    const other = { ...full, baseline: { ...baseline, space: 'SMEM' } };
    expect(choose.chooseSpace(other, 'VMEM').baseline?.space).toBe('SMEM');
  });
});

it('an address changes neither the theme nor what searches found', () => {
  const found = { theme: 'dark', filterRows: new Uint8Array(2), filterProblem: 'p', instructionNames: [] } as const;
  const arrived = choose.arrive({ ...full, ...found }, state({ run: 'linked' }));
  expect(arrived).toMatchObject({ ...found, run: 'linked', point: null, zoom: null });
});

describe('bound to a store', () => {
  it('an action changes it once, and not at all where nothing is new', () => {
    const store = new Store<State>(full);
    const heard = vi.fn();
    store.subscribe(heard);
    bindActions(store).chooseModule('other', 'VMEM');
    expect(heard).toHaveBeenCalledOnce();
    expect(store.state).toMatchObject({ module: 'other', space: 'VMEM', capacity: null, zoom: null });
    bindActions(store).chooseSpace('VMEM');
    expect(heard).toHaveBeenCalledOnce();
  });

  it('a move selects a point and brings it into view in one change', () => {
    const data = dataset('while_cond_hbm');
    const store = new Store<State>(state({ zoom: [0, 8], window: [1, 3] }));
    const heard = vi.fn();
    store.subscribe(heard);
    bindMoves(store, data).selectPoint(data.points + 100);
    expect(heard).toHaveBeenCalledOnce();
    expect(store.state.window).toBeNull();
    expect(store.state.zoom?.[1]).toBe(data.points);
  });
});

describe('stacked usage', () => {
  it('by another grouping leaves the chosen group, which means nothing there; by the same one keeps it', () => {
    const shown = state({ group: 'owner', groupPath: ['a'] });
    expect(look.stackBy(shown, 'owner')).toEqual({ chart: 'stacked' });
    expect(look.stackBy(shown, 'type')).toEqual({ chart: 'stacked', group: 'type', groupPath: [] });
    expect(look.showLine()).toEqual({ chart: 'line' });
  });
});
