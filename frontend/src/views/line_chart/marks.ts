// The parts of the line chart that follow selection and pointer: peak, point, window, lifetimes of buffers, cursor.

import { formatBytes, groupDigits } from '../../lib/bytes';
import type { Dataset } from '../../model/dataset';
import type { Box } from '../../model/label_place';
import { shownBuffer, shownPoint } from '../../model/selection';
import type { State } from '../../state/state';
import { svg } from '../shared/dom';
import { type ChartFrame, STRIP_HEIGHT } from './frame';

/** Room that a label needs to stand right of its mark. */
const LABEL_ROOM = 150;
const PEAK_TOP = -14;
export const PEAK_BASELINE = -7;

/** What the peak's mark and its label take of the plot and of the room above it. */
export function peakBoxes(dataset: Dataset, { scale, width, plotHeight }: ChartFrame): Box[] {
  const x = scale.middle(dataset.headline.peak_point);
  if (x === null) return [];
  const [left, right] = standsLeft(x, width) ? [x - LABEL_ROOM, x] : [x, x + LABEL_ROOM];
  return [
    { left: x, right: x, top: PEAK_TOP, bottom: plotHeight },
    { left, right, top: PEAK_TOP, bottom: PEAK_BASELINE + 2 },
  ];
}

function standsLeft(x: number, width: number): boolean {
  return x > width - LABEL_ROOM;
}

export function drawMarks(dataset: Dataset, state: State, frame: ChartFrame): SVGElement[] {
  const { peak_point: peak, peak_bytes: bytes } = dataset.headline;
  const marks = vertical(frame, peak, 'peak', `peak ${formatBytes(bytes)}`);
  if (state.window !== null) return [...windowMark(frame, state.window), ...marks];
  const point = shownPoint(dataset, state);
  if (point === peak) return marks;
  return [
    ...marks,
    ...vertical(frame, point, 'chosen', `${groupDigits(point)}: ${formatBytes(dataset.usage[point]!)}`),
  ];
}

function windowMark({ scale, plotHeight }: ChartFrame, [a, b]: readonly [number, number]): SVGElement[] {
  const span = scale.span(a, b);
  if (span === null) return [];
  return [
    svg('rect', { class: 'window', x: span[0], width: Math.max(1, span[1] - span[0]), y: 0, height: plotHeight }),
  ];
}

function vertical({ scale, width, plotHeight }: ChartFrame, point: number, kind: string, label: string): SVGElement[] {
  const x = scale.middle(point);
  if (x === null) return [];
  const left = standsLeft(x, width);
  return [
    svg('line', {
      class: `mark ${kind}`,
      x1: x,
      x2: x,
      y1: kind === 'peak' ? PEAK_TOP : 0,
      y2: plotHeight + STRIP_HEIGHT - 14,
    }),
    svg(
      'text',
      {
        class: `mark-label ${kind}`,
        x: left ? x - 6 : x + 6,
        y: kind === 'peak' ? PEAK_BASELINE : 12,
        'text-anchor': left ? 'end' : 'start',
      },
      label,
    ),
  ];
}

/** Every span of the hovered and of the pinned buffer, as high as it is large. */
export function drawLifetimes(dataset: Dataset, state: State, frame: ChartFrame): SVGElement[] {
  const rows = [state.pinned, shownBuffer(state)].filter((row): row is number => row !== null && row < dataset.count);
  return [...new Set(rows)].flatMap((row) => {
    return spansOf(dataset, row).flatMap((span) =>
      lifetime(dataset, frame, span, row === state.hovered ? 'hovered' : 'pinned'),
    );
  });
}

/** All rows of the buffer of a row. */
export function spansOf(dataset: Dataset, row: number): readonly number[] {
  return dataset.id[row] === '' ? [row] : dataset.rowsOfId(dataset.id[row]!);
}

function lifetime(dataset: Dataset, { scale, plotHeight, y }: ChartFrame, row: number, kind: string): SVGElement[] {
  const span = scale.span(dataset.start[row]!, dataset.end[row]!);
  if (span === null) return [];
  const height = Math.max(3, plotHeight - y(dataset.size[row]!));
  const color = dataset.color(row);
  return [
    svg('rect', {
      class: `lifetime ${kind} ${dataset.lifeKind(row)}`,
      x: span[0],
      width: Math.max(2, span[1] - span[0]),
      y: plotHeight - height,
      height,
      style: `fill:${color};stroke:${color}`,
    }),
  ];
}

export function drawCursor(dataset: Dataset, point: number | null, frame: ChartFrame): SVGElement[] {
  const { scale, plotHeight, y } = frame;
  const x = point === null ? null : scale.middle(point);
  if (point === null || x === null) return [];
  return [
    svg('line', { class: 'cursor-line', x1: x, x2: x, y1: 0, y2: plotHeight + STRIP_HEIGHT - 14 }),
    svg('circle', { class: 'cursor-dot', cx: x, cy: y(dataset.usage[point]!), r: 3.5 }),
  ];
}
