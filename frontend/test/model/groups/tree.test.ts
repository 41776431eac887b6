/** Groups add up, and the icicle keeps their proportions. */
import { describe, expect, it } from 'vitest';
import { argumentParts, operationOf } from '../../../src/model/groups/path';
import { buildTree, depthOf, layoutIcicle, nodeAt } from '../../../src/model/groups/tree';

const leaf = (path: string, bytes: number) => ({ path: path.split('/'), bytes, unpadded: bytes / 2, count: 1 });
const tree = buildTree([leaf('f/a/x', 60), leaf('f/a/y', 20), leaf('f/b', 15), leaf('f/c', 5)]);

describe('group tree', () => {
  it('adds amounts up along the path', () => {
    expect(tree).toMatchObject({ bytes: 100, unpadded: 50, count: 4 });
    expect(nodeAt(tree, ['f', 'a'])).toMatchObject({ bytes: 80, count: 2 });
    expect(nodeAt(tree, ['f', 'gone'])).toBeNull();
  });

  it('puts the largest first', () => {
    expect(nodeAt(tree, ['f'])?.children.map((child) => child.name)).toEqual(['a', 'b', 'c']);
  });

  it('keeps names that hold a slash whole', () => {
    const odd = buildTree([{ path: ['a/b', '<img onerror=x>'], bytes: 1, unpadded: 1, count: 1 }]);
    expect(nodeAt(odd, ['a/b', '<img onerror=x>'])).toMatchObject({ bytes: 1 });
    expect(depthOf(odd)).toBe(3);
  });
});

describe('icicle', () => {
  it('gives each group its share of the width and gathers the narrow ones', () => {
    const cells = layoutIcicle(nodeAt(tree, ['f']) as NonNullable<ReturnType<typeof nodeAt>>, 3, 0.1);
    expect(
      cells.map(({ node, depth, left, right, gathered }) => [node.name, depth, left, +right.toFixed(6), gathered]),
    ).toEqual([
      ['f', 0, 0, 1, 0],
      ['a', 1, 0, 0.8, 0],
      ['x', 2, 0, 0.6, 0],
      ['y', 2, 0.6, 0.8, 0],
      ['b', 1, 0.8, 0.95, 0],
      ['f', 1, 0.9500000000000001, 1, 1],
    ]);
  });
});

describe('names', () => {
  it.each([
    ["params['blocks']['g1']", ['params', 'blocks', 'g1']],
    ['state.opt[0].mu', ['state', 'opt', '0', 'mu']],
    ['x', ['x']],
    ['', []],
  ])('argument %s', (name, parts) => {
    expect(argumentParts(name)).toEqual(parts);
  });

  it.each([
    ['jit(step)/transpose(jvp(a/b))/dot_general', 'dot_general'],
    ['jit(step)/transpose(jvp(a/b))', ''],
    ['add', 'add'],
    ['', ''],
  ])('operation of %s', (op, operation) => {
    expect(operationOf(op)).toBe(operation);
  });
});
