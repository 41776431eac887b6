/**
 * Where the buffers of one Temporary allocation lie in program order (x) and address (y), first in data, then in pixels.
 * Everything is computed here without a canvas; the painter only fills what it is told. It knows nothing of the DOM or of colors.
 * Points and addresses are half-open; addresses are bytes from the start of the allocation and grow upward on the screen.
 */
import { type Boxes, BoxIndex } from '.';
import { findShared } from './shared';
import { Speckles } from './speckles';

/** One allocation's buffers as boxes, by area, largest first: a box drawn later is never hidden whole by one drawn earlier. */
export interface MapSource {
  /** Row of each box in the data set's buffers. */
  readonly rows: Int32Array;
  readonly boxes: Boxes;
  readonly index: BoxIndex;
  /** Boxes in order of their lowest address. */
  readonly byAddress: Uint32Array;
  /**
   * 1 where another buffer lives at the same time at some of the same addresses, for more than the one point at which a buffer
   * that is reused in place hands its memory over.
   */
  readonly shared: Uint8Array;
  /** 1 where the compiler's trace does not list the buffer: its life is inferred, or not known. */
  readonly unlisted: Uint8Array;
  readonly allocationSize: number;
  readonly points: number;
}

/** The part of the map in view: cells [start, end) of the program's axis, addresses [low, high). */
export interface MapWindow {
  readonly start: number;
  readonly end: number;
  /** The cell of every point; absent where each is its own. */
  readonly places?: Float64Array | null;
  readonly low: number;
  readonly high: number;
}

/** Rectangles of a pixel or more each way, in pixels, y downward, in paint order. */
export interface MapRects {
  readonly count: number;
  readonly row: Int32Array;
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly width: Float32Array;
  readonly height: Float32Array;
  /** 1 where drawn as sharing its addresses. */
  readonly shared: Uint8Array;
  /** 1 where drawn as not listed by the compiler's trace. */
  readonly unlisted: Uint8Array;
}

/** What the map shows in a window: whole rectangles, and under them the pixels of buffers too thin for one. */
export interface MapPicture {
  readonly rects: MapRects;
  readonly speckles: Speckles;
}

export interface MapLabel {
  readonly row: number;
  readonly x: number;
  readonly y: number;
  /** Room for the text, in pixels. */
  readonly width: number;
}

export interface Gap {
  readonly low: number;
  readonly high: number;
}

/** Columns by row of the data set's buffers; `knownBy` is absent where the trace lists all of them. */
export interface MapColumns {
  readonly start: ArrayLike<number>;
  readonly end: ArrayLike<number>;
  readonly offset: ArrayLike<number>;
  readonly size: ArrayLike<number>;
  readonly knownBy?: ArrayLike<number>;
}

export function buildMapSource(
  rows: Int32Array,
  columns: MapColumns,
  allocationSize: number,
  points: number,
): MapSource {
  const area = (row: number): number =>
    (columns.size[row] as number) * ((columns.end[row] as number) - (columns.start[row] as number));
  const placed = byArea(
    rows.filter((row) => area(row) > 0),
    area,
  );
  const pick = (value: (row: number) => number): Float64Array => Float64Array.from(placed, value);
  const boxes: Boxes = {
    left: pick((row) => columns.start[row] as number),
    right: pick((row) => columns.end[row] as number),
    low: pick((row) => columns.offset[row] as number),
    high: pick((row) => (columns.offset[row] as number) + (columns.size[row] as number)),
  };
  const index = new BoxIndex(boxes);
  return {
    rows: placed,
    boxes,
    index,
    byAddress: Uint32Array.from(boxes.low.keys()).sort((a, b) => boxes.low[a]! - boxes.low[b]!),
    unlisted: Uint8Array.from(placed, (row) => Number((columns.knownBy?.[row] ?? 0) !== 0)),
    shared: findShared({ ...boxes, right: withoutLastPoint(boxes) }),
    allocationSize,
    points,
  };
}

function withoutLastPoint(boxes: Boxes): Float64Array {
  return boxes.right.map((right, item) => Math.max(boxes.left[item]! + 1, right - 1));
}

function byArea(rows: Int32Array, areaOf: (row: number) => number): Int32Array {
  const area = Float64Array.from(rows, areaOf);
  const order = Uint32Array.from(rows.keys()).sort((a, b) => (area[b] as number) - (area[a] as number) || a - b);
  return Int32Array.from(order, (item) => rows[item] as number);
}

/** Free addresses at a point, lowest first: what fragmentation looks like there. */
export function gapsAt(source: MapSource, point: number): Gap[] {
  const { left, right, low, high } = source.boxes;
  const gaps: Gap[] = [];
  let reached = 0;
  for (const item of source.byAddress) {
    if ((left[item] as number) > point || (right[item] as number) <= point) continue;
    const from = low[item] as number;
    if (from > reached) gaps.push({ low: reached, high: from });
    reached = Math.max(reached, high[item] as number);
  }
  if (reached < source.allocationSize) gaps.push({ low: reached, high: source.allocationSize });
  return gaps;
}

/** The buffer under a place: the smallest where several share it. Null in a gap. */
export function rowAt(source: MapSource, point: number, address: number): number | null {
  let best = -1;
  let bestArea = Infinity;
  for (const item of source.index.at(point, address)) {
    const { left, right, low, high } = source.boxes;
    const area = ((right[item] as number) - (left[item] as number)) * ((high[item] as number) - (low[item] as number));
    if (area < bestArea) {
      best = item;
      bestArea = area;
    }
  }
  return best === -1 ? null : (source.rows[best] as number);
}

