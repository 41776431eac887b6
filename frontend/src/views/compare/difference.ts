// A difference of bytes, as every table of a comparison shows it.

import { exactBytes, formatChange } from '../../lib/bytes';
import { el } from '../shared/dom';

/** A difference with its sign; more memory and less are told apart by sign and arrow, not by color alone. */
export function difference(bytes: number, moreIsBetter = false): HTMLElement {
  if (bytes === 0) return el('span', { class: 'hint' }, 'same');
  return el(
    'span',
    { class: bytes > 0 === moreIsBetter ? 'less' : 'more', title: exactBytes(bytes) },
    `${bytes > 0 ? '▲' : '▼'} ${formatChange(bytes)}`,
  );
}
