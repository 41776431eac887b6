// Memory usage by program order: step lines, rules, the peak, the chosen point, lifetimes, the phase strip, the minimap.
// This file puts the parts together and decides what is drawn anew after a change.

import { groupDigits } from '../../lib/bytes';
import { foldLoop, selectPoint, zoomBy, zoomToLoop } from '../../model/axis/moves';
import { neighborPeak, pointScale } from '../../model/selection';
import type { State } from '../../state/state';
import { clearOfHead, el, onResize, setAttributes, svg } from '../shared/dom';
import type { MakeView } from '../shared/view';
import { drawBase } from './base';
import { AXIS_HEIGHT, type ChartFrame, MARGIN, makeFrame, plotHeightFor, STRIP_HEIGHT } from './frame';
import { drawCursor, drawLifetimes, drawMarks } from './marks';
import { Minimap } from './minimap';
import { drawPhases } from './phase_strip';
import { followPointer } from './pointer';
import { StackedChart } from './stacked';
import { tipContent } from './tip';

/** The tooltip's place in the chart while all of it is in sight. */
const TIP_TOP = 28;

export const makeLineChart: MakeView = ({ store, dataset }) => {
  const root = svg('svg', {
    class: 'line-chart',
    tabindex: 0,
    role: 'img',
    'aria-label': `Memory usage by program order, ${groupDigits(dataset.points)} points. Arrow keys move the selected point, P returns to the peak.`,
  });
  const tooltip = el('div', { class: 'tooltip', hidden: true });
  const box = el('div', { class: 'chart-frame' }, tooltip);
  const stacked = new StackedChart({ store, dataset }, root);
  box.prepend(stacked.bands.canvas, root);
  const layers = {
    under: svg('g'),
    over: svg('g'),
    strip: svg('g'),
    lifetimes: svg('g', { class: 'lifetimes' }),
    marks: svg('g'),
    cursor: svg('g', { class: 'cursor' }),
  };
  const brush = svg('rect', { class: 'brush', visibility: 'hidden', y: 0 });
  const minimap = new Minimap(dataset, store);
  const plot = svg('g', { transform: `translate(${MARGIN.left},${MARGIN.top})` });
  plot.append(
    layers.under,
    layers.lifetimes,
    layers.over,
    layers.strip,
    layers.marks,
    brush,
    layers.cursor,
    minimap.element,
  );
  root.append(plot);
  const element = el(
    'section',
    { class: 'panel chart-panel', 'aria-label': 'Memory usage by program order' },
    makeHead(),
    box,
    stacked.legend.element,
    makeLegend(),
  );

  let frame: ChartFrame = makeFrame(dataset, store.state, 1, 1);
  let width = 0;

  function drawAll(): void {
    if (width <= 0) return;
    frame = makeFrame(dataset, store.state, width, plotHeightFor(window.innerHeight));
    const { plotHeight, height } = frame;
    setAttributes(root, { width: width + MARGIN.left + MARGIN.right, height });
    setAttributes(brush, { height: plotHeight });
    setAttributes(layers.strip, { transform: `translate(0,${plotHeight + 2})` });
    setAttributes(minimap.element, { transform: `translate(0,${plotHeight + STRIP_HEIGHT + AXIS_HEIGHT + 4})` });
    const { under, over } = drawBase(dataset, store.state, frame);
    layers.under.replaceChildren(...under);
    layers.over.replaceChildren(...over);
    stacked.draw(frame);
    drawStrip();
    drawChoice();
    minimap.draw();
  }

  function drawStrip(): void {
    layers.strip.replaceChildren(
      drawPhases({
        dataset,
        scale: frame.scale,
        folded: new Set(store.state.folded),
        fold: (row) => foldLoop(store, dataset, row),
        zoom: (row) => zoomToLoop(store, dataset, row),
      }),
    );
  }

  function drawChoice(): void {
    layers.marks.replaceChildren(...drawMarks(dataset, store.state, frame));
    layers.lifetimes.replaceChildren(...drawLifetimes(dataset, store.state, frame));
    layers.cursor.replaceChildren(...drawCursor(dataset, store.state.hoveredPoint, frame));
  }

  function hover(point: number | null, x: number): void {
    tooltip.hidden = point === null;
    store.set({ hoveredPoint: point });
    const band = stacked.point(point);
    if (point === null) return;
    tooltip.replaceChildren(...tipContent(dataset, point, band));
    const side = x > width / 2 ? `right:${width - x + MARGIN.right + 16}px` : `left:${x + MARGIN.left + 16}px`;
    setAttributes(tooltip, { style: `${side};top:${clearOfHead(box, TIP_TOP)}px` });
  }

  function drawBrush(span: readonly [number, number] | null): void {
    setAttributes(
      brush,
      span === null ? { visibility: 'hidden' } : { visibility: 'visible', x: span[0], width: span[1] - span[0] },
    );
  }

  function makeHead(): HTMLElement {
    const axis =
      dataset.axis === 'events'
        ? 'by heap event: the module has no schedule'
        : 'the compiler’s instruction sequence, not time';
    const buttons = el('div', { class: 'buttons' });
    const button = (label: string, title: string, act: () => void): void => {
      const made = el('button', { type: 'button', class: 'quiet', title, 'aria-label': title }, label);
      made.addEventListener('click', act);
      buttons.append(made);
    };
    const toPeak = (direction: 1 | -1): void => {
      const point = neighborPeak(dataset, store.state, direction);
      if (point !== null) selectPoint(store, dataset, point);
    };
    button('‹', 'Previous local peak ([)', () => toPeak(-1));
    button('Peak', 'Back to the peak (P)', () => selectPoint(store, dataset, dataset.headline.peak_point));
    button('›', 'Next local peak (])', () => toPeak(1));
    button('−', 'Zoom out (−)', () => zoomBy(store, dataset, 2));
    button('+', 'Zoom in (+)', () => zoomBy(store, dataset, 0.5));
    button('Reset', 'Show the whole program (0, or double click)', () => store.set({ zoom: null }));
    return el(
      'div',
      { class: 'panel-head' },
      el('h2', {}, 'Memory usage by program order'),
      el('span', { class: 'hint' }, axis),
      stacked.switch.element,
      buttons,
    );
  }

  function makeLegend(): HTMLElement {
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
      dataset.phases.some((phase) => phase.remat) ? entry('remat', 'computed again') : null,
      el('span', { class: 'legend-help' }, 'drag or wheel zooms, click selects a point, Shift + drag a window'),
    );
  }

  const stopPointer = followPointer({
    root,
    store,
    dataset,
    frame: () => ({ ...frame, scale: pointScale(dataset, store.state, frame.width) }),
    brush: drawBrush,
    hover,
  });
  const stopResize = onResize(box, (boxWidth) => {
    width = Math.max(50, boxWidth - MARGIN.left - MARGIN.right);
    minimap.resize(width);
    drawAll();
  });

  return {
    element,
    update(state, previous) {
      const changed = (...keys: (keyof State)[]): boolean => keys.some((key) => state[key] !== previous[key]);
      if (changed('zoom', 'capacity', 'folded')) {
        drawAll();
        return;
      }
      stacked.update(state, previous, frame);
      if (changed('point', 'window')) drawChoice();
      else {
        if (changed('hovered', 'pinned')) layers.lifetimes.replaceChildren(...drawLifetimes(dataset, state, frame));
        if (changed('hoveredPoint')) layers.cursor.replaceChildren(...drawCursor(dataset, state.hoveredPoint, frame));
      }
    },
    destroy() {
      stopPointer();
      stopResize();
    },
  };
};
