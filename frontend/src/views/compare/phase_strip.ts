// The phases of one side of a comparison, under its curve.

import { groupDigits } from '../../lib/bytes';
import { shortenMiddle } from '../../lib/text';
import type { CommonAxis } from '../../model/compare';
import { svg } from '../shared/dom';

export const STRIP_ROW = 14;
const LETTER = 6;
/** A name cut to fewer tells nothing: its tooltip has the whole. */
const LEAST_LETTERS = 14;

export interface Side {
  readonly name: 'subject' | 'baseline';
  readonly label: string;
}

/** A side's phases; a gap where it lacks one that the other has. */
export function phaseStrip(axis: CommonAxis, { name, label }: Side, top: number, width: number): SVGElement[] {
  const parts: SVGElement[] = [
    svg('text', { class: 'compare-strip-name', x: -8, y: top + STRIP_ROW - 3, 'text-anchor': 'end' }, label),
  ];
  for (const { phase, start, end } of axis.stretches) {
    const [from, to] = phase[name];
    const [x0, x1] = [(start / axis.length) * width, (end / axis.length) * width];
    if (to <= from || x1 - x0 < 0.5) continue;
    const title = `${phase.label}\npoints ${groupDigits(from)} to ${groupDigits(to - 1)}`;
    const kind = `${phase.direction}${phase.remat ? ' remat' : ''}`;
    parts.push(
      svg(
        'rect',
        { class: `direction ${kind}`, x: x0, width: Math.max(0.5, x1 - x0 - 0.5), y: top, height: STRIP_ROW },
        svg('title', {}, title),
      ),
    );
    const room = Math.floor((x1 - x0 - 8) / LETTER);
    const text = phase.label.replace(/ (forward|backward)$/, '');
    if (room >= Math.min(LEAST_LETTERS, text.length))
      parts.push(svg('text', { class: 'compare-phase', x: x0 + 4, y: top + STRIP_ROW - 3 }, shortenMiddle(text, room)));
  }
  return parts;
}
