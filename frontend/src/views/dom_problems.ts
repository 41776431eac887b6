// What went wrong while reading, as a list, and folded into a notice where something is shown all the same.

import type { Problem } from '../contract';
import { counted } from '../lib/text';
import { el } from './dom';

export function problemList(problems: readonly Problem[]): HTMLElement | null {
  if (problems.length === 0) return null;
  return el(
    'ul',
    { class: 'problems' },
    ...problems.map(({ message, advice, path }) =>
      el(
        'li',
        {},
        el('div', {}, message),
        path === null ? null : el('code', {}, path),
        el('div', { class: 'hint' }, advice),
      ),
    ),
  );
}

/** Nothing where there are no problems. */
export function problemNotice(problems: readonly Problem[]): HTMLElement | null {
  if (problems.length === 0) return null;
  const summary = `${counted(problems.length, 'problem')} while reading: what could be read is shown`;
  return el('details', { class: 'notice' }, el('summary', {}, summary), problemList(problems));
}
