// An XLA shape with its layout in words. Pure text; unreadable parts are left out.

const SHAPE = /^([a-z][a-z0-9]*)\[([^\]]*)\](?:\{([^}]*)\})?$/;

/** `row-major, in tiles of 8 × 128, then 2 × 1` for `bf16[777,3]{1,0:T(8,128)(2,1)}`; "" where there is nothing to say. */
export function layoutWords(shape: string): string {
  const found = SHAPE.exec(shape);
  if (found?.[3] === undefined) return '';
  const [order, features] = split(found[3]);
  const words = [orderWords(order), tileWords(features), bitsWords(features)];
  return words.filter((word) => word !== '').join(', ');
}

function split(layout: string): [number[], string] {
  const colon = layout.indexOf(':');
  const order = colon < 0 ? layout : layout.slice(0, colon);
  const numbers = order
    .split(',')
    .filter((text) => /^\d+$/.test(text))
    .map(Number);
  return [numbers, colon < 0 ? '' : layout.slice(colon + 1)];
}

/** Minor to major, as XLA writes it. */
function orderWords(order: readonly number[]): string {
  if (order.length < 2) return '';
  if (order.every((dimension, at) => dimension === order.length - 1 - at)) return 'row-major';
  if (order.every((dimension, at) => dimension === at)) return 'column-major';
  return `dimension ${order[0]} varies fastest, dimension ${order[order.length - 1]} slowest`;
}

function tileWords(features: string): string {
  const tiles = /T((?:\([^)]*\))+)/.exec(features)?.[1];
  if (tiles === undefined) return '';
  const texts = [...tiles.matchAll(/\(([^)]*)\)/g)].map((match) => match[1]!.replaceAll(',', ' × '));
  return `in tiles of ${texts.join(', then ')}`;
}

function bitsWords(features: string): string {
  const bits = /E\((\d+)\)/.exec(features)?.[1];
  return bits === undefined ? '' : `${bits} bits per element`;
}
