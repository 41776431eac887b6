// The whole program in small under the line chart, with the stretch that the charts show: drag it to pan.

import { scaleLinear } from 'd3-scale';
import type { Store } from '../lib/store';
import type { Dataset } from '../model/dataset';
import { shownStretch } from '../model/selection';
import type { State } from '../model/state';
import { stepPath } from '../model/step_line';
import { stretchAround } from '../model/time_axis';
import { setAttributes, svg } from './dom';
import { MINIMAP_HEIGHT } from './line_chart_frame';

export class Minimap {
  readonly element = svg('g', { class: 'minimap', 'aria-hidden': 'true' });
  readonly #dataset: Dataset;
  readonly #store: Store<State>;
  readonly #ground = svg('rect', { class: 'minimap-ground', height: MINIMAP_HEIGHT });
  readonly #area = svg('path', { class: 'minimap-area' });
  readonly #left = svg('rect', { class: 'minimap-shade', x: 0, height: MINIMAP_HEIGHT });
  readonly #right = svg('rect', { class: 'minimap-shade', height: MINIMAP_HEIGHT });
  readonly #view = svg('rect', { class: 'minimap-view', y: 0.5, height: MINIMAP_HEIGHT - 1, rx: 2 });
  #width = 0;
  /** Points from the pointer to the middle of the view while it is dragged. */
  #grip: number | null = null;

  constructor(dataset: Dataset, store: Store<State>) {
    this.#dataset = dataset;
    this.#store = store;
    this.element.append(this.#ground, this.#area, this.#left, this.#right, this.#view);
    this.element.addEventListener('pointerdown', (event) => this.#down(event));
    this.element.addEventListener('pointermove', (event) => {
      if (this.#grip !== null) this.#center(this.#pointAt(event) + this.#grip);
    });
    this.element.addEventListener('pointerup', () => {
      this.#grip = null;
    });
  }

  resize(width: number): void {
    this.#width = width;
    const { points, usage, headline } = this.#dataset;
    const y = scaleLinear([0, Math.max(1, headline.peak_bytes)], [MINIMAP_HEIGHT, 3]);
    setAttributes(this.#ground, { width });
    setAttributes(this.#area, { d: `${stepPath(usage, 0, points, width, y)}V${MINIMAP_HEIGHT}H0Z` });
    this.update();
  }

  update(): void {
    const [a, b] = shownStretch(this.#dataset, this.#store.state);
    const scale = this.#width / this.#dataset.points;
    const x0 = a * scale;
    const x1 = Math.max(x0 + 4, b * scale);
    setAttributes(this.#left, { width: x0 });
    setAttributes(this.#right, { x: x1, width: Math.max(0, this.#width - x1) });
    setAttributes(this.#view, { x: x0 + 0.5, width: Math.max(3, x1 - x0 - 1) });
    this.element.classList.toggle('whole', b - a >= this.#dataset.points);
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0) return;
    event.stopPropagation();
    const [a, b] = shownStretch(this.#dataset, this.#store.state);
    if (b - a >= this.#dataset.points) return;
    const point = this.#pointAt(event);
    const inside = point >= a && point < b;
    this.#grip = inside ? (a + b) / 2 - point : 0;
    this.element.setPointerCapture(event.pointerId);
    if (!inside) this.#center(point);
  }

  #center(point: number): void {
    const [a, b] = shownStretch(this.#dataset, this.#store.state);
    this.#store.set({ zoom: stretchAround(point, b - a, this.#dataset.points) });
  }

  #pointAt(event: PointerEvent): number {
    const x = event.clientX - this.#ground.getBoundingClientRect().left;
    return (x / this.#width) * this.#dataset.points;
  }
}
