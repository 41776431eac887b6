// Which loops of a program fold, and which of them lies around a point.

import type { State } from '../../state/state';
import type { Dataset } from '../dataset';

/** Loops and branches; the rest of what is called is part of what calls it. */
export function isFoldable(loop: Dataset['loops'][number]): boolean {
  return loop !== null && (loop.kind === 'while' || loop.kind === 'conditional');
}

/** The loop to fold or unfold around a point: the outermost folded one, else the innermost; null where there is none. */
export function loopAround(dataset: Dataset, { folded }: Pick<State, 'folded'>, point: number): number | null {
  const around = (row: number): boolean => {
    const loop = dataset.loops[row];
    return isFoldable(loop ?? null) && loop!.start <= point && point < loop!.end;
  };
  const length = (row: number): number => dataset.loops[row]!.end - dataset.loops[row]!.start;
  const [outermost] = folded.filter(around).sort((a, b) => length(b) - length(a));
  const [innermost] = [...dataset.loops.keys()].filter(around).sort((a, b) => length(a) - length(b));
  return outermost ?? innermost ?? null;
}
