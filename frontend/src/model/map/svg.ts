// The map as self-contained SVG text: rectangles, labels, ticks and caption. Names are escaped. Pure.

import { inkOn } from '../../lib/palette';
import type { Tick } from '../axis/point_scale';
import { type Hatch, hatchOf } from './colors';
import type { MapLabel, MapPicture } from './layout';

export interface MapSvg {
  readonly picture: MapPicture;
  readonly labels: readonly (MapLabel & { readonly text: string })[];
  readonly width: number;
  readonly height: number;
  readonly caption: string;
  readonly pointTicks: readonly Tick[];
  readonly addressTicks: readonly Tick[];
  colorOf(row: number): string;
  nameOf(row: number): string;
}

const FREE = '#f4f5f7';
const LEFT = 76;
const TOP = 30;
const RIGHT = 14;
const BOTTOM = 40;

/** Text and attribute values of XML; characters that XML forbids are replaced. */
export function xmlText(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '\ufffd').replace(/[&<>"']/g, (letter) => entities[letter]!);
}

export function mapSvg(map: MapSvg): string {
  const width = map.width + LEFT + RIGHT;
  const height = map.height + TOP + BOTTOM;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="11">`,
    defs(map),
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="${LEFT}" y="18" font-size="13" font-weight="600">${xmlText(map.caption)}</text>`,
    `<g transform="translate(${LEFT},${TOP})"><rect width="${map.width}" height="${map.height}" fill="url(#free)" stroke="#888888"/>`,
    `<clipPath id="plot"><rect width="${map.width}" height="${map.height}"/></clipPath><g clip-path="url(#plot)">`,
    ...speckles(map),
    ...rectangles(map),
    ...map.labels.map(
      (label) =>
        `<text x="${round(label.x + 4)}" y="${round(label.y + 4)}" fill="${inkOn(map.colorOf(label.row))}">${xmlText(label.text)}</text>`,
    ),
    '</g>',
    ...map.pointTicks.map(
      (tick) =>
        `<path d="M${round(tick.at)},${map.height}v5" stroke="#888888"/><text x="${round(tick.at)}" y="${map.height + 17}" text-anchor="middle">${xmlText(tick.label)}</text>`,
    ),
    ...map.addressTicks.map(
      (tick) =>
        `<path d="M0,${round(tick.at)}h-5" stroke="#888888"/><text x="-8" y="${round(tick.at + 4)}" text-anchor="end">${xmlText(tick.label)}</text>`,
    ),
    `<text x="${map.width / 2}" y="${map.height + 34}" text-anchor="middle" fill="#555555">program point</text></g></svg>`,
  ].join('\n');
}

/** Stripes across a tile of six by six, and across its corners. */
const RISES = 'M-1,7L7,-1M-1,1L1,-1M5,7L7,5';
const FALLS = 'M-1,-1L7,7M5,-1L7,1M-1,5L1,7';

function defs(map: MapSvg): string {
  const hatches = new Map<string, Hatch>();
  for (let item = 0; item < map.picture.rects.count; item++) {
    const hatch = hatchAt(map, item);
    if (hatch !== null) hatches.set(patternName(map, item), hatch);
  }
  const free = { ground: FREE, stripe: '#dfe2e6', rises: true, falls: false };
  const patterns = [...hatches].map(([name, hatch]) => pattern(name, hatch, 1.2));
  return `<defs>${pattern('free', free, 1)}${patterns.join('')}</defs>`;
}

function hatchAt({ picture: { rects }, colorOf }: MapSvg, item: number): Hatch | null {
  return hatchOf(colorOf(rects.row[item]!), FREE, rects.shared[item] === 1, rects.unlisted[item] === 1);
}

function pattern(name: string, { ground, stripe, rises, falls }: Hatch, width: number): string {
  const back = `<rect width="6" height="6" fill="${ground}"/>`;
  const lines = `<path d="${rises ? RISES : ''}${falls ? FALLS : ''}" stroke="${stripe}" stroke-width="${width}"/>`;
  return `<pattern id="${name}" width="6" height="6" patternUnits="userSpaceOnUse">${back}${lines}</pattern>`;
}

function patternName({ picture: { rects }, colorOf }: MapSvg, item: number): string {
  const kinds = [rects.shared[item] === 1 ? 'shared' : '', rects.unlisted[item] === 1 ? 'unlisted' : ''];
  return [...kinds.filter(Boolean), colorOf(rects.row[item]!).slice(1)].join('-');
}

function* speckles(map: MapSvg): Generator<string> {
  const drawn: string[] = [];
  map.picture.speckles.runs((row, x, y, length) => {
    drawn.push(`<rect x="${x}" y="${y}" width="${length}" height="1" fill="${map.colorOf(row)}"/>`);
  });
  yield* drawn;
}

function* rectangles(map: MapSvg): Generator<string> {
  const { rects } = map.picture;
  for (let item = 0; item < rects.count; item++) {
    const row = rects.row[item]!;
    const color = map.colorOf(row);
    const ground = hatchAt(map, item) === null ? color : `url(#${patternName(map, item)})`;
    const stroke = rects.shared[item] === 1 ? `stroke="${color}"` : 'stroke="#ffffff" stroke-width="0.5"';
    yield `<rect x="${round(rects.x[item]!)}" y="${round(rects.y[item]!)}" width="${round(rects.width[item]!)}" height="${round(rects.height[item]!)}" fill="${ground}" ${stroke}><title>${xmlText(map.nameOf(row))}</title></rect>`;
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
