// The whole program in small under the line chart, with the stretch that the charts show: drag it to pan.

import { scaleLinear } from 'd3-scale';
import type { Current } from '../../lib/store';
import type { ProgramAxis } from '../../model/axis/program_axis';
import { stepPath } from '../../model/axis/step_line';
import type { Dataset } from '../../model/dataset';
import { axisOf, shownStretch } from '../../model/selection';
import type { ViewActions } from '../../state/actions';
import type { State } from '../../state/state';
import { setAttributes, svg } from '../shared/dom';
import type { ViewContext } from '../shared/view';
import { MINIMAP_HEIGHT } from './frame';

export class Minimap {
  readonly element = svg('g', { class: 'minimap', 'aria-hidden': 'true' });
  readonly #dataset: Dataset;
  readonly #current: Current<State>;
  readonly #actions: ViewActions;
  readonly #ground = svg('rect', { class: 'minimap-ground', height: MINIMAP_HEIGHT });
  readonly #area = svg('path', { class: 'minimap-area' });
  readonly #left = svg('rect', { class: 'minimap-shade', x: 0, height: MINIMAP_HEIGHT });
  readonly #right = svg('rect', { class: 'minimap-shade', height: MINIMAP_HEIGHT });
  readonly #view = svg('rect', { class: 'minimap-view', y: 0.5, height: MINIMAP_HEIGHT - 1, rx: 2 });
  #width = 0;
  /** The axis that the area shows. */
  #drawn: ProgramAxis | null = null;
  /** Cells from the pointer to the middle of the view while it is dragged. */
  #grip: number | null = null;

  constructor({ current, dataset, actions }: ViewContext) {
    this.#dataset = dataset;
    this.#current = current;
    this.#actions = actions;
    this.element.append(this.#ground, this.#area, this.#left, this.#right, this.#view);
    this.element.addEventListener('pointerdown', (event) => this.#down(event));
    this.element.addEventListener('pointermove', (event) => {
      if (this.#grip !== null) actions.centerOn(this.#cellAt(event) + this.#grip);
    });
    this.element.addEventListener('pointerup', () => {
      this.#grip = null;
    });
  }

  resize(width: number): void {
    this.#width = width;
    setAttributes(this.#ground, { width });
    this.#drawn = null;
    this.draw();
  }

  draw(): void {
    const axis = axisOf(this.#dataset, this.#current.state);
    if (axis !== this.#drawn) this.#drawArea(axis);
    const [a, b] = shownStretch(this.#dataset, this.#current.state);
    const scale = this.#width / axis.cells;
    const x0 = a * scale;
    const x1 = Math.max(x0 + 4, b * scale);
    setAttributes(this.#left, { width: x0 });
    setAttributes(this.#right, { x: x1, width: Math.max(0, this.#width - x1) });
    setAttributes(this.#view, { x: x0 + 0.5, width: Math.max(3, x1 - x0 - 1) });
    this.element.classList.toggle('whole', b - a >= axis.cells);
  }

  #drawArea(axis: ProgramAxis): void {
    this.#drawn = axis;
    const { usage, headline } = this.#dataset;
    const y = scaleLinear([0, Math.max(1, headline.peak_bytes)], [MINIMAP_HEIGHT, 3]);
    const line = stepPath(axis.gather(usage), 0, axis.cells, this.#width, y);
    setAttributes(this.#area, { d: `${line}V${MINIMAP_HEIGHT}H0Z` });
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0) return;
    event.stopPropagation();
    const [a, b] = shownStretch(this.#dataset, this.#current.state);
    if (b - a >= axisOf(this.#dataset, this.#current.state).cells) return;
    const cell = this.#cellAt(event);
    const inside = cell >= a && cell < b;
    this.#grip = inside ? (a + b) / 2 - cell : 0;
    this.element.setPointerCapture(event.pointerId);
    if (!inside) this.#actions.centerOn(cell);
  }

  #cellAt(event: PointerEvent): number {
    const x = event.clientX - this.#ground.getBoundingClientRect().left;
    return (x / this.#width) * axisOf(this.#dataset, this.#current.state).cells;
  }
}
