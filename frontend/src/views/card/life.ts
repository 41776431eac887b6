// The life of a buffer as a line: where it is alive, its readers, and where it is idle.

import { groupDigits } from '../../lib/bytes';
import type { Life } from '../../model/card';
import { svg } from '../shared/dom';

/** Units of the picture; it is stretched to the card's width. */
const WIDE = 300;
const HIGH = 18;
const MOST_TICKS = 300;

export function lifeLine(life: Life, points: number, color: string, at: number): SVGSVGElement {
  const x = (point: number): number => (point / points) * WIDE;
  const wide = (a: number, b: number): number => Math.max(1.5, x(b) - x(a));
  const { start, end, idle, readers, kind } = life;
  const ownKind = kind === 'inferred' || kind === 'unknown' ? 'life-own unlisted' : 'life-own';
  const picture = svg('svg', {
    class: 'life-line',
    viewBox: `0 0 ${WIDE} ${HIGH}`,
    preserveAspectRatio: 'none',
    role: 'img',
    'aria-label': `Alive from point ${groupDigits(start)} to ${groupDigits(end - 1)} of ${groupDigits(points)}`,
  });
  picture.append(
    svg('rect', { class: 'life-ground', width: WIDE, y: 5, height: 8 }),
    svg('rect', { class: ownKind, x: x(start), width: wide(start, end), y: 5, height: 8, fill: color, stroke: color }),
  );
  if (idle !== null)
    picture.append(svg('rect', { class: 'life-idle', x: x(idle[0]), width: wide(...idle), y: 5, height: 8 }));
  const every = Math.ceil(readers.length / MOST_TICKS);
  const ticks = Array.from(readers).filter((_, place) => place % every === 0);
  const path = ticks.map((point) => `M${x(point + 0.5).toFixed(2)},2V16`).join('');
  picture.append(
    svg('path', { class: 'life-readers', d: path }),
    svg('path', { class: 'life-point', d: `M${x(at + 0.5).toFixed(2)},0V${HIGH}` }),
  );
  return picture;
}
