/**
 * A tree of named groups with the bytes in them, and its layout as an icicle. It knows nothing of what is grouped: leaves come as
 * paths with amounts. A path's first name is the outermost group.
 */

export interface Leaf {
  readonly path: readonly string[];
  readonly bytes: number;
  readonly unpadded: number;
  readonly count: number;
}

export interface GroupNode {
  readonly name: string;
  readonly path: readonly string[];
  /** Largest first. */
  readonly children: readonly GroupNode[];
  readonly bytes: number;
  readonly unpadded: number;
  readonly count: number;
}

interface Growing {
  name: string;
  path: readonly string[];
  children: Map<string, Growing>;
  bytes: number;
  unpadded: number;
  count: number;
}

export function buildTree(leaves: Iterable<Leaf>): GroupNode {
  const root = sprout('', []);
  for (const leaf of leaves) {
    let node = root;
    add(node, leaf);
    for (const name of leaf.path) {
      let child = node.children.get(name);
      if (child === undefined) {
        child = sprout(name, [...node.path, name]);
        node.children.set(name, child);
      }
      node = child;
      add(node, leaf);
    }
  }
  return settle(root);
}

function sprout(name: string, path: readonly string[]): Growing {
  return { name, path, children: new Map(), bytes: 0, unpadded: 0, count: 0 };
}

function add(node: Growing, leaf: Leaf): void {
  node.bytes += leaf.bytes;
  node.unpadded += leaf.unpadded;
  node.count += leaf.count;
}

function settle(node: Growing): GroupNode {
  const children = [...node.children.values()]
    .map(settle)
    .sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1));
  return { ...node, children };
}

/** The node at a path, or null where the tree has no such group (any more). */
export function nodeAt(root: GroupNode, path: readonly string[]): GroupNode | null {
  let node: GroupNode | undefined = root;
  for (const name of path) node = node?.children.find((child) => child.name === name);
  return node ?? null;
}

/** One cell of the icicle: [left, right) as shares of the width, one level a depth. */
export interface Cell {
  readonly node: GroupNode;
  readonly depth: number;
  readonly left: number;
  readonly right: number;
  /** Groups too narrow to draw, gathered into this cell; 0 for a cell of one group. */
  readonly gathered: number;
  readonly bytes: number;
}

/** Cells of the groups below a node, to a depth; cells narrower than `least` (a share of the width) are gathered at the right end. */
export function layoutIcicle(top: GroupNode, levels: number, least: number): Cell[] {
  const cells: Cell[] = [];
  const place = (node: GroupNode, depth: number, left: number, right: number): void => {
    cells.push({ node, depth, left, right, gathered: 0, bytes: node.bytes });
    if (depth + 1 >= levels || node.bytes === 0) return;
    const perByte = (right - left) / node.bytes;
    let at = left;
    let gathered = 0;
    let gatheredBytes = 0;
    for (const child of node.children) {
      const width = child.bytes * perByte;
      if (width < least) {
        gathered += 1;
        gatheredBytes += child.bytes;
        continue;
      }
      place(child, depth + 1, at, at + width);
      at += width;
    }
    if (gatheredBytes * perByte >= least / 4)
      cells.push({
        node,
        depth: depth + 1,
        left: at,
        right: at + gatheredBytes * perByte,
        gathered,
        bytes: gatheredBytes,
      });
  };
  place(top, 0, 0, 1);
  return cells;
}

/** How many levels the tree below a node has, itself included. */
export function depthOf(node: GroupNode): number {
  let deepest = 0;
  for (const child of node.children) deepest = Math.max(deepest, depthOf(child));
  return deepest + 1;
}
