// Both curves of a comparison on one axis, below them the phases of each side, and a tooltip.

import type { CompareAnswer, CompareSide } from '../../generated/contract';
import { formatBytes, groupDigits } from '../../lib/bytes';
import { type CommonAxis, commonAxis, movedCurve } from '../../model/compare';
import { bytesAt, curveOf, curvePath } from '../../model/spaces_curve';
import { clearOfHead, el, onResize, setAttributes, svg } from '../shared/dom';
import { phaseStrip, type Side, STRIP_ROW } from './phase_strip';

const HEIGHT = 230;
const TOP = 4;
const LEFT = 72;
const RIGHT = 14;
const STRIP_TOP = HEIGHT + 10;
const STRIP_GAP = 2;
/** Two labels closer than this would lie on each other. */
const LABEL_HEIGHT = 14;
/** The tooltip's place in the chart while all of it is in sight. */
const TIP_TOP = 20;
const HEADROOM = 1.05;

const SIDES: readonly Side[] = [
  { name: 'subject', label: 'this' },
  { name: 'baseline', label: 'baseline' },
];

export interface CompareChart {
  readonly element: HTMLElement;
  destroy(): void;
}

/** `choose` is called with a point of the subject. */
export function makeCompareChart(answer: CompareAnswer, choose: (point: number) => void): CompareChart {
  const axis = commonAxis(answer);
  const aligned = answer.alignment.length > 0;
  const curves = { subject: curveOf(answer.subject), baseline: curveOf(answer.baseline) };
  const most = Math.max(answer.subject.headline.peak_bytes, answer.baseline.headline.peak_bytes, 1) * HEADROOM;
  const y = (bytes: number): number => HEIGHT - (bytes / most) * HEIGHT;
  const chart = svg('svg', {
    class: 'compare-chart',
    role: 'img',
    height: TOP + HEIGHT + (aligned ? 10 + 2 * STRIP_ROW + STRIP_GAP : 0) + 4,
    'aria-label': `Usage of both: peak ${formatBytes(answer.subject.headline.peak_bytes)} here, ${formatBytes(answer.baseline.headline.peak_bytes)} in the baseline`,
  });
  const cursor = svg('line', { class: 'cursor-line', y1: 0, y2: HEIGHT, visibility: 'hidden' });
  const tooltip = el('div', { class: 'tooltip', hidden: true });
  const element = el('div', { class: 'compare-frame' }, chart, tooltip);
  let width = 0;

  function draw(): void {
    setAttributes(chart, { width: width + LEFT + RIGHT });
    const line = ({ name }: Side): SVGElement => {
      const moved = movedCurve(curves[name], axis[name]);
      return svg('path', {
        class: `compare-line ${name}`,
        d: curvePath(moved, 0, axis.length, width, HEIGHT, most),
      });
    };
    const ground = svg('line', { class: 'small-base', x1: 0, x2: width, y1: HEIGHT, y2: HEIGHT });
    chart.replaceChildren(
      svg(
        'g',
        { transform: `translate(${LEFT},${TOP})`, class: 'axis' },
        ground,
        ...peaks(),
        ...[...SIDES].reverse().map(line),
        ...(aligned
          ? SIDES.flatMap((side, row) => phaseStrip(axis, side, STRIP_TOP + row * (STRIP_ROW + STRIP_GAP), width))
          : []),
        cursor,
      ),
    );
  }

  function peaks(): SVGElement[] {
    const tops = SIDES.map(({ name }) => answer[name].headline.peak_bytes);
    const near = Math.abs(y(tops[0]!) - y(tops[1]!)) < LABEL_HEIGHT;
    const label = (bytes: number): SVGElement =>
      svg('text', { x: -8, y: y(bytes) + 4, 'text-anchor': 'end' }, bytes === 0 ? '0' : formatBytes(bytes));
    return [
      ...SIDES.map(({ name }, at) =>
        svg('line', { class: `compare-peak ${name}`, x1: 0, x2: width, y1: y(tops[at]!), y2: y(tops[at]!) }),
      ),
      ...[0, ...(near ? [Math.max(...tops)] : tops)].map(label),
    ];
  }

  function placeOf(event: MouseEvent): { x: number; at: ReturnType<CommonAxis['at']> } | null {
    const x = event.clientX - chart.getBoundingClientRect().left - LEFT;
    return x < 0 || x >= width ? null : { x, at: axis.at((x / width) * axis.length) };
  }

  function hover(event: PointerEvent): void {
    const place = placeOf(event);
    tooltip.hidden = place === null;
    setAttributes(cursor, { visibility: place === null ? 'hidden' : 'visible' });
    if (place === null) return;
    const { x, at } = place;
    setAttributes(cursor, { x1: x, x2: x });
    const lines = SIDES.map(({ name, label }): [string, string] => {
      const point = at[name];
      if (point === null) return [label, 'has no such phase'];
      return [label, `${formatBytes(bytesAt(curves[name], point))} at point ${groupDigits(point)}`];
    });
    if (at.label !== '') lines.push(['phase', at.label]);
    tooltip.replaceChildren(
      ...lines.flatMap(([name, text]) => [el('span', { class: 'tip-name' }, name), el('span', {}, text)]),
    );
    const side = x > width / 2 ? `right:${width - x + RIGHT + 14}px` : `left:${x + LEFT + 14}px`;
    setAttributes(tooltip, { style: `${side};top:${clearOfHead(element, TIP_TOP)}px` });
  }

  chart.addEventListener('pointermove', hover);
  chart.addEventListener('pointerleave', () => {
    tooltip.hidden = true;
    setAttributes(cursor, { visibility: 'hidden' });
  });
  chart.addEventListener('click', (event) => {
    const point = placeOf(event)?.at.subject ?? null;
    if (point !== null) choose(point);
  });
  const destroy = onResize(element, (boxWidth) => {
    width = Math.max(50, boxWidth - LEFT - RIGHT);
    draw();
  });
  return { element, destroy };
}

/** What the axis is, in words. */
export function axisNote({ subject, baseline, alignment }: CompareAnswer): string {
  const unit = ({ axis }: CompareSide): string => (axis === 'events' ? 'heap events (no schedule)' : 'points');
  const counts = `${groupDigits(subject.points)} ${unit(subject)} here, ${groupDigits(baseline.points)} ${unit(baseline)} in the baseline`;
  if (alignment.length > 0) return `Phases of the two programs are aligned: ${counts}.`;
  return `Each program is scaled to the full width: ${counts}.`;
}
