/** What counts as an expression; the worker is tried in the browser. */
import { describe, expect, it } from 'vitest';
import { containsText, expressionProblem, parsePattern } from '../../src/lib/pattern';

describe('pattern', () => {
  it.each([
    ['', { kind: 'none' }],
    ['  fusion ', { kind: 'text', text: 'fusion' }],
    ['/layer_(\\d+)/i', { kind: 'expression', source: 'layer_(\\d+)', flags: 'i' }],
    ['/unfinished', { kind: 'text', text: '/unfinished' }],
    ['//', { kind: 'text', text: '//' }],
    ['/a/b/', { kind: 'expression', source: 'a/b', flags: '' }],
  ])('%j', (typed, pattern) => {
    expect(parsePattern(typed)).toEqual(pattern);
  });

  it('says why an expression cannot be used', () => {
    expect(expressionProblem('(', '')).toContain('(');
    expect(expressionProblem('a', 'zz')).not.toBeNull();
    expect(expressionProblem('a+', 'i')).toBeNull();
  });

  it('finds text, letter case aside', () => {
    expect(containsText(['Fusion.1', 'copy'], 'fusion')).toEqual(['fusion', null]);
    expect(containsText(['a.b', 'axb', '(', '[1]{0}'], '.')).toEqual(['.', null, null, null]);
    expect(containsText(['f32[8,128]{1,0:T(8,128)(2,1)}'], '{1,0:T(8,')).toEqual(['{1,0:T(8,']);
  });
});
