import { describe, expect, it, vi } from 'vitest';
import { decodeColumn, decodeIds, decodeRows } from '../../src/lib/column';
import { formatHash, parseHash } from '../../src/lib/hash_params';
import { colorOf, groupColor, inkOn, shade } from '../../src/lib/palette';
import { Store } from '../../src/lib/store';
import { counted, fitted, shortenMiddle, shortenModule, shortenStart, shortPath } from '../../src/lib/text';

describe('columns', () => {
  it('are decoded from all three encodings', () => {
    expect([...decodeColumn([3, null, 2 ** 52])]).toEqual([3, -1, 2 ** 52]);
    expect([...decodeColumn({ delta: [5, 1, -6, 0] })]).toEqual([5, 6, 0, 0]);
    expect([...decodeRows({ runs: [7, 2, 0, 1] })]).toEqual([7, 7, 0]);
    expect([...decodeColumn([])]).toEqual([]);
  });

  it('keep ids that no number holds', () => {
    expect(decodeIds(['9223372036854775807', '12'])).toEqual(['9223372036854775807', '12']);
    expect(decodeIds([0, null])).toEqual(['0', '']);
    expect(decodeIds({ runs: [4, 2] })).toEqual(['4', '4']);
  });
});

describe('store', () => {
  it('tells of changes once, with the state before', () => {
    const store = new Store({ a: 1, b: 2 });
    const heard = vi.fn();
    const stop = store.subscribe(heard);
    store.set({ a: 1 });
    expect(heard).not.toHaveBeenCalled();
    store.set({ a: 3 });
    expect(heard).toHaveBeenCalledExactlyOnceWith({ a: 3, b: 2 }, { a: 1, b: 2 });
    stop();
    store.set({ a: 4 });
    expect(heard).toHaveBeenCalledOnce();
  });

  it('goes on telling when a listener leaves on the way', () => {
    const store = new Store({ a: 1 });
    const stop = store.subscribe(() => stop());
    const heard = vi.fn();
    store.subscribe(heard);
    store.set({ a: 2 });
    expect(heard).toHaveBeenCalledOnce();
  });
});

describe('hash', () => {
  it('carries any text', () => {
    const entries: [string, string][] = [
      ['run', 'train/a b&c=d#e'],
      ['module', 'jit_f(1)<img>'],
      ['filter', '/ü+/i'],
    ];
    expect([...parseHash(formatHash(entries))]).toEqual(entries);
  });

  it('reads broken ones as far as they go', () => {
    expect([...parseHash('#a=%E0%A4&&b&a=2')]).toEqual([
      ['a', '%E0%A4'],
      ['b', ''],
    ]);
    expect(formatHash([['a', null]])).toBe('');
  });
});

describe('text', () => {
  it('is shortened in the middle, the end kept longer', () => {
    expect(shortenMiddle('short', 5)).toBe('short');
    expect(shortenModule('jit_f(1234567890123)', 14)).toBe('jit_f(12…0123)');
    expect(shortenModule('jit_f(12)', 20)).toBe('jit_f(12)');
    expect(shortenModule('jit_a_long_name(1234567890)', 14)).toBe(shortenMiddle('jit_a_long_name(1234567890)', 14));
    expect(shortenModule('no number', 5)).toBe(shortenMiddle('no number', 5));
    const cut = shortenMiddle('custom-call.1234567', 9);
    expect(cut).toHaveLength(9);
    expect(cut).toMatch(/^cus….*34567$/);
  });

  it('are cut at their start, at a scope where that keeps enough', () => {
    expect(shortenStart('jit(f)/while', 12)).toBe('jit(f)/while');
    expect(shortenStart('jit(train_step)/jvp()/while', 18)).toBe('…/jvp()/while');
    expect(shortenStart("params['blocks']['w1']", 12)).toBe("…cks']['w1']");
    expect(shortenStart('a/long_last_scope', 8)).toBe('…t_scope');
  });

  it('are no wider than there is room', () => {
    const width = (text: string): number => [...text].reduce((sum, letter) => sum + (letter === 'm' ? 3 : 1), 0);
    expect(fitted('whole', shortenMiddle, 5, width)).toBe('whole');
    const cut = fitted('mmmmmm_iiiiiiiiii', shortenMiddle, 12, width);
    expect(width(cut)).toBeLessThanOrEqual(12);
    expect(cut).toMatch(/^m+…i+$/);
  });

  it('fit in a few steps however many letters of no width they have', () => {
    const width = vi.fn((text: string) => text.replaceAll('\u200b', '').length);
    const name = `${'\u200b'.repeat(30_000)}${'m'.repeat(20)}${'\u200b'.repeat(30_000)}${'m'.repeat(20)}`;
    expect(width(fitted(name, shortenMiddle, 12, width))).toBeLessThanOrEqual(12);
    expect(width.mock.calls.length).toBeLessThan(500);
  });

  it('counts', () => {
    expect(counted(1, 'buffer')).toBe('1 buffer');
    expect(counted(1200, 'buffer')).toBe('1,200 buffers');
    expect(shortPath('/home/me/model/layers.py')).toBe('model/layers.py');
  });
});

describe('colors', () => {
  it('are alike for groups whose names differ in numbers, and told apart by shades', () => {
    expect(groupColor('layer_1')).toBe(groupColor('layer_12'));
    const shades = [0, 1, 2, 3, 4].map((step) => shade('#2f7fc1', step));
    expect([shades[0], new Set(shades).size]).toEqual(['#2f7fc1', 5]);
    for (const one of shades) expect(one).toMatch(/^#[0-9a-f]{6}$/);
  });

  const names = Array.from({ length: 4000 }, (_, at) => `fusion.${at} f32[${at}]`);

  it('are stable and spread evenly', () => {
    expect(colorOf('while f32[8]')).toBe(colorOf('while f32[8]'));
    const uses = new Map<string, number>();
    for (const name of names) uses.set(colorOf(name), (uses.get(colorOf(name)) ?? 0) + 1);
    expect(uses.size).toBe(20);
    for (const count of uses.values()) expect(count).toBeGreaterThan(100);
  });

  it('have an ink that is read on them: 4.5 to 1 at least', () => {
    for (const color of new Set(names.map(colorOf))) expect(contrast(color, inkOn(color))).toBeGreaterThan(4.5);
  });
});

function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: string): number {
  const parts = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}
