// The address axis of the map: the part in view, zooming and panning, ticks. Addresses are bytes. Pure.

import { formatBytes } from '../../lib/bytes';
import type { Tick } from '../axis/point_scale';

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

/** Ticks of an address range drawn on so many pixels. */
export function addressMarks(range: AddressRange, height: number): Tick[] {
  return addressTicks(range, Math.max(2, height / 64)).map((address) => ({
    at: ((range.high - address) / (range.high - range.low)) * height,
    label: address === 0 ? '0' : formatBytes(address).replace(/\.0+(?= )/, ''),
  }));
}
