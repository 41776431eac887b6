/**
 * A tree of named groups, the bytes in them, and its layout as an icicle. It knows nothing of what is grouped: amounts come by node.
 */

/** No program has as many distinct names. */
const MOST_LABELS = 0x1000000;

/** Names of nested groups. Node 0 is the root, which has none; the parent of a node has a smaller number. */
export class GroupTree {
  readonly labels: string[] = [''];
  readonly parents: number[] = [0];
  readonly #numbers = new Map<string, number>();
  readonly #nodes = new Map<number, number>();
  #links: { readonly first: Int32Array; readonly next: Int32Array } | null = null;

  get count(): number {
    return this.parents.length;
  }

  /** The group of a name in another one, new or known. */
  grow(parent: number, name: string): number {
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(name, number);
    }
    const key = parent * MOST_LABELS + number;
    let node = this.#nodes.get(key);
    if (node === undefined) {
      node = this.parents.length;
      this.#nodes.set(key, node);
      this.parents.push(parent);
      this.labels.push(name);
      this.#links = null;
    }
    return node;
  }

  /** The node at a path of names, null where there is none. */
  find(path: readonly string[]): number | null {
    let node = 0;
    for (const name of path) {
      const number = this.#numbers.get(name);
      const child = number === undefined ? undefined : this.#nodes.get(node * MOST_LABELS + number);
      if (child === undefined) return null;
      node = child;
    }
    return node;
  }

  /** The names from the outermost group to a node. */
  path(node: number): string[] {
    const names: string[] = [];
    for (let at = node; at > 0; at = this.parents[at]!) names.push(this.labels[at]!);
    return names.reverse();
  }

  children(node: number): number[] {
    this.#links ??= this.#link();
    const found: number[] = [];
    for (let child = this.#links.first[node]!; child > 0; child = this.#links.next[child]!) found.push(child);
    return found;
  }

  #link(): { readonly first: Int32Array; readonly next: Int32Array } {
    const first = new Int32Array(this.count);
    const next = new Int32Array(this.count);
    for (let node = this.count - 1; node > 0; node--) {
      next[node] = first[this.parents[node]!]!;
      first[this.parents[node]!] = node;
    }
    return { first, next };
  }
}

/** Amounts by node. */
export class GroupSums {
  readonly bytes: Float64Array;
  readonly unpadded: Float64Array;
  readonly count: Uint32Array;
  /** How many levels of groups that hold something are at a node and below. */
  readonly levels: Uint32Array;

  constructor(readonly tree: GroupTree) {
    this.bytes = new Float64Array(tree.count);
    this.unpadded = new Float64Array(tree.count);
    this.count = new Uint32Array(tree.count);
    this.levels = new Uint32Array(tree.count).fill(1);
  }

  add(node: number, bytes: number, unpadded: number): void {
    this.bytes[node]! += bytes;
    this.unpadded[node]! += unpadded;
    this.count[node]! += 1;
  }

  /** The root, once all is added: then the amounts of a node include those below. */
  settle(): GroupNode {
    const { parents } = this.tree;
    for (let node = this.tree.count - 1; node > 0; node--) {
      if (this.count[node] === 0) continue;
      const parent = parents[node]!;
      this.bytes[parent]! += this.bytes[node]!;
      this.unpadded[parent]! += this.unpadded[node]!;
      this.count[parent]! += this.count[node]!;
      this.levels[parent] = Math.max(this.levels[parent]!, this.levels[node]! + 1);
    }
    return new GroupNode(this, 0);
  }
}

/** A group with what is in it. */
export class GroupNode {
  readonly name: string;
  readonly bytes: number;
  readonly unpadded: number;
  readonly count: number;
  /** How many levels the tree has from here, this one included. */
  readonly levels: number;
  readonly #sums: GroupSums;
  readonly #node: number;
  #children: readonly GroupNode[] | null = null;

  constructor(sums: GroupSums, node: number) {
    this.name = sums.tree.labels[node]!;
    this.bytes = sums.bytes[node]!;
    this.unpadded = sums.unpadded[node]!;
    this.count = sums.count[node]!;
    this.levels = sums.levels[node]!;
    this.#sums = sums;
    this.#node = node;
  }

  get path(): readonly string[] {
    return this.#sums.tree.path(this.#node);
  }

  /** Those that hold something, largest first. */
  get children(): readonly GroupNode[] {
    const sums = this.#sums;
    this.#children ??= sums.tree
      .children(this.#node)
      .filter((child) => sums.count[child]! > 0)
      .map((child) => new GroupNode(sums, child))
      .sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1));
    return this.#children;
  }

  /** The group at a path from here, or null where none (any more) holds something. */
  at(path: readonly string[]): GroupNode | null {
    let node: GroupNode | undefined = this;
    for (const name of path) node = node?.children.find((child) => child.name === name);
    return node ?? null;
  }
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
