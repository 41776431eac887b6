import { describe, expect, it } from 'vitest';
import { longestIdle } from '../../src/model/idle';
import { layoutWords } from '../../src/model/shape_words';

describe('layouts in words', () => {
  it.each([
    ['bf16[777,3]{1,0:T(8,128)(2,1)}', 'row-major, in tiles of 8 × 128, then 2 × 1'],
    [
      'f32[12,4,12,512,512]{3,4,2,1,0:T(8,128)}',
      'dimension 3 varies fastest, dimension 0 slowest, in tiles of 8 × 128',
    ],
    ['f32[8,8]{0,1}', 'column-major'],
    ['s4[64]{0:T(1024)E(4)S(1)}', 'in tiles of 1024, 4 bits per element'],
    ['f32[]', ''],
    ['(f32[2], s32[])', ''],
    ['f32[3]{0}', ''],
  ])('%s', (shape, words) => expect(layoutWords(shape)).toBe(words));
});

describe('the longest idle stretch', () => {
  it('lies between readers, or after the last', () => {
    expect(longestIdle(0, 20, Int32Array.of(1, 2, 10, 11))).toEqual([12, 20]);
    expect(longestIdle(0, 13, Int32Array.of(1, 2, 10, 12))).toEqual([3, 10]);
    expect(longestIdle(5, 8, Int32Array.of())).toEqual([6, 8]);
    expect(longestIdle(5, 7, Int32Array.of(6))).toBeNull();
  });
});
