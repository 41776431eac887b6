// The chart stacked by groups: puts together bands, legend and switch, and what the pointer does on a band.
// A click on a band selects the point, as in the line, and leads into the band's group.

import { formatBytes } from '../../lib/bytes';
import { shownBuffer } from '../../model/selection';
import { type Band, stackOf } from '../../model/stacked';
import type { State } from '../../state/state';
import { drawUnder } from '../shared/picture';
import type { ViewContext } from '../shared/view';
import { Bands } from './bands';
import { type ChartSwitch, isStacked, makeChartSwitch } from './chart_switch';
import { type ChartFrame, MARGIN } from './frame';
import { spansOf } from './marks';
import { bandName, leadsTo, StackLegend } from './stack_legend';

/** A press that moves less than this is a click. */
const CLICK_PX = 4;

/** What of the state the bands depend on. */
const STACKED_BY: readonly (keyof State)[] = ['chart', 'group', 'groupPath', 'instructionNames', 'theme'];

export class StackedChart {
  readonly switch: ChartSwitch;
  readonly legend: StackLegend;
  readonly bands: Bands;
  readonly #context: ViewContext;
  readonly #root: SVGSVGElement;
  /** The pointer's height in the plot, and where it was pressed. */
  #y = 0;
  #pressed: number | null = null;

  constructor(context: ViewContext, root: SVGSVGElement) {
    this.#context = context;
    this.#root = root;
    this.switch = makeChartSwitch(context);
    this.bands = new Bands(context.dataset);
    this.legend = new StackLegend({
      dataset: context.dataset,
      light: (band) => this.#light(band),
      drill: (path) => context.actions.drill(path),
    });
    drawUnder(root, () => this.bands.shapes());
    root.addEventListener('pointerdown', (event) => {
      this.#pressed = event.clientX;
    });
    root.addEventListener('pointermove', (event) => {
      this.#y = event.clientY - root.getBoundingClientRect().top - MARGIN.top;
    });
    root.addEventListener('click', (event) => this.#click(event));
  }

  get shown(): boolean {
    const { dataset, current } = this.#context;
    return isStacked(dataset, current.state);
  }

  draw(frame: ChartFrame): void {
    const { state } = this.#context.current;
    this.switch.update(state);
    this.legend.element.hidden = !this.shown;
    this.#root.classList.toggle('stacked', this.shown);
    if (this.shown) {
      this.bands.draw(state, frame);
      this.legend.draw(state);
      this.#mark(state);
    } else this.bands.hide();
  }

  /** After a change of the state that does not move the chart. */
  update(state: State, previous: State, frame: ChartFrame): void {
    if (STACKED_BY.some((key) => state[key] !== previous[key])) this.draw(frame);
    else if (!this.shown) return;
    else {
      if (state.hoveredPoint !== previous.hoveredPoint || state.point !== previous.point) this.legend.drawBytes(state);
      if (state.hovered !== previous.hovered || state.pinned !== previous.pinned) this.#mark(state);
    }
  }

  /** The band under the pointer, as name and value of a line in the tooltip; lights it up. */
  point(point: number | null): readonly (readonly [string, string])[] {
    if (!this.shown) return [];
    const at = point === null ? null : this.bands.at(point, this.#y);
    this.#light(at);
    const band = this.#band(at);
    return band === null || point === null ? [] : [[bandName(band), formatBytes(band.bytes[point]!)]];
  }

  #click(event: MouseEvent): void {
    const moved = this.#pressed === null || Math.abs(event.clientX - this.#pressed) >= CLICK_PX;
    const { current, actions } = this.#context;
    const point = current.state.hoveredPoint;
    if (!this.shown || moved || point === null || event.detail > 1) return;
    const band = this.#band(this.bands.at(point, this.#y));
    const path = band === null ? null : leadsTo(band, current.state.groupPath);
    if (path !== null) actions.drill(path);
  }

  #band(at: number | null): Band | null {
    const { dataset, current } = this.#context;
    return at === null ? null : stackOf(dataset, current.state).bands[at]!;
  }

  /** The buffer that is hovered or pinned, in its band. */
  #mark(state: State): void {
    const { dataset } = this.#context;
    const row = shownBuffer(state);
    const spans = row === null || row >= dataset.count ? [] : spansOf(dataset, row);
    this.bands.mark(spans);
    this.#light(state.hovered === null ? null : (stackOf(dataset, state).bandOf[state.hovered] ?? null));
  }

  #light(band: number | null): void {
    this.bands.light(band);
    this.legend.light(band);
  }
}
