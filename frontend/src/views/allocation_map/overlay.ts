// The layer over the map's canvas that changes with every hover: axes, the selected point, hovered and pinned buffers.

import type { PointScale } from '../../model/axis/point_scale';
import type { Dataset } from '../../model/dataset';
import { addressMarks } from '../../model/map/axis';
import type { MapSource, MapWindow } from '../../model/map/layout';
import { shownPoint } from '../../model/selection';
import type { State } from '../../state/state';
import { setAttributes, svg } from '../shared/dom';

export interface OverlayPicture {
  readonly dataset: Dataset;
  readonly state: State;
  readonly source: MapSource;
  readonly view: MapWindow;
  readonly scale: PointScale;
  readonly width: number;
  readonly height: number;
}

export interface Margin {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export class MapOverlay {
  readonly #axes = svg('g', { class: 'axis' });
  readonly #marks = svg('g', { class: 'map-marks' });
  readonly element = svg('svg', { class: 'map-overlay', 'aria-hidden': 'true' });
  readonly #margin: Margin;
  #axesKey = '';

  constructor(margin: Margin) {
    this.#margin = margin;
    this.element.append(svg('g', { transform: `translate(${margin.left},${margin.top})` }, this.#axes, this.#marks));
  }

  draw(picture: OverlayPicture): void {
    const { width, height } = picture;
    const { left, right, top, bottom } = this.#margin;
    setAttributes(this.element, { width: width + left + right, height: height + top + bottom });
    this.#drawAxes(picture);
    this.#marks.replaceChildren(...this.#points(picture), ...this.#outlines(picture));
  }

  #drawAxes({ view, scale, width, height }: OverlayPicture): void {
    const key = [view.start, view.end, scale.axis.cells, view.low, view.high, width, height].join();
    if (key === this.#axesKey) return;
    this.#axesKey = key;
    const points = scale
      .ticks()
      .map((tick) =>
        svg(
          'g',
          { class: 'tick', transform: `translate(${tick.at},${height})` },
          svg('line', { y2: 5 }),
          svg('text', { y: 17, 'text-anchor': 'middle' }, tick.label),
        ),
      );
    const addresses = addressMarks(view, height).map((tick) =>
      svg(
        'g',
        { class: 'tick', transform: `translate(0,${tick.at})` },
        svg('line', { x2: -5 }),
        svg('text', { x: -8, dy: '0.32em', 'text-anchor': 'end' }, tick.label),
      ),
    );
    this.#axes.replaceChildren(
      svg('rect', { class: 'map-border', x: -0.5, y: -0.5, width: width + 1, height: height + 1 }),
      ...scale.bands().map(([x0, x1]) => svg('rect', { class: 'fold-band', x: x0, width: x1 - x0, height })),
      ...points,
      ...addresses,
    );
  }

  *#points({ dataset, state, scale, height }: OverlayPicture): Generator<SVGElement> {
    if (state.window !== null) {
      const span = scale.span(state.window[0], state.window[1]);
      if (span) yield svg('rect', { class: 'window', x: span[0], width: Math.max(1, span[1] - span[0]), y: 0, height });
    } else
      yield* vertical(scale, shownPoint(dataset, state), height, state.point === null ? 'mark peak' : 'mark chosen');
    if (state.hoveredPoint !== null) yield* vertical(scale, state.hoveredPoint, height, 'cursor-line');
  }

  *#outlines(picture: OverlayPicture): Generator<SVGElement> {
    const { pinned, hovered } = picture.state;
    if (pinned !== null) yield* outline(picture, pinned, 'map-pinned');
    if (hovered !== null && hovered !== pinned) yield* outline(picture, hovered, 'map-hovered');
  }
}

function* vertical(scale: PointScale, point: number, height: number, kind: string): Generator<SVGElement> {
  const x = scale.middle(point);
  if (x !== null) yield svg('line', { class: kind, x1: x, x2: x, y1: 0, y2: height });
}

function* outline(
  { dataset, source, view, scale, height }: OverlayPicture,
  row: number,
  kind: string,
): Generator<SVGElement> {
  if (!source.rows.includes(row)) return;
  const span = scale.span(dataset.start[row]!, dataset.end[row]!);
  const toY = height / (view.high - view.low);
  const top = Math.max(0, (view.high - dataset.offset[row]! - dataset.size[row]!) * toY);
  const bottom = Math.min(height, (view.high - dataset.offset[row]!) * toY);
  if (span === null || bottom <= 0 || top >= height) return;
  yield svg('rect', {
    class: kind,
    x: span[0],
    width: Math.max(2, span[1] - span[0]),
    y: top,
    height: Math.max(2, bottom - top),
  });
}
