// Problems while reading, as a list, and as a notice if something is shown anyway.

import type { Problem } from '../../generated/contract';
import { counted } from '../../lib/text';
import { el } from './dom';

const MOST_OPEN = 3;

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

/** Numbers depend on what could not be read: the first problems stand open, many more are folded. Nothing without any. */
export function problemNotice(problems: readonly Problem[]): HTMLElement | null {
  if (problems.length === 0) return null;
  const [open, more] = [problems.slice(0, MOST_OPEN), problems.slice(MOST_OPEN)];
  const title = `${counted(problems.length, 'problem')} while reading. Everything else is shown.`;
  const folded = el('details', {}, el('summary', {}, counted(more.length, 'more problem')), problemList(more));
  return el(
    'div',
    { class: 'notice', role: 'status' },
    el('div', {}, title),
    problemList(open),
    more.length === 0 ? null : folded,
  );
}
