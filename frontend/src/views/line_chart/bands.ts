// Usage stacked by groups: the bands on a canvas under the chart's rules and marks, and which band is under the pointer.
// It draws and tells; it changes no state.

import { area, curveStepAfter, type Series } from 'd3-shape';
import { PART_COLORS } from '../../lib/palette';
import type { Dataset } from '../../model/dataset';
import {
  type Band,
  bandAt,
  type Stack,
  type StackColumns,
  stackColumns,
  stackEdges,
  stackOf,
} from '../../model/stacked';
import type { State } from '../../state/state';
import { el, setAttributes, svg } from '../shared/dom';
import { type ChartFrame, MARGIN } from './frame';

/** How strongly bands show that are not the one pointed at. */
const DIMMED = 0.35;

/** The color of a band, as CSS writes it. */
export function bandColor(band: Band): string {
  if (band.kind === 'group') return band.color;
  return band.kind === 'scoped' ? PART_COLORS.scoped : `var(--band-${band.kind})`;
}

interface Drawn {
  readonly stack: Stack;
  readonly columns: StackColumns;
  readonly edges: Series<number, Band>[];
  readonly frame: ChartFrame;
}

export class Bands {
  readonly canvas = el('canvas', { class: 'bands', 'aria-hidden': 'true', hidden: true });
  readonly #dataset: Dataset;
  #drawn: Drawn | null = null;
  #lit: number | null = null;
  #marked: readonly number[] = [];

  constructor(dataset: Dataset) {
    this.#dataset = dataset;
  }

  /** Draws anew after a change of groups, zoom, size or theme. */
  draw(state: State, frame: ChartFrame): void {
    const stack = stackOf(this.#dataset, state);
    const columns = stackColumns(this.#dataset, frame.scale);
    this.#drawn = { stack, columns, edges: stackEdges(stack, columns), frame };
    const { width, plotHeight } = frame;
    const density = window.devicePixelRatio || 1;
    this.canvas.hidden = false;
    setAttributes(this.canvas, {
      width: Math.round(width * density),
      height: Math.round(plotHeight * density),
      style: `left:${MARGIN.left}px;top:${MARGIN.top}px;width:${width}px;height:${plotHeight}px`,
    });
    this.#paint();
  }

  hide(): void {
    this.canvas.hidden = true;
    this.#drawn = null;
  }

  /** Shows one band and dims the others; null shows all alike. */
  light(band: number | null): void {
    if (band === this.#lit) return;
    this.#lit = band;
    this.#paint();
  }

  /** Shows rows of buffers where they lie: on the ground of their bands, while they live. */
  mark(rows: readonly number[]): void {
    if (rows.length === 0 && this.#marked.length === 0) return;
    this.#marked = rows;
    this.#paint();
  }

  /** The band at a place of the plot in pixels; null where there is none. */
  at(point: number, y: number): number | null {
    return this.#drawn === null ? null : bandAt(this.#drawn.stack, point, this.#drawn.frame.y.invert(y));
  }

  /** The bands as shapes, for a picture in a file. */
  shapes(): SVGElement | null {
    if (this.#drawn === null) return null;
    const { stack, edges } = this.#drawn;
    const shape = this.#shape(this.#drawn).digits(1);
    const paths = edges.map((edge, at) =>
      svg('path', { class: 'band', d: shape(edge), fill: this.#fill(stack.bands[at]!) }),
    );
    if (hasOutline(this.#drawn))
      paths.push(svg('path', { d: shape.lineY1()(edges.at(-1) ?? []), fill: 'none', stroke: this.#named('--usage') }));
    return svg('g', { transform: `translate(${MARGIN.left},${MARGIN.top})` }, ...paths);
  }

  /** The color itself, which neither a canvas nor a file looks up. */
  #fill(band: Band): string {
    const color = bandColor(band);
    const named = /^var\((.+)\)$/.exec(color);
    return named === null ? color : this.#named(named[1]!);
  }

  #named(color: string): string {
    return getComputedStyle(this.canvas).getPropertyValue(color);
  }

  #shape({ columns, frame }: Drawn) {
    return area<Series<number, Band>[number]>()
      .x((_, column) => columns.x[column]!)
      .y0(([low]) => frame.y(low))
      .y1(([, high]) => frame.y(high))
      .curve(curveStepAfter);
  }

  #paint(): void {
    const drawn = this.#drawn;
    const context = this.canvas.getContext('2d');
    if (drawn === null || context === null) return;
    const { width, plotHeight } = drawn.frame;
    const shape = this.#shape(drawn).context(context);
    context.setTransform(this.canvas.width / width, 0, 0, this.canvas.height / plotHeight, 0, 0);
    context.clearRect(0, 0, width, plotHeight);
    drawn.edges.forEach((edge, at) => {
      context.globalAlpha = this.#lit === null || this.#lit === at ? 1 : DIMMED;
      context.fillStyle = this.#fill(drawn.stack.bands[at]!);
      context.beginPath();
      shape(edge);
      context.fill();
    });
    this.#paintMarked(drawn, context);
    context.globalAlpha = 1;
    if (!hasOutline(drawn)) return;
    drawn.edges.forEach((edge, at) => {
      context.strokeStyle = this.#named(at === drawn.edges.length - 1 ? '--usage' : '--panel');
      context.beginPath();
      shape.lineY1()(edge);
      context.stroke();
    });
  }

  #paintMarked({ stack, columns, edges, frame }: Drawn, context: CanvasRenderingContext2D): void {
    context.globalAlpha = 0.5;
    context.fillStyle = this.#named('--text');
    context.beginPath();
    for (const row of this.#marked) {
      const edge = edges[stack.bandOf[row]!];
      const [start, end] = [this.#dataset.start[row]!, this.#dataset.end[row]!];
      columns.points.forEach((point, column) => {
        if (edge === undefined || point < start || point >= end) return;
        const [low, high] = edge[column]!;
        const top = frame.y(Math.min(high, low + this.#dataset.size[row]!));
        const left = columns.x[column]!;
        context.rect(left, top, columns.x[column + 1]! - left, frame.y(low) - top);
      });
    }
    context.fill();
  }
}

/** A line over columns of one pixel would hide what is under it. */
function hasOutline({ columns, frame }: Drawn): boolean {
  return columns.points.length < Math.floor(frame.width);
}
