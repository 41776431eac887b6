// How the capacity of a memory space compares with what is required of it: the limits of the vocabulary. Pure.

import { CAPACITY_IN_CHARTS, NEARLY_FULL } from '../generated/vocabulary';

/** Whether a chart shows the capacity: one far above what is required would flatten the curve. */
export function isInChart(capacity: number, required: number): boolean {
  const [part, whole] = CAPACITY_IN_CHARTS;
  return whole * capacity <= part * Math.max(required, 1);
}

/** Whether little is left of the capacity. */
export function isNearlyFull(capacity: number, required: number): boolean {
  const [part, whole] = NEARLY_FULL;
  return whole * required > part * capacity;
}
