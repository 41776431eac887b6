// The strip under the line chart: which part of the user's own program each point belongs to (forward or backward, and the
// framework's scope), and loop bodies as brackets that fold.

import type { Loop } from '../../generated/contract';
import { groupDigits } from '../../lib/bytes';
import { hashText } from '../../lib/palette';
import { shortenMiddle } from '../../lib/text';
import { isFoldable } from '../../model/axis/loops';
import { phaseRuns } from '../../model/axis/phase_runs';
import type { PointScale } from '../../model/axis/point_scale';
import type { Dataset } from '../../model/dataset';
import { svg } from '../shared/dom';

const DIRECTION = 4;
const SCOPES = 16;
const LETTER = 6;
/** A name cut to fewer tells nothing: its tooltip has the whole. */
const LEAST_LETTERS = 14;
/** A bracket of fewer pixels cannot be hit. */
const LEAST_BRACKET = 6;

export interface StripOptions {
  readonly dataset: Dataset;
  readonly scale: PointScale;
  /** Rows of dataset.loops. */
  readonly folded: ReadonlySet<number>;
  fold(loop: number): void;
  zoom(loop: number): void;
}

/** The strip of the stretch that the scale shows; its top is at 0. */
export function drawPhases(options: StripOptions): SVGGElement {
  const { dataset, scale } = options;
  const { axis } = scale;
  const strip = svg('g', { class: 'phases' });
  for (const run of phaseRuns(axis.gatherRows(dataset.pointPhase), scale.a, scale.b, scale.width)) {
    const phase = dataset.phases[run.phase];
    const span = scale.spanOfCells(run.start, run.end);
    if (!phase || !span) continue;
    const [x, width] = [span[0], span[1] - span[0]];
    const [first, last] = [axis.pointAt(run.start), axis.pointAt(run.end - 1)];
    const title = `${phase.label}\n${phase.scope}\npoints ${groupDigits(first)} to ${groupDigits(last)}`;
    strip.append(
      svg('rect', { class: `direction ${phase.direction}${phase.remat ? ' remat' : ''}`, x, width, height: DIRECTION }),
      scopeRect(phase.scope, x, width, title),
    );
    label(strip, phase.label.replace(/ (forward|backward)$/, ''), x, width, DIRECTION + SCOPES - 4);
  }
  dataset.loops.forEach((loop, row) => {
    if (loop !== null) strip.append(...drawLoop(options, loop, row));
  });
  return strip;
}

function scopeRect(scope: string, x: number, width: number, title: string): SVGElement {
  const hue = hashText(scope.replace(/\d+/g, '*')) % 360;
  return svg(
    'rect',
    {
      class: 'phase',
      x,
      y: DIRECTION,
      width: Math.max(0.5, width - (width > 3 ? 0.5 : 0)),
      height: SCOPES,
      style: `--hue:${hue}`,
    },
    svg('title', {}, title),
  );
}

function label(strip: SVGGElement, text: string, x: number, width: number, y: number): void {
  const room = Math.floor((width - 8) / LETTER);
  if (room < Math.min(LEAST_LETTERS, text.length)) return;
  strip.append(svg('text', { class: 'phase-label', x: x + 4, y }, shortenMiddle(text, room)));
}

function drawLoop(options: StripOptions, loop: Loop, row: number): SVGElement[] {
  const folded = options.folded.has(row);
  const inside = options.scale.axis.foldAt(loop.start);
  if (!isFoldable(loop) || (inside !== null && !(folded && inside.start === loop.start && inside.end === loop.end)))
    return [];
  const span = options.scale.span(loop.start, loop.end);
  if (span === null || span[1] - span[0] < LEAST_BRACKET) return [];
  const [x0, x1] = span;
  const what =
    loop.kind === 'while'
      ? 'loop body, one iteration: XLA plans a loop once, however often it runs'
      : 'branch of a conditional';
  const title = svg(
    'title',
    {},
    `${loop.name}: ${what}\npoints ${groupDigits(loop.start)} to ${groupDigits(loop.end - 1)}\n${folded ? 'folded to its maximum; click to unfold' : 'click to fold'}, double-click to zoom`,
  );
  const y = DIRECTION + SCOPES + 2;
  const group = svg('g', { class: `loop${folded ? ' folded' : ''}` }, title);
  if (folded) group.append(svg('rect', { class: 'loop-fold', x: x0, width: x1 - x0, height: DIRECTION + SCOPES }));
  group.append(
    svg('rect', { class: 'loop-hit', x: x0, y, width: x1 - x0, height: 16 }),
    svg('path', { class: 'loop-bracket', d: `M${x0 + 0.5},${y}v4H${x1 - 0.5}v-4` }),
  );
  const arrow = folded ? '▸' : '▾';
  const words = loop.kind === 'while' ? ['loop body, one iteration', 'loop body'] : ['branch'];
  const room = Math.floor((x1 - x0) / 5.6);
  if (room >= 3) {
    const fitting = words.find((text) => text.length + 2 <= room);
    group.append(
      svg(
        'text',
        { class: 'loop-label', x: (x0 + x1) / 2, y: y + 14, 'text-anchor': 'middle' },
        fitting === undefined ? arrow : `${arrow} ${fitting}`,
      ),
    );
  }
  group.addEventListener('click', () => options.fold(row));
  group.addEventListener('dblclick', (event) => {
    event.stopPropagation();
    options.zoom(row);
  });
  return [group];
}
