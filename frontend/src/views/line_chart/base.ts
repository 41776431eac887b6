// The parts of the line chart that change only with zoom, size and capacity: axes, lines, rules.

import { axisLeft } from 'd3-axis';
import { select } from 'd3-selection';
import { byteTicks, formatBytes } from '../../lib/bytes';
import { stepPath } from '../../model/axis/step_line';
import type { Dataset } from '../../model/dataset';
import { type Box, curveBox, freePlace } from '../../model/label_place';
import { shownCapacity } from '../../model/selection';
import type { State } from '../../state/state';
import { svg } from '../shared/dom';
import { type ChartFrame, STRIP_HEIGHT } from './frame';
import { PEAK_BASELINE, peakBoxes } from './marks';

const LETTER = 6;
const LABEL_HEIGHT = 13;
const BELOW_BASELINE = 2;
const GAP_TO_LINE = 2;
/** Between a label and the plot's edge. */
const GAP = 4;

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

interface Rule {
  readonly kind: 'allocated' | 'capacity';
  readonly bytes: number;
  readonly label: string;
}

function rules(dataset: Dataset, state: State, frame: ChartFrame): SVGElement[] {
  const { allocated_bytes: allocated, padding_bytes: padding } = dataset.headline;
  const capacity = shownCapacity(dataset, state);
  const all: Rule[] = [{ kind: 'allocated', bytes: allocated, label: `allocated ${formatBytes(allocated)}` }];
  if (capacity !== null) all.push({ kind: 'capacity', bytes: capacity, label: `capacity ${formatBytes(capacity)}` });
  const inPlot = all.filter(({ bytes }) => bytes <= frame.y.domain()[1]!);
  const taken = [...peakBoxes(dataset, frame), ...inPlot.map(({ bytes }) => lineBox(frame, bytes))];
  const lines = padding > 0 ? [dataset.usage, dataset.unpadded] : [dataset.usage];
  const curves = (left: number, right: number): Box[] =>
    lines.map((values) => curveBox(frame.scale.axis.gather(values), frame.scale, frame.y, left, right));
  return all.flatMap((one) => {
    const far = !inPlot.includes(one);
    const label = far ? `${one.label} ↑` : one.label;
    const places = far ? placesAbove(frame, label) : placesBeside(frame, frame.y(one.bytes), label);
    const place = freePlace(places, taken, curves);
    taken.push(place);
    const text = labelText(label, `rule-label ${one.kind}`, place);
    return far ? [text] : [ruleLine(frame, one), text];
  });
}

function lineBox({ y, width }: ChartFrame, bytes: number): Box {
  return { left: 0, right: width, top: y(bytes), bottom: y(bytes) };
}

function ruleLine(frame: ChartFrame, { kind, bytes }: Rule): SVGElement {
  const { left, right, top } = lineBox(frame, bytes);
  return svg('line', { class: `rule ${kind}`, x1: left, x2: right, y1: top, y2: top });
}

function labelText(label: string, kind: string, { anchor, left, right, bottom }: LabelPlace): SVGElement {
  const x = anchor === 'start' ? left : right;
  return svg('text', { class: kind, x, y: bottom - BELOW_BASELINE, 'text-anchor': anchor }, label);
}

interface LabelPlace extends Box {
  readonly anchor: 'start' | 'end';
}

type LabelPlaces = readonly [LabelPlace, ...LabelPlace[]];

/** Under the line, at the right first, where the eye looks first; then over it. */
function placesBeside(frame: ChartFrame, at: number, label: string): LabelPlaces {
  const [under, over] = [at + GAP_TO_LINE, at - GAP_TO_LINE - LABEL_HEIGHT];
  return [
    placeOf(frame, label, under, 'end'),
    placeOf(frame, label, under, 'start'),
    placeOf(frame, label, over, 'end'),
    placeOf(frame, label, over, 'start'),
  ];
}

/** Above the plot, where the peak's own label is not, or where it leaves no room, in the first free row within the plot. */
function placesAbove(frame: ChartFrame, label: string): LabelPlaces {
  const above = PEAK_BASELINE + BELOW_BASELINE - LABEL_HEIGHT;
  const within = [0, 1, 2, 3].map((row) => GAP + row * LABEL_HEIGHT);
  const more = within.flatMap((top) => [placeOf(frame, label, top, 'end'), placeOf(frame, label, top, 'start')]);
  return [placeOf(frame, label, above, 'end'), placeOf(frame, label, above, 'start'), ...more];
}

function placeOf({ width }: ChartFrame, label: string, top: number, anchor: 'start' | 'end'): LabelPlace {
  const room = label.length * LETTER;
  const left = anchor === 'start' ? GAP : width - GAP - room;
  return { left, right: left + room, top, bottom: top + LABEL_HEIGHT, anchor };
}
