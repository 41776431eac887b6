// The dimensions of the line chart: margins, heights, and the two scales. No drawing here.

import { type ScaleLinear, scaleLinear } from 'd3-scale';
import type { PointScale } from '../../model/axis/point_scale';
import { isInChart } from '../../model/capacity';
import type { Dataset } from '../../model/dataset';
import { pointScale, shownCapacity } from '../../model/selection';
import type { State } from '../../state/state';

/** Left and right are those of every chart on the program order, so that they line up. */
export const MARGIN = { left: 72, right: 14, top: 20 };
export const STRIP_HEIGHT = 40;
export const AXIS_HEIGHT = 20;
export const MINIMAP_HEIGHT = 26;
const BELOW = STRIP_HEIGHT + AXIS_HEIGHT + MINIMAP_HEIGHT + 6;

export interface ChartFrame {
  readonly width: number;
  readonly plotHeight: number;
  readonly height: number;
  readonly scale: PointScale;
  /** Bytes to pixels from the top of the plot. */
  readonly y: ScaleLinear<number, number>;
}

/** Taller where the window is: the bars below should still be in view. */
export function plotHeightFor(windowHeight: number): number {
  return Math.round(Math.max(150, Math.min(380, windowHeight * 0.25)));
}

export function makeFrame(dataset: Dataset, state: State, width: number, plotHeight: number): ChartFrame {
  return {
    width,
    plotHeight,
    height: MARGIN.top + plotHeight + BELOW,
    scale: pointScale(dataset, state, width),
    y: scaleLinear([0, topBytes(dataset, state) * 1.04], [plotHeight, 0]),
  };
}

/** Bytes at the top: the capacity too, where it is near enough not to press the line to the ground. */
function topBytes(dataset: Dataset, state: State): number {
  const top = Math.max(dataset.headline.required_bytes, 1);
  const capacity = shownCapacity(dataset, state);
  return capacity !== null && isInChart(capacity, top) ? Math.max(top, capacity) : top;
}
