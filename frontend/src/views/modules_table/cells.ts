// Cells of the table of modules: a name, and a peak with its bar.

import type { ModuleEntry } from '../../generated/contract';
import { exactBytes, formatBytes, formatPercent } from '../../lib/bytes';
import { shortenModule } from '../../lib/text';
import { cannotBeRead } from '../../model/module_list';
import { type SpaceColumn, spaceOf } from '../../model/table/modules';
import { el } from '../shared/dom';
import type { Trim } from '../shared/grid';

/** Pixels of the words beside the name of a module that cannot be read. */
const CANNOT_BE_READ = 96;

export function nameCell(module: ModuleEntry, trim: Trim): Node {
  const broken = cannotBeRead(module);
  return el(
    'span',
    {
      class: broken ? 'module-broken' : 'module-name',
      title: module.problems.map((problem) => `${problem.message} ${problem.advice}`).join('\n') || module.module,
    },
    trim(module.module, shortenModule, broken ? CANNOT_BE_READ : 0),
    broken ? el('span', { class: 'hint' }, ' cannot be read') : null,
  );
}

/** The peak of a module in the memory space of the column. */
export function peakCell(module: ModuleEntry, column: SpaceColumn): Node {
  const space = spaceOf(module, column.space);
  if (space === null) return el('span', { class: 'hint' }, module.decoded ? '–' : '…');
  const capacity = space.capacity_bytes;
  const over = capacity !== null && space.required_bytes > capacity;
  const title = [
    `peak ${exactBytes(space.peak_bytes)}`,
    `required ${formatBytes(space.required_bytes)}`,
    capacity === null ? null : `${formatPercent(space.required_bytes, capacity)} of ${formatBytes(capacity)}`,
  ];
  return el(
    'span',
    { class: over ? 'peak-cell over' : 'peak-cell', title: title.filter(Boolean).join('\n') },
    el(
      'span',
      { class: 'peak-track' },
      el('span', {
        class: 'peak-bar',
        style: `width:${(100 * space.peak_bytes) / column.largest}%;background-color:var(--${over ? 'bad' : 'usage'})`,
      }),
    ),
    el('span', { class: 'peak-text' }, formatBytes(space.peak_bytes)),
  );
}
