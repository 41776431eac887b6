// How close the limit is: headline numbers, and one bar with the parts of the required memory.

import type { FindingsAnswer } from '../../generated/contract';
import { foundKinds } from '../../model/findings';
import { shownCapacity } from '../../model/selection';
import { el } from '../shared/dom';
import type { View, ViewContext } from '../shared/view';
import { ledgerBar, ledgerLegend } from './ledger';
import { tiles } from './tiles';

export interface Overview extends View {
  /** Marks the numbers that a finding is about. */
  mark(findings: FindingsAnswer): void;
}

export function makeOverview({ current, dataset }: ViewContext): Overview {
  let found: ReadonlySet<string> = new Set();
  const element = el('section', { class: 'overview panel', 'aria-label': 'Overview' });
  const draw = (): void => {
    const capacity = shownCapacity(dataset, current.state);
    element.replaceChildren(
      tiles({ dataset, capacity, isTyped: current.state.capacity !== null, found }),
      ledgerBar(dataset.headline, capacity),
      ledgerLegend(dataset.headline, capacity),
    );
  };
  draw();
  return {
    element,
    update(state, previous) {
      if (state.capacity !== previous.capacity) draw();
    },
    mark(findings) {
      found = foundKinds(findings);
      draw();
    },
    destroy() {},
  };
}
