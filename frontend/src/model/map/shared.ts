/**
 * Which boxes lie over another one. XLA lets live buffers share addresses without saying so in the trace, and the map shows where.
 * Touching edges do not count. It knows nothing of buffers or pixels.
 */
import { type Boxes, BoxIndex } from '.';

/** So many at a time overlap where nearly everything does; then each finds another one at once. */
const MANY_ASIDE = 1000;

/** 1 for each box that meets another box on both axes. */
export function findShared(boxes: Boxes): Uint8Array {
  return sweep(boxes) ?? search(boxes);
}

/** For boxes of which most meet others: each looks for the first one that it meets. */
function search(boxes: Boxes): Uint8Array {
  const { left, right, low, high } = boxes;
  const index = new BoxIndex(boxes);
  const shared = new Uint8Array(left.length);
  for (let item = 0; item < shared.length; item++) {
    if (shared[item] === 1) continue;
    index.search(left[item]!, right[item]!, low[item]!, high[item]!, (other) => {
      if (other === item) return undefined;
      shared[item] = 1;
      shared[other] = 1;
      return true;
    });
  }
  return shared;
}

/** For boxes of which few meet others, in order of their beginning; null where it is not so. */
function sweep(boxes: Boxes): Uint8Array | null {
  const { left, right, low, high } = boxes;
  const count = left.length;
  const shared = new Uint8Array(count);
  const byLeft = Uint32Array.from({ length: count }, (_, item) => item).sort(
    (a, b) => (left[a] as number) - (left[b] as number),
  );
  const byRight = Uint32Array.from(byLeft).sort((a, b) => (right[a] as number) - (right[b] as number));
  // `apart` never overlap one another, so that neighbors in order of address are all that a new box can meet there. Boxes that
  // met another one when they began are kept aside and looked at one by one: there are few.
  const apart: number[] = [];
  const aside = new Set<number>();
  let ended = 0;
  for (const item of byLeft) {
    for (; (right[byRight[ended] as number] as number) <= (left[item] as number); ended++)
      leave(apart, aside, byRight[ended] as number, low);
    const place = firstAtOrAbove(apart, low[item] as number, low);
    let met = false;
    const below = apart[place - 1];
    if (below !== undefined && (high[below] as number) > (low[item] as number)) {
      shared[below] = 1;
      met = true;
    }
    for (let at = place; at < apart.length && (low[apart[at] as number] as number) < (high[item] as number); at++) {
      shared[apart[at] as number] = 1;
      met = true;
    }
    for (const other of aside)
      if ((low[other] as number) < (high[item] as number) && (low[item] as number) < (high[other] as number)) {
        shared[other] = 1;
        met = true;
      }
    if (met) {
      shared[item] = 1;
      aside.add(item);
      if (aside.size > MANY_ASIDE) return null;
    } else apart.splice(place, 0, item);
  }
  return shared;
}

function leave(apart: number[], aside: Set<number>, item: number, low: Float64Array): void {
  if (!aside.delete(item)) apart.splice(firstAtOrAbove(apart, low[item] as number, low), 1);
}

/** The first place in `apart`, ordered by low, whose box begins at or above an address. */
function firstAtOrAbove(apart: readonly number[], address: number, low: Float64Array): number {
  let from = 0;
  let to = apart.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((low[apart[middle] as number] as number) < address) from = middle + 1;
    else to = middle;
  }
  return from;
}
