import { describe, expect, it } from 'vitest';
import { readHash, writeHash } from '../../src/state/hash';
import { INITIAL, type State } from '../../src/state/state';

const FULL: State = {
  ...INITIAL,
  shown: 'modules',
  run: 'train/run 1',
  host: 'host0',
  module: 'jit_f(12)',
  space: 'HBM',
  point: 0,
  chart: 'stacked',
  group: 'expression',
  expression: 'layer_(\\d+)',
  groupPath: ['a/b', '<img onerror=x>', ''],
  filter: '/dot/i',
  zoom: [3, 90],
  folded: [2, 7],
  capacity: 17179869184,
  baseline: { run: 'other', host: null, module: 'jit_g', space: 'HBM' },
};

describe('the state in the address', () => {
  it('comes back as it was', () => {
    expect(readHash(writeHash(FULL, '42'))).toEqual({ state: FULL, buffer: '42' });
    const window = { ...INITIAL, window: [5, 9] as const, within: true };
    expect(readHash(writeHash(window, null)).state).toEqual(window);
  });

  it('is empty where nothing is chosen', () => {
    expect(writeHash(INITIAL, null)).toBe('');
    expect(readHash('')).toEqual({ state: INITIAL, buffer: null });
  });

  it('is read with care: what is no choice is no choice', () => {
    const hash = '#point=-3&zoom=9,3&window=a&capacity=1e9&group=<b>&path={"a":1}&baseline=[1]&run=&fold=1,x&junk';
    expect(readHash(hash).state).toEqual(INITIAL);
    expect(readHash('#path=[1,2]&baseline={"run":"x"}').state).toEqual(INITIAL);
  });

  it('leaves out what is hovered', () => {
    expect(writeHash({ ...INITIAL, hovered: 4, hoveredPoint: 7, theme: 'dark' }, null)).toBe('');
  });
});
