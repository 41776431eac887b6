// Memory usage by program order: step lines of usage and unpadded usage, rules, the peak, the chosen point, lifetimes.

import { axisBottom, axisLeft } from 'd3-axis';
import { scaleLinear } from 'd3-scale';
import { select } from 'd3-selection';
import { byteTicks, formatBytes, groupDigits } from '../lib/bytes';
import { shortenMiddle } from '../lib/text';
import { neighborPeak, shownBuffer, shownCapacity, shownPoint, shownStretch } from '../model/selection';
import { stepPath } from '../model/step_line';
import { moved, PointScale, zoomed } from '../model/time_axis';
import { bufferColor } from './buffer_color';
import { el, onResize, setAttributes, svg } from './dom';
import { drawPhases, PHASE_HEIGHT } from './phase_strip';
import { placeText } from './place_text';
import type { MakeView } from './view';

const MARGIN = { left: 72, right: 14, top: 20, bottom: 24 };
const HEIGHT = 260;

export const makeLineChart: MakeView = ({ store, dataset }) => {
  const root = svg('svg', {
    class: 'line-chart',
    tabindex: 0,
    role: 'img',
    'aria-label': `Memory usage by program order, ${groupDigits(dataset.points)} points. Arrow keys move the selected point, P returns to the peak.`,
  });
  const tooltip = el('div', { class: 'tooltip', hidden: true });
  const frame = el('div', { class: 'chart-frame' }, tooltip);
  frame.prepend(root);
  const heading = el(
    'div',
    { class: 'panel-head' },
    el('h2', {}, 'Memory usage by program order'),
    el(
      'span',
      { class: 'hint' },
      dataset.axis === 'events'
        ? 'axis: heap events (the module has no schedule)'
        : 'the compiler’s instruction sequence, not time',
    ),
  );
  const buttons = el('div', { class: 'buttons' });
  heading.append(buttons);
  const element = el(
    'section',
    { class: 'panel chart-panel', 'aria-label': 'Memory usage by program order' },
    heading,
    frame,
  );

  const plot = svg('g', { transform: `translate(${MARGIN.left},${MARGIN.top})` });
  const base = svg('g');
  const lifetimes = svg('g', { class: 'lifetimes' });
  const marks = svg('g', { class: 'marks' });
  const cursor = svg('g', { class: 'cursor' });
  plot.append(base, lifetimes, marks, cursor);
  root.append(svg('defs', {}, svg('clipPath', { id: 'plot-clip' }, svg('rect', { class: 'clip' }))), plot);

  let width = 0;
  const plotHeight = HEIGHT - MARGIN.top - MARGIN.bottom - PHASE_HEIGHT;
  let scale = new PointScale(0, dataset.points, 1);
  let y = scaleLinear();

  function measure(): void {
    const [a, b] = shownStretch(dataset, store.state);
    scale = new PointScale(a, b, width);
    const capacity = shownCapacity(dataset, store.state);
    let top = Math.max(dataset.headline.peak_bytes, dataset.headline.allocated_bytes, 1);
    if (capacity !== null && capacity < 1.6 * top) top = Math.max(top, capacity);
    y = scaleLinear([0, top * 1.04], [plotHeight, 0]);
  }

  function drawBase(): void {
    if (width <= 0) return;
    measure();
    setAttributes(root, { width: width + MARGIN.left + MARGIN.right, height: HEIGHT });
    setAttributes(root.querySelector('.clip')!, { x: 0, y: -MARGIN.top, width, height: HEIGHT });
    base.replaceChildren();
    const line = stepPath(dataset.usage, scale.a, scale.b, width, y);
    const area = svg('path', { class: 'usage-area', d: `${line}V${plotHeight}H0Z` });
    const xAxis = svg('g', { class: 'axis', transform: `translate(0,${plotHeight + PHASE_HEIGHT})` });
    const yAxis = svg('g', { class: 'axis' });
    select<SVGGElement, unknown>(xAxis).call(
      axisBottom(scaleLinear([scale.a, scale.b], [0, width]))
        .ticks(Math.max(2, width / 110))
        .tickFormat((point) => (Number.isInteger(point) ? groupDigits(Number(point)) : ''))
        .tickSizeOuter(0),
    );
    const ticks = byteTicks(y.domain()[1]!, 5);
    select<SVGGElement, unknown>(yAxis).call(
      axisLeft(y)
        .tickValues(ticks)
        .tickFormat((bytes) => (bytes === 0 ? '0' : formatBytes(Number(bytes)).replace('.00', '').replace('.0 ', ' ')))
        .tickSize(-width),
    );
    base.append(
      yAxis,
      area,
      svg('path', { class: 'unpadded-line', d: stepPath(dataset.unpadded, scale.a, scale.b, width, y) }),
      svg('path', { class: 'usage-line', d: line }),
      xAxis,
    );
    base.append(drawPhases(dataset, scale, plotHeight));
    drawRules();
    drawMarks();
    drawLifetimes();
  }

  function drawRules(): void {
    const capacity = shownCapacity(dataset, store.state);
    rule(dataset.headline.allocated_bytes, `allocated ${formatBytes(dataset.headline.allocated_bytes)}`, 'allocated');
    if (capacity === null) return;
    if (capacity <= y.domain()[1]!) rule(capacity, `capacity ${formatBytes(capacity)}`, 'capacity');
    else
      base.append(
        svg(
          'text',
          { class: 'rule-label capacity', x: width, y: -8, 'text-anchor': 'end' },
          `capacity ${formatBytes(capacity)} ↑`,
        ),
      );
  }

  function rule(bytes: number, label: string, kind: string): void {
    const at = y(bytes);
    base.append(
      svg('line', { class: `rule ${kind}`, x1: 0, x2: width, y1: at, y2: at }),
      svg('text', { class: `rule-label ${kind}`, x: width - 4, y: at - 4, 'text-anchor': 'end' }, label),
    );
  }

  function drawMarks(): void {
    marks.replaceChildren();
    const { headline } = dataset;
    vertical(headline.peak_point, 'peak', `peak ${formatBytes(headline.peak_bytes)}`);
    const { state } = store;
    if (state.window !== null) {
      const span = scale.span(state.window[0], state.window[1]);
      if (span)
        marks.append(
          svg('rect', { class: 'window', x: span[0], width: Math.max(1, span[1] - span[0]), y: 0, height: plotHeight }),
        );
    } else if (state.point !== null && state.point !== headline.peak_point) {
      const point = shownPoint(dataset, state);
      vertical(point, 'chosen', `${groupDigits(point)}: ${formatBytes(dataset.usage[point]!)}`);
    }
  }

  function vertical(point: number, kind: string, label: string): void {
    if (point < scale.a || point >= scale.b) return;
    const x = scale.x(point + 0.5);
    const atRight = x > width - 150;
    marks.append(
      svg('line', { class: `mark ${kind}`, x1: x, x2: x, y1: -4, y2: plotHeight + PHASE_HEIGHT }),
      svg(
        'text',
        {
          class: `mark-label ${kind}`,
          x: atRight ? x - 5 : x + 5,
          y: kind === 'peak' ? -8 : 6,
          'text-anchor': atRight ? 'end' : 'start',
        },
        label,
      ),
    );
  }

  function drawLifetimes(): void {
    lifetimes.replaceChildren();
    const { state } = store;
    const rows = new Set(
      [state.pinned, shownBuffer(state)].filter((row): row is number => row !== null && row < dataset.count),
    );
    for (const row of rows) {
      for (const span of dataset.id[row] === '' ? [row] : dataset.rowsOfId(dataset.id[row]!))
        drawSpan(span, row === state.hovered ? 'hovered' : 'pinned');
    }
  }

  function drawSpan(row: number, kind: string): void {
    const span = scale.span(dataset.start[row]!, dataset.end[row]!);
    if (!span) return;
    const height = Math.max(2, plotHeight - y(dataset.size[row]!));
    const color = bufferColor(dataset, row);
    lifetimes.append(
      svg('rect', {
        class: `lifetime ${kind}`,
        x: span[0],
        width: Math.max(1.5, span[1] - span[0]),
        y: plotHeight - height,
        height,
        style: `fill:${color};stroke:${color}`,
      }),
    );
  }

  function drawCursor(): void {
    cursor.replaceChildren();
    const point = store.state.hoveredPoint;
    if (point === null || point < scale.a || point >= scale.b) {
      tooltip.hidden = true;
      return;
    }
    const x = scale.x(point + 0.5);
    cursor.append(
      svg('line', { class: 'cursor-line', x1: x, x2: x, y1: 0, y2: plotHeight + PHASE_HEIGHT }),
      svg('circle', { class: 'cursor-dot', cx: x, cy: y(dataset.usage[point]!), r: 3 }),
    );
  }

  function showTooltip(point: number, x: number): void {
    const row = dataset.instructionAt(point);
    const change = dataset.usage[point]! - (point > 0 ? dataset.usage[point - 1]! : dataset.usage[point]!);
    const source = dataset.instructionSource(row);
    const phase = dataset.phases[dataset.pointPhase[point]!];
    const lines: [string, string][] = [
      ['point', groupDigits(point)],
      [
        'usage',
        `${formatBytes(dataset.usage[point]!)}${change === 0 ? '' : ` (${change > 0 ? '+' : ''}${formatBytes(change)})`}`,
      ],
      [
        'instruction',
        shortenMiddle(
          `${dataset.instructionName(row)}${dataset.instructionOpcode(row) ? ` · ${dataset.instructionOpcode(row)}` : ''}`,
          60,
        ),
      ],
      ['op', shortenMiddle(dataset.instructionOp(row), 70)],
      ['source', source ? shortenMiddle(placeText(source), 60) : ''],
      ['phase', phase?.label ?? ''],
    ];
    tooltip.replaceChildren(
      ...lines
        .filter(([, text]) => text !== '')
        .flatMap(([name, text]) => [el('span', { class: 'tip-name' }, name), el('span', {}, text)]),
    );
    tooltip.hidden = false;
    const right = x > width / 2;
    setAttributes(tooltip, {
      style: right ? `right:${width - x + MARGIN.right + 14}px;left:auto` : `left:${x + MARGIN.left + 14}px;right:auto`,
    });
  }

  // --- pointer --------------------------------------------------------------------------------------------------------

  const plotX = (event: MouseEvent): number => event.clientX - root.getBoundingClientRect().left - MARGIN.left;
  let drag: {
    x: number;
    kind: 'pan' | 'window';
    stretch: readonly [number, number];
    from: number;
    moved: boolean;
  } | null = null;

  root.addEventListener('pointermove', (event) => {
    const x = plotX(event);
    if (drag !== null) {
      dragTo(x);
      return;
    }
    if (x < 0 || x > width) return leave();
    const point = scale.point(x);
    store.set({ hoveredPoint: point });
    showTooltip(point, x);
  });
  root.addEventListener('pointerleave', leave);
  root.addEventListener('pointerdown', (event) => {
    const x = plotX(event);
    if (event.button !== 0 || x < 0 || x > width) return;
    drag = {
      x,
      kind: event.shiftKey ? 'window' : 'pan',
      stretch: [scale.a, scale.b],
      from: scale.point(x),
      moved: false,
    };
    root.setPointerCapture(event.pointerId);
  });
  root.addEventListener('pointerup', (event) => {
    const ended = drag;
    drag = null;
    if (ended === null) return;
    if (!ended.moved) store.set({ point: scale.point(plotX(event)), window: null });
  });
  root.addEventListener('dblclick', () => store.set({ zoom: null }));
  root.addEventListener(
    'wheel',
    (event) => {
      const x = plotX(event);
      if (x < 0 || x > width) return;
      event.preventDefault();
      const stretch: readonly [number, number] = [scale.a, scale.b];
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan((event.deltaX / width) * (scale.b - scale.a), stretch);
      else
        store.set({
          zoom: zoomed(
            stretch,
            scale.a + (x / width) * (scale.b - scale.a),
            2 ** (Math.max(-240, Math.min(240, event.deltaY)) / 240),
            dataset.points,
          ),
        });
    },
    { passive: false },
  );

  function dragTo(x: number): void {
    if (drag === null || (!drag.moved && Math.abs(x - drag.x) < 4)) return;
    drag.moved = true;
    tooltip.hidden = true;
    if (drag.kind === 'pan') pan(((drag.x - x) / width) * (drag.stretch[1] - drag.stretch[0]), drag.stretch);
    else {
      const to = scale.point(Math.max(0, Math.min(width, x)));
      store.set({ window: [Math.min(drag.from, to), Math.max(drag.from, to) + 1] });
    }
  }

  function pan(by: number, stretch: readonly [number, number]): void {
    if (stretch[1] - stretch[0] < dataset.points) store.set({ zoom: moved(stretch, by, dataset.points) });
  }

  function leave(): void {
    tooltip.hidden = true;
    store.set({ hoveredPoint: null });
  }

  // --- buttons and keys -----------------------------------------------------------------------------------------------

  function button(label: string, title: string, act: () => void): void {
    const made = el('button', { type: 'button', class: 'quiet', title, 'aria-label': title }, label);
    made.addEventListener('click', act);
    buttons.append(made);
  }

  const goTo = (point: number | null): void => {
    if (point === null) return;
    const { zoom } = store.state;
    const inside = zoom === null || (point >= zoom[0] && point < zoom[1]);
    store.set({
      point: point === dataset.headline.peak_point ? null : point,
      window: null,
      ...(inside ? {} : { zoom: moved(zoom, point - (zoom[0] + zoom[1]) / 2, dataset.points) }),
    });
  };
  button('‹ peak', 'Previous local peak', () => goTo(neighborPeak(dataset, shownPoint(dataset, store.state), -1)));
  button('Peak', 'Back to the peak (P)', () => goTo(dataset.headline.peak_point));
  button('peak ›', 'Next local peak', () => goTo(neighborPeak(dataset, shownPoint(dataset, store.state), 1)));
  button('−', 'Zoom out', () => zoomBy(2));
  button('+', 'Zoom in', () => zoomBy(0.5));
  button('Reset', 'Show the whole program (double click)', () => store.set({ zoom: null }));

  function zoomBy(factor: number): void {
    store.set({ zoom: zoomed([scale.a, scale.b], shownPoint(dataset, store.state), factor, dataset.points) });
  }

  root.addEventListener('keydown', (event) => {
    const steps: Record<string, number> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      PageUp: -100,
      PageDown: 100,
      Home: -dataset.points,
      End: dataset.points,
    };
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    goTo(
      Math.max(0, Math.min(dataset.points - 1, shownPoint(dataset, store.state) + step * (event.shiftKey ? 10 : 1))),
    );
  });

  const stop = onResize(frame, (frameWidth) => {
    width = Math.max(50, frameWidth - MARGIN.left - MARGIN.right);
    drawBase();
    drawCursor();
  });

  return {
    element,
    update(state, previous) {
      if (state.zoom !== previous.zoom || state.capacity !== previous.capacity) drawBase();
      else if (state.point !== previous.point || state.window !== previous.window) drawMarks();
      if (state.hovered !== previous.hovered || state.pinned !== previous.pinned) drawLifetimes();
      if (state.hoveredPoint !== previous.hoveredPoint || state.zoom !== previous.zoom) drawCursor();
    },
    destroy: stop,
  };
};
