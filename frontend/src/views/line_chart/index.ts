// Memory usage by program order: step lines, rules, the peak, the chosen point, lifetimes, the phase strip, the minimap.
// This file puts the parts together and decides what is drawn anew after a change.

import { groupDigits } from '../../lib/bytes';
import { pointScale } from '../../model/selection';
import type { State } from '../../state/state';
import { clearOfHead, el, onResize, setAttributes, svg } from '../shared/dom';
import type { View, ViewContext } from '../shared/view';
import { drawBase } from './base';
import { AXIS_HEIGHT, type ChartFrame, MARGIN, makeFrame, plotHeightFor, STRIP_HEIGHT } from './frame';
import { makeHead, makeLegend } from './head';
import { drawCursor, drawLifetimes, drawMarks } from './marks';
import { Minimap } from './minimap';
import { drawPhases } from './phase_strip';
import { followPointer } from './pointer';
import { StackedChart } from './stacked';
import { tipContent } from './tip';

/** The tooltip's place in the chart while all of it is in sight. */
const TIP_TOP = 28;

export interface LineChart extends View {
  readonly picture: SVGSVGElement;
}

export function makeLineChart(context: ViewContext): LineChart {
  const { current, dataset, actions } = context;
  const root = svg('svg', {
    class: 'line-chart',
    tabindex: 0,
    role: 'img',
    'aria-label': `Memory usage by program order, ${groupDigits(dataset.points)} points. Arrow keys move the selected point, P returns to the peak.`,
  });
  const tooltip = el('div', { class: 'tooltip', hidden: true });
  const box = el('div', { class: 'chart-frame' }, tooltip);
  const stacked = new StackedChart(context, root);
  box.prepend(stacked.bands.canvas, root);
  const minimap = new Minimap(context);
  const { layers, brush, plot } = makeLayers(minimap.element);
  root.append(plot);
  const element = el(
    'section',
    { class: 'panel chart-panel', 'aria-label': 'Memory usage by program order' },
    makeHead(context, stacked.switch.element),
    box,
    stacked.legend.element,
    makeLegend(dataset),
  );

  let frame: ChartFrame = makeFrame(dataset, current.state, 1, 1);
  let width = 0;

  function drawAll(): void {
    if (width <= 0) return;
    frame = makeFrame(dataset, current.state, width, plotHeightFor(window.innerHeight));
    const { plotHeight, height } = frame;
    setAttributes(root, { width: width + MARGIN.left + MARGIN.right, height });
    setAttributes(brush, { height: plotHeight });
    setAttributes(layers.strip, { transform: `translate(0,${plotHeight + 2})` });
    setAttributes(minimap.element, { transform: `translate(0,${plotHeight + STRIP_HEIGHT + AXIS_HEIGHT + 4})` });
    const { under, over } = drawBase(dataset, current.state, frame);
    layers.under.replaceChildren(...under);
    layers.over.replaceChildren(...over);
    stacked.draw(frame);
    layers.strip.replaceChildren(phaseStrip(context, frame));
    drawChoice();
    minimap.draw();
  }

  function drawChoice(): void {
    layers.marks.replaceChildren(...drawMarks(dataset, current.state, frame));
    layers.lifetimes.replaceChildren(...drawLifetimes(dataset, current.state, frame));
    layers.cursor.replaceChildren(...drawCursor(dataset, current.state.hoveredPoint, frame));
  }

  function hover(point: number | null, x: number): void {
    tooltip.hidden = point === null;
    actions.hoverPoint(point);
    const band = stacked.point(point);
    if (point === null) return;
    tooltip.replaceChildren(...tipContent(dataset, point, band));
    const side = x > width / 2 ? `right:${width - x + MARGIN.right + 16}px` : `left:${x + MARGIN.left + 16}px`;
    setAttributes(tooltip, { style: `${side};top:${clearOfHead(box, TIP_TOP)}px` });
  }

  const stopPointer = followPointer({
    root,
    actions,
    frame: () => ({ ...frame, scale: pointScale(dataset, current.state, frame.width) }),
    brush: (span) => placeBrush(brush, span),
    hover,
  });
  const stopResize = onResize(box, (boxWidth) => {
    width = Math.max(50, boxWidth - MARGIN.left - MARGIN.right);
    minimap.resize(width);
    drawAll();
  });

  return {
    element,
    picture: root,
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
}

/** The parts of the plot, those that lie over others later. */
function makeLayers(minimap: SVGElement) {
  const layers = {
    under: svg('g'),
    over: svg('g'),
    strip: svg('g'),
    lifetimes: svg('g', { class: 'lifetimes' }),
    marks: svg('g'),
    cursor: svg('g', { class: 'cursor' }),
  };
  const brush = svg('rect', { class: 'brush', visibility: 'hidden', y: 0 });
  const { under, lifetimes, over, strip, marks, cursor } = layers;
  const attributes = { transform: `translate(${MARGIN.left},${MARGIN.top})` };
  const plot = svg('g', attributes, under, lifetimes, over, strip, marks, brush, cursor, minimap);
  return { layers, brush, plot };
}

function phaseStrip({ current, dataset, actions }: ViewContext, { scale }: ChartFrame): SVGElement {
  return drawPhases({
    dataset,
    scale,
    folded: new Set(current.state.folded),
    fold: (row) => actions.foldLoop(row),
    zoom: (row) => actions.zoomToLoop(row),
  });
}

function placeBrush(brush: SVGElement, span: readonly [number, number] | null): void {
  if (span === null) setAttributes(brush, { visibility: 'hidden' });
  else setAttributes(brush, { visibility: 'visible', x: span[0], width: span[1] - span[0] });
}
