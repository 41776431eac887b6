// The strip under the line chart: which part of the user's own program each point belongs to, and loop bodies as brackets.

import { hashText } from '../lib/palette';
import { shortenMiddle } from '../lib/text';
import type { Dataset } from '../model/dataset';
import { phaseRuns } from '../model/phase_runs';
import type { PointScale } from '../model/time_axis';
import { svg } from './dom';

const STRIP = 16;
const LOOPS = 12;
export const PHASE_HEIGHT = STRIP + LOOPS + 4;

/** The strip of the stretch that `scale` shows, its top at `top`. */
export function drawPhases(dataset: Dataset, scale: PointScale, top: number): SVGGElement {
  const strip = svg('g', { class: 'phases', transform: `translate(0,${top + 2})` });
  for (const run of phaseRuns(dataset.pointPhase, scale.a, scale.b, scale.width)) {
    const phase = dataset.phases[run.phase];
    const span = scale.span(run.start, run.end);
    if (!phase || !span) continue;
    const width = span[1] - span[0];
    const hue = hashText(phase.scope.replace(/\d+/g, '*')) % 360;
    const rect = svg(
      'rect',
      {
        class: `phase ${phase.direction}${phase.remat ? ' remat' : ''}`,
        x: span[0],
        width: Math.max(0.5, width - (width > 3 ? 0.5 : 0)),
        height: STRIP,
        style: `--hue:${hue}`,
      },
      svg('title', {}, `${phase.label}\npoints ${run.start} to ${run.end - 1}`),
    );
    strip.append(rect);
    const room = Math.floor((width - 6) / 6);
    if (room >= 4)
      strip.append(
        svg('text', { class: 'phase-label', x: span[0] + 3, y: STRIP - 4.5 }, shortenMiddle(phase.label, room)),
      );
  }
  strip.append(drawLoops(dataset, scale));
  return strip;
}

function drawLoops(dataset: Dataset, scale: PointScale): SVGGElement {
  const group = svg('g', { class: 'loops', transform: `translate(0,${STRIP + 2})` });
  for (const loop of dataset.loops) {
    const span =
      loop && (loop.kind === 'while' || loop.kind === 'conditional') ? scale.span(loop.start, loop.end) : null;
    if (!loop || !span || span[1] - span[0] < 4) continue;
    const [x0, x1] = span;
    const what = loop.kind === 'while' ? 'loop body, shown once: one pass stands for all' : 'branch of a conditional';
    group.append(
      svg(
        'path',
        { class: 'loop', d: `M${x0 + 0.5},0v5H${x1 - 0.5}v-5` },
        svg('title', {}, `${loop.name}: ${what}\npoints ${loop.start} to ${loop.end - 1}`),
      ),
    );
    const room = Math.floor((x1 - x0 - 8) / 5.5);
    if (room >= 9)
      group.append(
        svg(
          'text',
          { class: 'loop-label', x: (x0 + x1) / 2, y: LOOPS + 1, 'text-anchor': 'middle' },
          shortenMiddle(loop.kind === 'while' ? `loop body ×n · ${loop.name}` : loop.name, room),
        ),
      );
  }
  return group;
}
