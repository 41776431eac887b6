// Texts for screen readers after a change that is otherwise only visible. Pure.

import { formatBytes, groupDigits } from '../lib/bytes';
import { ABSENT } from '../lib/column';
import type { State } from '../state/state';
import type { Dataset } from './dataset';
import { shownPoint } from './selection';

/** A memory space that has come up. */
export function openingWords(dataset: Dataset): string {
  const { answer, headline } = dataset;
  const peak = `peak ${formatBytes(headline.peak_bytes)} at point ${groupDigits(headline.peak_point)}`;
  return `${answer.name}, ${answer.space}: ${peak} of ${groupDigits(dataset.points)}`;
}

/** null where there is nothing to say. */
export function changeInWords(dataset: Dataset, state: State, previous: State): string | null {
  if (state.pinned !== previous.pinned) {
    if (state.pinned === null || state.pinned >= dataset.count) return 'No buffer pinned';
    return `Pinned ${dataset.name(state.pinned)}, ${formatBytes(dataset.size[state.pinned]!)}`;
  }
  if (state.folded !== previous.folded) return foldWords(dataset, state, previous);
  if (state.point === previous.point) return null;
  const point = shownPoint(dataset, state);
  const instruction = dataset.instructionName(dataset.instructionAt(point));
  return `Point ${groupDigits(point)}, ${instruction}, ${formatBytes(dataset.usage[point]!)}`;
}

function foldWords(dataset: Dataset, { folded }: State, previous: State): string | null {
  const isNew = folded.length > previous.folded.length;
  const [longer, shorter] = isNew ? [folded, previous.folded] : [previous.folded, folded];
  const loop = dataset.loops[longer.find((row) => !shorter.includes(row)) ?? ABSENT];
  if (!loop) return null;
  return `${isNew ? 'Folded' : 'Unfolded'} ${loop.name}, points ${groupDigits(loop.start)} to ${groupDigits(loop.end - 1)}`;
}
