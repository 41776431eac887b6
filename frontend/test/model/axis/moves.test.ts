// Moves along the program order, with loops folded and without.

import { describe, expect, it } from 'vitest';
import { Store } from '../../../src/lib/store';
import { axisOf, shownStretch } from '../../../src/model/selection';
import { bindMoves, type Moves } from '../../../src/state/actions';
import type { State } from '../../../src/state/state';
import { dataset, state } from '../../golden';

const data = dataset('while_cond_hbm');
const row = data.loops.findIndex((loop) => loop?.kind === 'while' && loop.end - loop.start > 2);
const loop = data.loops[row]!;

function storeOf(patch: Partial<State> = {}): Moves & { readonly state: State } {
  const store = new Store<State>(state(patch));
  return Object.defineProperty({ ...bindMoves(store, data) } as Moves & { state: State }, 'state', {
    get: () => store.state,
  });
}

describe('folding', () => {
  it('shortens the axis, and unfolding restores it', () => {
    const store = storeOf();
    store.foldLoop(row);
    expect(store.state.folded).toEqual([row]);
    expect(axisOf(data, store.state).cells).toBeLessThan(data.points);
    store.foldLoop(row);
    expect(axisOf(data, store.state).cells).toBe(data.points);
  });

  it('ends a zoom that would show nothing but the folded loop, and no other', () => {
    const inside = storeOf({ zoom: [loop.start, loop.end] });
    inside.foldLoop(row);
    expect(inside.state.zoom).toBeNull();
    const around = storeOf({ zoom: [Math.max(0, loop.start - 1), Math.min(data.points, loop.end + 1)] });
    const { zoom } = around.state;
    around.foldLoop(row);
    expect(around.state.zoom).toBe(zoom);
  });

  it('by key takes the innermost loop around the point, and unfolds what is folded there', () => {
    const store = storeOf({ point: loop.start });
    store.foldHere();
    expect(store.state.folded).toHaveLength(1);
    const folded = data.loops[store.state.folded[0]!]!;
    expect(folded.start <= loop.start && loop.start < folded.end).toBe(true);
    store.foldHere();
    expect(store.state.folded).toEqual([]);
  });

  it('is undone by a look into the loop', () => {
    const store = storeOf({ folded: [row] });
    store.zoomToLoop(row);
    expect([store.state.folded, store.state.zoom]).toEqual([[], [loop.start, loop.end]]);
  });
});

describe.each([[[]], [[row]]])('with loops %j folded', (folded) => {
  it('zooms in and out, pans, and stays within the axis', () => {
    const store = storeOf({ folded, point: 0 });
    const { cells } = axisOf(data, store.state);
    store.zoomBy(0.5);
    const [a, b] = shownStretch(data, store.state);
    expect(b - a).toBe(Math.max(Math.min(8, data.points), Math.round(cells / 2)));
    store.panBy([a, b], 10 * cells);
    expect(shownStretch(data, store.state)).toEqual([cells - (b - a), cells]);
    store.zoomBy(100);
    expect(store.state.zoom).toBeNull();
  });

  it('walks from start to end, over every cell that is a point', () => {
    const store = storeOf({ folded, point: 0 });
    const axis = axisOf(data, store.state);
    const inside = axis.folds.reduce((sum, { start, end }) => sum + end - start, 0);
    const steps = data.points - inside + axis.folds.length - 1;
    for (let step = 0; step < steps; step++) store.stepBy(1);
    const last = axis.foldAt(data.points - 1)?.top ?? data.points - 1;
    expect(store.state.point ?? data.headline.peak_point).toBe(last);
  });

  it('brings a point into view', () => {
    const store = storeOf({ folded, zoom: [0, 8] });
    store.selectPoint(data.points - 1);
    const [a, b] = shownStretch(data, store.state);
    const cell = axisOf(data, store.state).at(data.points - 1);
    expect(a <= cell && cell < b).toBe(true);
  });
});
