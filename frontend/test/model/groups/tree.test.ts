/** Groups add up, and the icicle keeps their proportions. */
import { describe, expect, it } from 'vitest';
import { GroupSums, GroupTree, layoutIcicle } from '../../../src/model/groups/tree';

function treeOf(leaves: readonly (readonly [readonly string[], number])[]) {
  const tree = new GroupTree();
  const nodes = leaves.map(([path]) => path.reduce((node, name) => tree.grow(node, name), 0));
  const sums = new GroupSums(tree);
  leaves.forEach(([, bytes], at) => {
    sums.add(nodes[at]!, bytes, bytes / 2);
  });
  return sums.settle();
}

const leaf = (path: string, bytes: number) => [path.split('/'), bytes] as const;
const tree = treeOf([leaf('f/a/x', 60), leaf('f/c', 5), leaf('f/a/y', 20), leaf('f/b', 15)]);

describe('group tree', () => {
  it('adds amounts up along the path', () => {
    expect(tree).toMatchObject({ bytes: 100, unpadded: 50, count: 4 });
    expect(tree.at(['f', 'a'])).toMatchObject({ bytes: 80, count: 2 });
    expect(tree.at(['f', 'gone'])).toBeNull();
  });

  it('puts the largest first', () => {
    expect(tree.at(['f'])?.children.map((child) => child.name)).toEqual(['a', 'b', 'c']);
  });

  it('knows where a group is and what is in none', () => {
    const forest = new GroupTree();
    const empty = forest.grow(forest.grow(0, 'a'), 'b');
    const full = forest.grow(0, 'b');
    const sums = new GroupSums(forest);
    sums.add(full, 1, 1);
    expect(forest.path(empty)).toEqual(['a', 'b']);
    expect(forest.find(['a', 'b'])).toBe(empty);
    expect(forest.find(['b', 'b'])).toBeNull();
    expect(forest.grow(0, 'b')).toBe(full);
    expect(sums.settle().children.map(({ path }) => path)).toEqual([['b']]);
  });

  it('keeps names that hold a slash whole', () => {
    const odd = treeOf([[['a/b', '<img onerror=x>'], 1]]);
    expect(odd.at(['a/b', '<img onerror=x>'])).toMatchObject({ bytes: 1 });
    expect(odd.levels).toBe(3);
  });
});

describe('icicle', () => {
  it('gives each group its share of the width and gathers the narrow ones', () => {
    const cells = layoutIcicle(tree.at(['f'])!, 3, 0.1);
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
