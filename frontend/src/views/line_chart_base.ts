// What of the line chart changes only with zoom, size and capacity: axes, lines, rules.

import { axisLeft } from 'd3-axis';
import { select } from 'd3-selection';
import { byteTicks, formatBytes } from '../lib/bytes';
import type { Dataset } from '../model/dataset';
import { shownCapacity } from '../model/selection';
import type { State } from '../model/state';
import { stepPath } from '../model/step_line';
import { svg } from './dom';
import { type ChartFrame, STRIP_HEIGHT } from './line_chart_frame';

const LABEL_ROOM = 140;
const LABEL_HEIGHT = 15;

/** What lies under the lifetimes of buffers, and what lies over them. */
export function drawBase(
  dataset: Dataset,
  state: State,
  frame: ChartFrame,
): { under: SVGElement[]; over: SVGElement[] } {
  const { scale, width, plotHeight, y } = frame;
  const line = stepPath(scale.axis.gather(dataset.usage), scale.a, scale.b, width, y);
  const over = [svg('path', { class: 'usage-line', d: line }), ...rules(dataset, state, frame)];
  if (dataset.headline.padding_bytes > 0) {
    const unpadded = stepPath(scale.axis.gather(dataset.unpadded), scale.a, scale.b, width, y);
    over.unshift(svg('path', { class: 'unpadded-line', d: unpadded }));
  }
  return {
    under: [
      ...bands(frame),
      bytesAxis(frame),
      pointsAxis(frame),
      svg('path', { class: 'usage-area', d: `${line}V${plotHeight}H0Z` }),
    ],
    over,
  };
}

/** The ground of folded loops. */
function bands({ scale, plotHeight }: ChartFrame): SVGElement[] {
  return scale
    .bands()
    .map(([x0, x1]) => svg('rect', { class: 'fold-band', x: x0, width: x1 - x0, height: plotHeight }));
}

function bytesAxis({ y, width }: ChartFrame): SVGGElement {
  const group = svg('g', { class: 'axis' });
  const axis = axisLeft(y)
    .tickValues(byteTicks(y.domain()[1]!, 5))
    .tickFormat((bytes) => (bytes === 0 ? '0' : formatBytes(Number(bytes)).replace(/\.0+ /, ' ')))
    .tickSize(-width)
    .tickPadding(8);
  select<SVGGElement, unknown>(group).call(axis);
  return group;
}

function pointsAxis({ scale, width, plotHeight }: ChartFrame): SVGGElement {
  const ticks = scale
    .ticks()
    .map(({ at, label }) =>
      svg(
        'g',
        { class: 'tick', transform: `translate(${at},0)` },
        svg('line', { y2: 3 }),
        svg('text', { y: 6, dy: '0.71em', 'text-anchor': 'middle' }, label),
      ),
    );
  const line = svg('path', { class: 'domain', d: `M0,3V0H${width}V3` });
  return svg('g', { class: 'axis', transform: `translate(0,${plotHeight + STRIP_HEIGHT})` }, line, ...ticks);
}

function rules(dataset: Dataset, state: State, frame: ChartFrame): SVGElement[] {
  const { allocated_bytes: allocated, peak_point: peak } = dataset.headline;
  const capacity = shownCapacity(dataset, state);
  const x = frame.scale.x(peak);
  // At the right, where the eye looks first, unless the peak's mark would run through it.
  const left = x > frame.width - LABEL_ROOM && x < frame.width;
  const parts = rule(frame, allocated, `allocated ${formatBytes(allocated)}`, 'allocated', left);
  if (capacity === null) return parts;
  const label = `capacity ${formatBytes(capacity)}`;
  if (capacity > frame.y.domain()[1]!) {
    // Above the plot, at the end where the peak's own label is not.
    const at = x > frame.width / 2 ? { x: 0, y: -7 } : { x: frame.width, y: -7, 'text-anchor': 'end' };
    return [...parts, svg('text', { class: 'rule-label capacity far', ...at }, `${label} ↑`)];
  }
  // Two labels that would lie on each other stand at different ends.
  const near = Math.abs(frame.y(capacity) - frame.y(allocated)) < LABEL_HEIGHT;
  return [...parts, ...rule(frame, capacity, label, 'capacity', near ? !left : left)];
}

/** The label stands under its line: above it the peak's own label may be. */
function rule({ y, width }: ChartFrame, bytes: number, label: string, kind: string, left: boolean): SVGElement[] {
  const at = y(bytes);
  return [
    svg('line', { class: `rule ${kind}`, x1: 0, x2: width, y1: at, y2: at }),
    svg(
      'text',
      { class: `rule-label ${kind}`, x: left ? 4 : width - 4, y: at + 13, 'text-anchor': left ? 'start' : 'end' },
      label,
    ),
  ];
}