/**
 * Everything in view as rectangles of a surface of width x height pixels; what is under a pixel is merged to whole pixels.
 * The surface of a picture that is not needed any more may be given to be used again.
 */
export function layoutMap(
  source: MapSource,
  view: MapWindow,
  width: number,
  height: number,
  used: Speckles | null = null,
): MapPicture {
  const rects = new RectList();
  const speckles = surface(Math.max(1, Math.ceil(width)), Math.max(1, Math.ceil(height)), used);
  const large: number[] = [];
  const toX = width / (view.end - view.start);
  const toY = height / (view.high - view.low);
  const { left, right, low, high } = source.boxes;
  for (let item = 0; item < source.rows.length; item++) {
    const boxLeft = cellOf(view, left[item] as number);
    const boxRight = cellOf(view, right[item] as number);
    const boxLow = low[item] as number;
    const boxHigh = high[item] as number;
    if (boxRight <= view.start || boxLeft >= view.end || boxHigh <= view.low || boxLow >= view.high) continue;
    if ((boxRight - boxLeft) * toX >= 1 && (boxHigh - boxLow) * toY >= 1) large.push(item);
    else
      speckles.mark(
        source.rows[item] as number,
        Math.max(0, (boxLeft - view.start) * toX),
        Math.min(width, (boxRight - view.start) * toX),
        Math.min(height - 1, Math.max(0, (view.high - boxHigh) * toY)),
        Math.min(height, (view.high - boxLow) * toY),
      );
  }
  // Sharing buffers come last, so that each is seen inside the one whose addresses it uses.
  for (const wanted of [0, 1])
    for (const item of large) {
      if (source.shared[item] !== wanted) continue;
      const x0 = Math.max(-2, (cellOf(view, left[item] as number) - view.start) * toX);
      const x1 = Math.min(width + 2, (cellOf(view, right[item] as number) - view.start) * toX);
      const y0 = Math.max(-2, (view.high - (high[item] as number)) * toY);
      const y1 = Math.min(height + 2, (view.high - (low[item] as number)) * toY);
      rects.push(source.rows[item] as number, x0, y0, x1 - x0, y1 - y0, wanted, source.unlisted[item]!);
    }
  return { rects: rects.done(), speckles };
}

function cellOf({ places }: MapWindow, point: number): number {
  return !places ? point : (places[point] as number);
}

function surface(columns: number, lines: number, used: Speckles | null): Speckles {
  if (used?.columns !== columns || used.lines !== lines) return new Speckles(columns, lines);
  used.clear();
  return used;
}

/** Which rectangles have room for a name, at least `minimum` pixels wide and one line high, inside the surface. */
export function placeLabels(rects: MapRects, width: number, height: number, minimum = 56, lineHeight = 14): MapLabel[] {
  const labels: MapLabel[] = [];
  for (let item = 0; item < rects.count; item++) {
    if (rects.shared[item] === 1 || (rects.height[item] as number) < lineHeight) continue;
    const x0 = Math.max(0, rects.x[item] as number);
    const x1 = Math.min(width, (rects.x[item] as number) + (rects.width[item] as number));
    const y0 = Math.max(0, rects.y[item] as number);
    const y1 = Math.min(height, (rects.y[item] as number) + (rects.height[item] as number));
    if (x1 - x0 < minimum || y1 - y0 < lineHeight) continue;
    labels.push({ row: rects.row[item] as number, x: x0, y: (y0 + y1) / 2, width: x1 - x0 });
  }
  return labels;
}

/** Rectangles as growing columns. */
class RectList {
  #count = 0;
  #row = new Int32Array(1024);
  #x = new Float32Array(1024);
  #y = new Float32Array(1024);
  #width = new Float32Array(1024);
  #height = new Float32Array(1024);
  #shared = new Uint8Array(1024);
  #unlisted = new Uint8Array(1024);

  push(row: number, x: number, y: number, width: number, height: number, shared: number, unlisted: number): void {
    if (this.#count === this.#row.length) this.#grow();
    const item = this.#count++;
    this.#row[item] = row;
    this.#x[item] = x;
    this.#y[item] = y;
    this.#width[item] = width;
    this.#height[item] = height;
    this.#shared[item] = shared;
    this.#unlisted[item] = unlisted;
  }

  done(): MapRects {
    const count = this.#count;
    return {
      count,
      row: this.#row.subarray(0, count),
      x: this.#x.subarray(0, count),
      y: this.#y.subarray(0, count),
      width: this.#width.subarray(0, count),
      height: this.#height.subarray(0, count),
      shared: this.#shared.subarray(0, count),
      unlisted: this.#unlisted.subarray(0, count),
    };
  }

  #grow(): void {
    this.#row = doubled(this.#row, Int32Array);
    this.#x = doubled(this.#x, Float32Array);
    this.#y = doubled(this.#y, Float32Array);
    this.#width = doubled(this.#width, Float32Array);
    this.#height = doubled(this.#height, Float32Array);
    this.#shared = doubled(this.#shared, Uint8Array);
    this.#unlisted = doubled(this.#unlisted, Uint8Array);
  }
}

function doubled<T extends { length: number; set(from: T): void }>(column: T, Kind: new (length: number) => T): T {
  const larger = new Kind(column.length * 2);
  larger.set(column);
  return larger;
}
