// The way from all groups to the chosen one, a button for each step.

import { formatBytes } from '../../lib/bytes';
import { shortenMiddle } from '../../lib/text';
import type { GroupNode } from '../../model/groups/tree';
import { el } from '../shared/dom';
import type { ViewContext } from '../shared/view';

export function crumbsOf({ current, actions }: ViewContext, tree: GroupNode): HTMLElement[] {
  const { state } = current;
  const steps = ['All', ...state.groupPath].map((name, depth) => {
    const path = state.groupPath.slice(0, depth);
    const node = tree.at(path);
    const last = depth === state.groupPath.length;
    const button = el(
      'button',
      { type: 'button', class: 'crumb', title: name, 'aria-current': last ? 'true' : null },
      shortenMiddle(name, 40),
      el('span', { class: 'crumb-bytes' }, formatBytes(node?.bytes ?? 0)),
    );
    button.addEventListener('click', () => actions.drill(path));
    return button;
  });
  return steps.flatMap((step, at) =>
    at === 0 ? [step] : [el('span', { class: 'crumb-gap', 'aria-hidden': 'true' }, '/'), step],
  );
}
