// A drawn SVG as a file that stands by itself: the styles that the page gives it are written into it; and SVG text as PNG.

import { svg } from './dom';

/** What the page's style sheets decide about shapes and text in an SVG. */
const PROPERTIES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'display',
  'visibility',
  'shape-rendering',
  'paint-order',
];
const CAPTION_HEIGHT = 26;

const underlays = new WeakMap<SVGSVGElement, () => SVGElement | null>();

/** What lies on a canvas under an SVG, as shapes with styles of their own, for its picture; null where nothing does now. */
export function drawUnder(drawn: SVGSVGElement, shapes: () => SVGElement | null): void {
  underlays.set(drawn, shapes);
}

/** A copy with computed styles inside and a caption above, as text. */
export function standAlone(drawn: SVGSVGElement, caption: string, background: string): string {
  const copy = drawn.cloneNode(true) as SVGSVGElement;
  const originals = [drawn, ...drawn.querySelectorAll('*')];
  const copies = [copy, ...copy.querySelectorAll('*')];
  originals.forEach((original, at) => {
    const style = getComputedStyle(original);
    const kept = PROPERTIES.map((property) => `${property}:${style.getPropertyValue(property)}`);
    copies[at]!.setAttribute('style', kept.join(';'));
  });
  const under = underlays.get(drawn)?.() ?? null;
  if (under !== null) copy.prepend(under);
  const { width, height } = drawn.getBoundingClientRect();
  const ink = getComputedStyle(drawn).color;
  const whole = svg('svg', {
    xmlns: 'http://www.w3.org/2000/svg',
    width,
    height: height + CAPTION_HEIGHT,
    viewBox: `0 0 ${width} ${height + CAPTION_HEIGHT}`,
  });
  copy.setAttribute('y', String(CAPTION_HEIGHT));
  whole.append(
    svg('rect', { width: '100%', height: '100%', fill: background }),
    svg(
      'text',
      { x: 12, y: 18, fill: ink, 'font-family': 'system-ui, sans-serif', 'font-size': 13, 'font-weight': 600 },
      caption,
    ),
    copy,
  );
  return new XMLSerializer().serializeToString(whole);
}

/** SVG text as a PNG at twice its size, sharp enough for a slide. */
export async function toPng(text: string): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.width * 2;
    canvas.height = image.height * 2;
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob(
        (blob) => (blob === null ? reject(new Error('the picture is too large for this browser')) : resolve(blob)),
        'image/png',
      );
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}
