// The horizontal scale of every chart on program order: points to pixels, in one place so that charts line up.

import { groupDigits } from '../../lib/bytes';
import type { ProgramAxis } from './program_axis';

/** Fewer pixels between two labels are too few. */
const LABEL_ROOM = 60;

export interface Tick {
  /** Pixels from the left or from the top of the plot. */
  readonly at: number;
  readonly label: string;
}

/** Cells `[a, b)` of an axis on so many pixels. */
export class PointScale {
  constructor(
    readonly axis: ProgramAxis,
    readonly a: number,
    readonly b: number,
    readonly width: number,
  ) {}

  /** The left edge of a point in pixels. */
  x(point: number): number {
    return this.xOfCell(this.axis.at(point));
  }

  xOfCell(cell: number): number {
    return ((cell - this.a) / (this.b - this.a)) * this.width;
  }

  /** Where a mark of one point stands; null where the point is outside. */
  middle(point: number): number | null {
    const cell = this.axis.at(point);
    return cell < this.a || cell >= this.b ? null : (this.xOfCell(cell) + this.x(point + 1)) / 2;
  }

  /** The cell under a pixel, with its fraction. */
  cell(x: number): number {
    return this.a + (x / this.width) * (this.b - this.a);
  }

  /** The point under a pixel, within the stretch. */
  point(x: number): number {
    return this.axis.pointAt(Math.max(this.a, Math.min(this.b - 1, Math.floor(this.cell(x)))));
  }

  /** `[x0, x1]` of a span of points, clipped to the view; null where it is outside. */
  span(start: number, end: number): readonly [number, number] | null {
    return this.spanOfCells(this.axis.at(start), this.axis.at(end));
  }

  spanOfCells(from: number, to: number): readonly [number, number] | null {
    if (to <= this.a || from >= this.b) return null;
    return [Math.max(0, this.xOfCell(from)), Math.min(this.width, this.xOfCell(to))];
  }

  /** `[x0, x1]` of the folded loops in view. */
  bands(): (readonly [number, number])[] {
    const { folds } = this.axis;
    return folds.map(({ start, end }) => this.span(start, end)).filter((band) => band !== null);
  }

  /** Round points in view, none within a folded loop. */
  ticks(): Tick[] {
    const step = roundStep((this.b - this.a) / Math.max(2, this.width / 110));
    const ticks: Tick[] = [];
    const last = this.axis.edgeAt(this.b);
    for (let point = roundUp(this.axis.edgeAt(this.a), step); point < last; point += step) {
      const fold = this.axis.foldAt(point);
      if (fold !== null) point = roundUp(fold.end, step);
      if (point >= last) break;
      const at = this.x(point);
      if (at - (ticks[ticks.length - 1]?.at ?? -LABEL_ROOM) >= LABEL_ROOM)
        ticks.push({ at, label: groupDigits(point) });
    }
    return ticks;
  }
}

function roundUp(point: number, step: number): number {
  return Math.ceil(point / step) * step;
}

/** The round step of at least `least`: 1, 2 or 5 times a power of ten. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return [1, 2, 5].map((multiple) => multiple * power).find((step) => step >= least) ?? 10 * power;
}

/** A stretch of `length` cells around `center`, moved to fit into `[0, cells)`. */
export function stretchAround(center: number, length: number, cells: number): readonly [number, number] {
  const whole = Math.max(1, Math.min(cells, Math.round(length)));
  const a = Math.max(0, Math.min(cells - whole, Math.round(center - whole / 2)));
  return [a, a + whole];
}

/** The stretch `[a, b)` scaled about the place `at`, which stays where it is on the screen; null where all is shown. */
export function zoomed(
  stretch: readonly [number, number],
  at: number,
  factor: number,
  cells: number,
): readonly [number, number] | null {
  const [a, b] = stretch;
  const length = Math.max(Math.min(8, cells), Math.min(cells, (b - a) * factor));
  if (length >= cells) return null;
  const share = (at - a) / (b - a);
  const start = Math.max(0, Math.min(cells - Math.round(length), Math.round(at - share * length)));
  return [start, start + Math.round(length)];
}

/** The stretch moved by `by` cells, kept within the program. */
export function moved(stretch: readonly [number, number], by: number, cells: number): readonly [number, number] {
  const length = stretch[1] - stretch[0];
  const a = Math.max(0, Math.min(cells - length, Math.round(stretch[0] + by)));
  return [a, a + length];
}
