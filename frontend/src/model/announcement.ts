// What a screen reader says after a change that eyes would see. Pure.

import { formatBytes, groupDigits } from '../lib/bytes';
import type { Dataset } from './dataset';
import { shownPoint } from './selection';
import type { State } from './state';

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
  if (state.point === previous.point) return null;
  const point = shownPoint(dataset, state);
  const instruction = dataset.instructionName(dataset.instructionAt(point));
  return `Point ${groupDigits(point)}, ${instruction}, ${formatBytes(dataset.usage[point]!)}`;
}
