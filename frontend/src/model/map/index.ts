/**
 * Which boxes meet a window: a packed R-tree (sort-tile-recursive) over boxes given as columns, built once.
 * For hover, for finding buffers that share addresses, and for culling. It knows nothing of buffers or pixels.
 * Boxes and windows are half-open on both axes: boxes that only touch do not meet.
 */

/** Columns of equal length: box i covers [left, right) x [low, high). */
export interface Boxes {
  readonly left: Float64Array;
  readonly right: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
}

const FAN_OUT = 16;

export class BoxIndex {
  /** Item numbers in tile order; node k of level 0 holds items [16k, 16k + 16). */
  readonly #items: Uint32Array;
  /** One Boxes a level, leaves' parents first, the last level has one node. */
  readonly #levels: Boxes[] = [];

  constructor(private readonly boxes: Boxes) {
    this.#items = tileOrder(boxes);
    let level = enclose(this.#items.length, (slot) => this.#items[slot] as number, boxes);
    while (level.left.length > 0) {
      this.#levels.push(level);
      if (level.left.length === 1) break;
      const below = level;
      level = enclose(below.left.length, (slot) => slot, below);
    }
  }

  /** Calls visit with every box that meets [left, right) x [low, high); a visit that returns true ends the search. */
  search(left: number, right: number, low: number, high: number, visit: (item: number) => boolean | undefined): void {
    if (this.#levels.length > 0) this.#descend(this.#levels.length - 1, 0, left, right, low, high, visit);
  }

  /** Every box over one place, in no order. */
  at(x: number, y: number): number[] {
    const found: number[] = [];
    const { left, right, low, high } = this.boxes;
    const keep = (item: number): undefined => {
      if (
        (left[item] as number) <= x &&
        x < (right[item] as number) &&
        (low[item] as number) <= y &&
        y < (high[item] as number)
      )
        found.push(item);
    };
    // A window as thin as a place: the strict test above decides, so the window may be a little larger.
    this.search(x - 1, x + 1, y - 1, y + 1, keep);
    return found;
  }

  #descend(
    depth: number,
    node: number,
    left: number,
    right: number,
    low: number,
    high: number,
    visit: (item: number) => boolean | undefined,
  ): boolean {
    const level = this.#levels[depth] as Boxes;
    if (!meets(level, node, left, right, low, high)) return false;
    const first = node * FAN_OUT;
    const count = depth === 0 ? this.#items.length : (this.#levels[depth - 1] as Boxes).left.length;
    for (let slot = first; slot < Math.min(first + FAN_OUT, count); slot++) {
      if (depth > 0) {
        if (this.#descend(depth - 1, slot, left, right, low, high, visit)) return true;
        continue;
      }
      const item = this.#items[slot] as number;
      if (meets(this.boxes, item, left, right, low, high) && visit(item) === true) return true;
    }
    return false;
  }
}

function meets(boxes: Boxes, item: number, left: number, right: number, low: number, high: number): boolean {
  return (
    (boxes.left[item] as number) < right &&
    left < (boxes.right[item] as number) &&
    (boxes.low[item] as number) < high &&
    low < (boxes.high[item] as number)
  );
}

/** Items in columns by their middle on the x axis, each column in order of the middle on the y axis. */
function tileOrder(boxes: Boxes): Uint32Array {
  const count = boxes.left.length;
  const middleX = new Float64Array(count);
  const middleY = new Float64Array(count);
  const items = new Uint32Array(count);
  for (let item = 0; item < count; item++) {
    items[item] = item;
    middleX[item] = (boxes.left[item] as number) + (boxes.right[item] as number);
    middleY[item] = (boxes.low[item] as number) + (boxes.high[item] as number);
  }
  items.sort((a, b) => (middleX[a] as number) - (middleX[b] as number));
  const columnLength = FAN_OUT * Math.max(1, Math.ceil(Math.sqrt(count / FAN_OUT)));
  for (let first = 0; first < count; first += columnLength)
    items.subarray(first, first + columnLength).sort((a, b) => (middleY[a] as number) - (middleY[b] as number));
  return items;
}

/** The boxes around each sixteen of `count` members. */
function enclose(count: number, memberOf: (slot: number) => number, members: Boxes): Boxes {
  const nodes = Math.ceil(count / FAN_OUT);
  const around = {
    left: new Float64Array(nodes).fill(Infinity),
    right: new Float64Array(nodes).fill(-Infinity),
    low: new Float64Array(nodes).fill(Infinity),
    high: new Float64Array(nodes).fill(-Infinity),
  };
  for (let slot = 0; slot < count; slot++) {
    const node = Math.floor(slot / FAN_OUT);
    const member = memberOf(slot);
    around.left[node] = Math.min(around.left[node] as number, members.left[member] as number);
    around.right[node] = Math.max(around.right[node] as number, members.right[member] as number);
    around.low[node] = Math.min(around.low[node] as number, members.low[member] as number);
    around.high[node] = Math.max(around.high[node] as number, members.high[member] as number);
  }
  return around;
}
