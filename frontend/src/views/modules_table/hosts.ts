// The same program on several hosts, where it does not cost the same.

import type { ModulesAnswer } from '../../generated/contract';
import { formatBytes } from '../../lib/bytes';
import { shortenMiddle } from '../../lib/text';
import { hostDifferences } from '../../model/table/modules';
import { el } from '../shared/dom';

/** Without a space for a module that has not been decoded. */
export type ChooseModule = (module: string, space: string | null) => void;

/** Something differs that should not; null where nothing does. */
export function hostStrip(answer: ModulesAnswer, choose: ChooseModule): HTMLElement | null {
  const differences = hostDifferences(answer);
  if (differences.length === 0) return null;
  const items = differences.map(({ name, rows }) =>
    el(
      'div',
      { class: 'host-strip' },
      el('b', {}, shortenMiddle(name, 40)),
      ...rows.map((row) => {
        const module = answer.modules[row]!;
        const space = module.spaces[0] ?? null;
        const button = el(
          'button',
          { type: 'button', class: 'buffer-link', title: module.module },
          `${shortenMiddle(module.hosts.join(', '), 40)}: ${space === null ? 'cannot be read' : `${space.space} ${formatBytes(space.peak_bytes)}`}`,
        );
        if (space !== null) button.addEventListener('click', () => choose(module.module, space.space));
        return button;
      }),
    ),
  );
  return el('div', { class: 'host-strips' }, el('h3', {}, 'Differs between hosts'), ...items);
}
