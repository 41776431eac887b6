// The address axis of the map: what part is in view, how zoom and pan move it, where ticks go. Addresses are bytes. Pure.

import { formatBytes, groupDigits } from '../lib/bytes';

/** Addresses [low, high). */
export interface AddressRange {
  readonly low: number;
  readonly high: number;
}

const LEAST_BYTES = 64;

/** Zooms about an address, which stays where it is on the screen. */
export function zoomAddresses(range: AddressRange, about: number, factor: number, size: number): AddressRange {
  const span = Math.min(size, Math.max(Math.min(LEAST_BYTES, size), (range.high - range.low) * factor));
  const share = (about - range.low) / (range.high - range.low);
  return within({ low: about - share * span, high: about + (1 - share) * span }, size);
}

export function moveAddresses(range: AddressRange, by: number, size: number): AddressRange {
  return within({ low: range.low + by, high: range.high + by }, size);
}

function within(range: AddressRange, size: number): AddressRange {
  const span = range.high - range.low;
  const low = Math.max(0, Math.min(size - span, range.low));
  return { low, high: low + span };
}

/** Round addresses in view: multiples of a power of two. */
export function addressTicks(range: AddressRange, count: number): number[] {
  const step = 2 ** Math.ceil(Math.log2(Math.max(1, (range.high - range.low) / count)));
  const ticks: number[] = [];
  for (let tick = Math.ceil(range.low / step) * step; tick <= range.high; tick += step) ticks.push(tick);
  return ticks;
}

export interface Tick {
  /** Pixels from the left or from the top of the plot. */
  readonly at: number;
  readonly label: string;
}

export interface MapTicks {
  readonly points: readonly Tick[];
  readonly addresses: readonly Tick[];
}

/** Ticks of both axes of a window drawn on so many pixels. */
export function mapTicks(
  view: { readonly start: number; readonly end: number } & AddressRange,
  width: number,
  height: number,
): MapTicks {
  const step = roundStep((view.end - view.start) / Math.max(2, width / 110));
  const points: Tick[] = [];
  for (let point = Math.ceil(view.start / step) * step; point < view.end; point += step)
    points.push({ at: ((point - view.start) / (view.end - view.start)) * width, label: groupDigits(point) });
  const addresses = addressTicks(view, Math.max(2, height / 64)).map((address) => ({
    at: ((view.high - address) / (view.high - view.low)) * height,
    label: address === 0 ? '0' : formatBytes(address).replace(/\.0+(?= )/, ''),
  }));
  return { points, addresses };
}

/** The round step of at least `least`: 1, 2 or 5 times a power of ten. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return [1, 2, 5].map((multiple) => multiple * power).find((step) => step >= least) ?? 10 * power;
}
