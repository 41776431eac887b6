// What stands over the line chart and under it: its title and buttons, and what its lines and colors mean.

import type { Dataset } from '../../model/dataset';
import { el } from '../shared/dom';
import type { ViewContext } from '../shared/view';

export function makeHead({ dataset, actions }: ViewContext, chartSwitch: HTMLElement): HTMLElement {
  const axis =
    dataset.axis === 'events' ? 'by heap event, because the module has no schedule' : 'the compiler’s order, not time';
  const buttons = el('div', { class: 'buttons' });
  const button = (label: string, title: string, act: () => void): void => {
    const made = el('button', { type: 'button', class: 'quiet', title, 'aria-label': title }, label);
    made.addEventListener('click', act);
    buttons.append(made);
  };
  button('‹', 'Previous local peak ([)', () => actions.selectNeighborPeak(-1));
  button('Peak', 'Back to the peak (P)', () => actions.selectPeak());
  button('›', 'Next local peak (])', () => actions.selectNeighborPeak(1));
  button('−', 'Zoom out (−)', () => actions.zoomBy(2));
  button('+', 'Zoom in (+)', () => actions.zoomBy(0.5));
  button('Reset', 'Show the whole program (0, or double-click)', () => actions.zoomTo(null));
  return el(
    'div',
    { class: 'panel-head' },
    el('h2', {}, 'Memory usage by program order'),
    el('span', { class: 'hint' }, axis),
    chartSwitch,
    buttons,
  );
}

export function makeLegend(dataset: Dataset): HTMLElement {
  const directions = new Set(dataset.phases.map((phase) => phase.direction));
  const entry = (kind: string, text: string): HTMLElement =>
    el('span', { class: 'legend-entry' }, el('span', { class: `key ${kind}` }), text);
  return el(
    'div',
    { class: 'legend chart-legend' },
    entry('usage', 'usage'),
    dataset.headline.padding_bytes > 0 ? entry('unpadded', 'without padding') : null,
    directions.has('forward') ? entry('forward', 'forward') : null,
    directions.has('backward') ? entry('backward', 'backward') : null,
    dataset.phases.some((phase) => phase.remat) ? entry('remat', 'recomputed') : null,
    el('span', { class: 'legend-help' }, 'drag or wheel to zoom, click to select a point, Shift + drag a window'),
  );
}
