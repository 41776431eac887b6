// The horizontal scale of every chart on program order: points to pixels, in one place so that charts line up.

export class PointScale {
  constructor(
    readonly a: number,
    readonly b: number,
    readonly width: number,
  ) {}

  /** The left edge of a point in pixels. */
  x(point: number): number {
    return ((point - this.a) / (this.b - this.a)) * this.width;
  }

  /** The point under a pixel, within the stretch. */
  point(x: number): number {
    const at = Math.floor(this.a + (x / this.width) * (this.b - this.a));
    return Math.max(this.a, Math.min(this.b - 1, at));
  }

  /** `[x0, x1]` of a span, clipped to the view; null where it is outside. */
  span(start: number, end: number): readonly [number, number] | null {
    if (end <= this.a || start >= this.b) return null;
    return [Math.max(0, this.x(start)), Math.min(this.width, this.x(end))];
  }
}

/** A stretch of `length` points around `center`, moved to fit into `[0, points)`. */
export function stretchAround(center: number, length: number, points: number): readonly [number, number] {
  const whole = Math.max(1, Math.min(points, Math.round(length)));
  const a = Math.max(0, Math.min(points - whole, Math.round(center - whole / 2)));
  return [a, a + whole];
}

/** The stretch `[a, b)` scaled about the point `at`, which stays where it is on the screen; null where all is shown. */
export function zoomed(
  stretch: readonly [number, number],
  at: number,
  factor: number,
  points: number,
): readonly [number, number] | null {
  const [a, b] = stretch;
  const length = Math.max(Math.min(8, points), Math.min(points, (b - a) * factor));
  if (length >= points) return null;
  const share = (at - a) / (b - a);
  const start = Math.max(0, Math.min(points - Math.round(length), Math.round(at - share * length)));
  return [start, start + Math.round(length)];
}

/** The stretch moved by `by` points, kept within the program. */
export function moved(stretch: readonly [number, number], by: number, points: number): readonly [number, number] {
  const length = stretch[1] - stretch[0];
  const a = Math.max(0, Math.min(points - length, Math.round(stretch[0] + by)));
  return [a, a + length];
}
