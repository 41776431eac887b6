// Program order as the charts lay it out: a cell a point, except in folded loops, which take few cells and show their maximum.
// Cells are the horizontal coordinate of every chart; what is chosen is said in points. Pure.

import { ABSENT } from '../../lib/column';

/** So much of what is not folded is the width of a folded loop. */
const BAND = 1 / 40;

/** A folded loop: points `[start, end)` in cells `[cell, cell + cells)`. */
export interface Fold {
  readonly start: number;
  readonly end: number;
  readonly cell: number;
  readonly cells: number;
  /** The point with the largest usage, which stands for all of them. */
  readonly top: number;
}

export class ProgramAxis {
  readonly folds: readonly Fold[];
  readonly cells: number;
  readonly #gathered = new Map<Float64Array, Float64Array>();
  #places: Float64Array | null = null;

  constructor(
    readonly points: number,
    usage: Float64Array,
    folded: readonly { readonly start: number; readonly end: number }[],
  ) {
    const outermost = outer(folded);
    const left = points - outermost.reduce((sum, { start, end }) => sum + end - start, 0);
    const band = Math.max(1, Math.round((left || points) * BAND));
    let shift = 0;
    this.folds = outermost.map(({ start, end }) => {
      const cells = Math.min(end - start, band);
      const fold = { start, end, cell: start - shift, cells, top: largest(usage, start, end) };
      shift += end - start - cells;
      return fold;
    });
    this.cells = points - shift;
  }

  /** Where a point begins, in cells. */
  at(point: number): number {
    let shift = 0;
    for (const fold of this.folds) {
      if (point < fold.start) break;
      if (point < fold.end) return fold.cell + ((point - fold.start) * fold.cells) / (fold.end - fold.start);
      shift = fold.end - fold.cell - fold.cells;
    }
    return point - shift;
  }

  /** The point that a cell shows: in a folded loop the one that stands for it. */
  pointAt(cell: number): number {
    return this.#foldOfCell(cell)?.top ?? this.edgeAt(Math.floor(cell));
  }

  /** The point at which a cell begins; `at` leads back to the cell. */
  edgeAt(cell: number): number {
    const fold = this.#foldOfCell(cell);
    if (fold !== null) return fold.start + Math.ceil(((cell - fold.cell) * (fold.end - fold.start)) / fold.cells);
    let shift = 0;
    for (const one of this.folds) if (cell >= one.cell) shift = one.end - one.cell - one.cells;
    return cell + shift;
  }

  foldAt(point: number): Fold | null {
    return this.folds.find(({ start, end }) => start <= point && point < end) ?? null;
  }

  /** So many steps further (or back): a folded loop is one step. Stays where there is nothing further. */
  step(point: number, by: number): number {
    const direction = Math.sign(by);
    let at = point;
    for (let steps = 0; steps < Math.abs(by); steps++) {
      const fold = this.foldAt(at);
      const next = fold === null ? at + direction : direction > 0 ? fold.end : fold.start - 1;
      if (next < 0 || next >= this.points) break;
      at = this.foldAt(next)?.top ?? next;
    }
    return at;
  }

  /** Points `[a, b)`, at either end with the whole of the folded loop that it cuts. */
  whole(a: number, b: number): readonly [number, number] {
    return [this.foldAt(a)?.start ?? a, this.foldAt(b - 1)?.end ?? b];
  }

  /** Values by point as values by cell; the largest where several points share cells. */
  gather(values: Float64Array): Float64Array {
    if (this.folds.length === 0) return values;
    let gathered = this.#gathered.get(values);
    if (gathered === undefined) {
      gathered = new Float64Array(this.cells);
      this.#copy(values, gathered, ({ start, end }) => values[largest(values, start, end)]!);
      this.#gathered.set(values, gathered);
    }
    return gathered;
  }

  /** Rows by point as rows by cell; ABSENT in folded loops. */
  gatherRows(rows: Int32Array): Int32Array {
    if (this.folds.length === 0) return rows;
    const gathered = new Int32Array(this.cells);
    this.#copy(rows, gathered, () => ABSENT);
    return gathered;
  }

  /** The cell of every point and of the end, null where it is the point's own number. */
  get places(): Float64Array | null {
    if (this.folds.length === 0) return null;
    this.#places ??= Float64Array.from({ length: this.points + 1 }, (_, point) => this.at(point));
    return this.#places;
  }

  #foldOfCell(cell: number): Fold | null {
    return this.folds.find((fold) => fold.cell <= cell && cell < fold.cell + fold.cells) ?? null;
  }

  #copy<T extends Float64Array | Int32Array>(from: T, to: T, standIn: (fold: Fold) => number): void {
    let point = 0;
    for (const fold of this.folds) {
      to.set(from.subarray(point, fold.start), this.at(point));
      to.fill(standIn(fold), fold.cell, fold.cell + fold.cells);
      point = fold.end;
    }
    to.set(from.subarray(point, this.points), this.at(point));
  }
}

/** Those that lie in no other one, in order. */
function outer<T extends { readonly start: number; readonly end: number }>(stretches: readonly T[]): T[] {
  const ordered = [...stretches].sort((one, other) => one.start - other.start || other.end - one.end);
  const kept: T[] = [];
  for (const one of ordered) if (kept.length === 0 || one.start >= kept[kept.length - 1]!.end) kept.push(one);
  return kept;
}

function largest(values: Float64Array, start: number, end: number): number {
  let top = start;
  for (let point = start; point < end; point++) if (values[point]! > values[top]!) top = point;
  return top;
}
