/**
 * The pixels of boxes thinner than a pixel: each pixel belongs to the first box that was marked on it, or to none.
 * `next` leads from a taken pixel to the next free one on its line, so that marking costs no more than the surface has pixels,
 * however many boxes lie on it.
 */

export const NOBODY = -1;

export class Speckles {
  /** Owner of each pixel, line by line from the top. */
  readonly owner: Int32Array;
  readonly #next: Int32Array;
  readonly #untouched: Int32Array;
  /** Lines with a mark: [top, bottom). */
  top: number;
  bottom = 0;

  constructor(
    readonly columns: number,
    readonly lines: number,
  ) {
    this.owner = new Int32Array(columns * lines).fill(NOBODY);
    this.#untouched = new Int32Array((columns + 1) * lines);
    for (let slot = 0; slot < this.#untouched.length; slot++) this.#untouched[slot] = slot;
    this.#next = this.#untouched.slice();
    this.top = lines;
  }

  /** Takes every mark away: a surface that is used again spares the next picture its making. */
  clear(): void {
    const { columns, lines, top, bottom } = this;
    if (top < bottom) {
      const [from, to] = [top * (columns + 1), bottom * (columns + 1)];
      this.owner.fill(NOBODY, top * columns, bottom * columns);
      this.#next.set(this.#untouched.subarray(from, to), from);
    }
    this.top = lines;
    this.bottom = 0;
  }

  /** Gives a box every free pixel that [x0, x1) x [y0, y1) touches, at least one. */
  mark(owner: number, x0: number, x1: number, y0: number, y1: number): void {
    const first = Math.min(this.columns - 1, Math.floor(x0));
    const last = Math.max(first + 1, Math.min(this.columns, Math.ceil(x1 - 1e-6)));
    const top = Math.min(this.lines - 1, Math.floor(y0));
    const bottom = Math.max(top + 1, Math.min(this.lines, Math.ceil(y1 - 1e-6)));
    if (top < this.top) this.top = top;
    if (bottom > this.bottom) this.bottom = bottom;
    for (let line = top; line < bottom; line++) {
      const base = line * (this.columns + 1);
      for (let slot = this.#find(base + first); slot < base + last; slot = this.#find(slot + 1)) {
        this.owner[slot - line] = owner;
        this.#next[slot] = slot + 1;
      }
    }
  }

  /** Stretches of one owner on one line, for surfaces that draw no single pixels. */
  runs(emit: (owner: number, x: number, y: number, length: number) => void): void {
    for (let line = this.top; line < this.bottom; line++) {
      const base = line * this.columns;
      for (let x = 0, end = 0; x < this.columns; x = end) {
        const owner = this.owner[base + x] as number;
        for (end = x + 1; end < this.columns && this.owner[base + end] === owner; end++);
        if (owner !== NOBODY) emit(owner, x, line, end - x);
      }
    }
  }

  /** The first free pixel at or after one, or the place after its line, which is always free. */
  #find(slot: number): number {
    let root = slot;
    while (this.#next[root] !== root) root = this.#next[root] as number;
    for (let at = slot; at !== root; ) {
      const step = this.#next[at] as number;
      this.#next[at] = root;
      at = step;
    }
    return root;
  }
}
