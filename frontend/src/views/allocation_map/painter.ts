// Paints the map's layout onto a canvas. Decides nothing: no scale, no selection of buffers, no text lengths.

import { inkOn } from '../../lib/palette';
import { channels, type Hatch, hatchOf } from '../../model/map/colors';
import type { MapLabel, MapPicture } from '../../model/map/layout';
import { NOBODY } from '../../model/map/speckles';

export interface MapPaint {
  readonly picture: MapPicture;
  readonly labels: readonly (MapLabel & { readonly text: string })[];
  readonly width: number;
  readonly height: number;
  /** `#rrggbb` of a buffer. */
  colorOf(row: number): string;
  /** Whether a buffer stands back because something else is searched for. */
  isDim(row: number): boolean;
  readonly theme: MapTheme;
}

export interface MapTheme {
  /** Background of free addresses, `#rrggbb`. */
  readonly free: string;
  readonly freeStripe: string;
  readonly dim: string;
}

const LABEL_FONT = '11px system-ui, sans-serif';
const STRIPE = 6;

/** Paints all of the map; the context's units are CSS pixels. */
export function paintMap(context: CanvasRenderingContext2D, paint: MapPaint): void {
  const free = { ground: paint.theme.free, stripe: paint.theme.freeStripe, rises: true, falls: false };
  context.fillStyle = stripes(context, free);
  context.fillRect(0, 0, paint.width, paint.height);
  paintSpeckles(context, paint);
  paintRects(context, paint);
  paintLabels(context, paint);
}

function paintSpeckles(context: CanvasRenderingContext2D, paint: MapPaint): void {
  const { columns, lines, owner, top, bottom } = paint.picture.speckles;
  if (top >= bottom) return;
  const { image, pixels, canvas } = surfaceOf(columns, lines);
  const known = new Map<string, number>();
  let last = NOBODY;
  let lastPixel = 0;
  for (let at = top * columns; at < bottom * columns; at++) {
    const row = owner[at]!;
    if (row !== last) {
      last = row;
      lastPixel = row === NOBODY ? 0 : pixelOf(paint.isDim(row) ? paint.theme.dim : paint.colorOf(row), known);
    }
    pixels[at] = lastPixel;
  }
  canvas.getContext('2d')!.putImageData(image, 0, 0, 0, top, columns, bottom - top);
  context.imageSmoothingEnabled = false;
  context.drawImage(canvas, 0, top, columns, bottom - top, 0, top, columns, bottom - top);
}

function pixelOf(color: string, known: Map<string, number>): number {
  let value = known.get(color);
  if (value === undefined) {
    const [red, green, blue] = channels(color);
    // Bytes lie as red, green, blue, alpha; every machine that runs a browser is little-endian.
    value = ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
    known.set(color, value);
  }
  return value;
}

interface Surface {
  readonly image: ImageData;
  readonly pixels: Uint32Array;
  readonly canvas: OffscreenCanvas;
}

/** The last one is kept: a picture a frame would else make megabytes of garbage each. */
let surface: Surface | null = null;

function surfaceOf(columns: number, lines: number): Surface {
  if (surface?.image.width !== columns || surface.image.height !== lines) {
    const image = new ImageData(columns, lines);
    const pixels = new Uint32Array(image.data.buffer);
    surface = { image, pixels, canvas: new OffscreenCanvas(columns, lines) };
  }
  return surface;
}

function paintRects(context: CanvasRenderingContext2D, paint: MapPaint): void {
  const { rects } = paint.picture;
  context.strokeStyle = paint.theme.free;
  context.lineWidth = 0.75;
  for (let item = 0; item < rects.count; item++) {
    const row = rects.row[item]!;
    const dim = paint.isDim(row);
    const color = dim ? paint.theme.dim : paint.colorOf(row);
    const x = rects.x[item]!;
    const y = rects.y[item]!;
    const width = rects.width[item]!;
    const height = rects.height[item]!;
    const shared = rects.shared[item] === 1 && !dim;
    const hatch = dim ? null : hatchOf(color, paint.theme.free, shared, rects.unlisted[item] === 1);
    context.fillStyle = hatch === null ? color : stripes(context, hatch);
    context.fillRect(x, y, width, height);
    if (shared) outline(context, color, x, y, width, height);
    // A hair around each tells neighbors apart where their colors do not.
    else if (width > 3 && height > 3) context.strokeRect(x, y, width, height);
  }
}

/** What shares its addresses lies inside what it shares them with, and is not taken for its own place. */
function outline(
  context: CanvasRenderingContext2D,
  color: string,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  if (width < 3 || height < 3) return;
  context.save();
  context.strokeStyle = color;
  context.lineWidth = 1.5;
  context.strokeRect(x + 0.75, y + 0.75, width - 1.5, height - 1.5);
  context.restore();
}

function paintLabels(context: CanvasRenderingContext2D, paint: MapPaint): void {
  context.font = LABEL_FONT;
  context.textBaseline = 'middle';
  for (const label of paint.labels) {
    context.fillStyle = inkOn(paint.isDim(label.row) ? paint.theme.dim : paint.colorOf(label.row));
    context.fillText(label.text, label.x + 4, label.y, label.width - 8);
  }
}

const patterns = new Map<string, CanvasPattern>();

function stripes(context: CanvasRenderingContext2D, { ground, stripe, rises, falls }: Hatch): CanvasPattern {
  const key = `${ground} ${stripe} ${rises} ${falls}`;
  let pattern = patterns.get(key);
  if (pattern === undefined) {
    const tile = new OffscreenCanvas(STRIPE, STRIPE);
    const pen = tile.getContext('2d')!;
    pen.fillStyle = ground;
    pen.fillRect(0, 0, STRIPE, STRIPE);
    pen.strokeStyle = stripe;
    pen.lineWidth = 1.2;
    pen.beginPath();
    for (const shift of [-STRIPE, 0, STRIPE]) {
      if (rises) line(pen, shift, STRIPE + 1, -1);
      if (falls) line(pen, shift, -1, STRIPE + 1);
    }
    pen.stroke();
    pattern = context.createPattern(tile, 'repeat')!;
    patterns.set(key, pattern);
  }
  return pattern;
}

/** Across a tile from left to right, moved sideways. */
function line(pen: OffscreenCanvasRenderingContext2D, shift: number, from: number, to: number): void {
  pen.moveTo(shift - 1, from);
  pen.lineTo(shift + STRIPE + 1, to);
}
