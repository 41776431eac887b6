// Findings as a row of titles with their bytes; each opens to its evidence and one thing to try.

import type { Finding, FindingsAnswer } from '../../generated/contract';
import { formatBytes } from '../../lib/bytes';
import { shortenMiddle } from '../../lib/text';
import { findingTone } from '../../model/findings';
import { el, setAttributes } from '../shared/dom';
import type { View, ViewContext } from '../shared/view';
import { openedFinding } from './detail';

const MOST_CHIPS = 6;

export function makeFindings(context: ViewContext, answer: FindingsAnswer): View {
  const { current } = context;
  const { findings } = answer;
  const chips = findings.map(chip);
  const more = el('button', { type: 'button', class: 'link' });
  const detail = el('div', { class: 'finding-detail', id: 'finding-detail', hidden: true });
  const nothing = el('span', { class: 'hint' }, 'nothing stands out in this memory space');
  const element = el(
    'section',
    { class: 'panel findings', 'aria-label': 'Findings' },
    el('div', { class: 'findings-row' }, el('h2', {}, 'Findings'), ...(chips.length === 0 ? [nothing] : chips), more),
    detail,
  );
  let open: number | null = null;
  let everything = findings.length <= MOST_CHIPS;
  more.addEventListener('click', () => {
    everything = !everything;
    draw();
  });

  function chip(finding: Finding, at: number): HTMLElement {
    const made = el(
      'button',
      {
        type: 'button',
        class: `finding ${findingTone(finding)}`,
        'data-kind': finding.kind,
        'aria-controls': 'finding-detail',
        title: finding.title,
      },
      el('b', {}, formatBytes(finding.bytes)),
      shortenMiddle(finding.title, 72),
    );
    made.addEventListener('click', () => {
      open = open === at ? null : at;
      draw();
    });
    return made;
  }

  function draw(): void {
    more.hidden = findings.length <= MOST_CHIPS;
    more.textContent = everything ? 'fewer' : `${findings.length - MOST_CHIPS} more`;
    chips.forEach((one, at) => {
      one.hidden = !everything && at >= MOST_CHIPS;
      setAttributes(one, { 'aria-expanded': String(at === open) });
    });
    const finding = open === null ? undefined : findings[open];
    detail.hidden = finding === undefined;
    if (finding !== undefined) detail.replaceChildren(...openedFinding(context, finding));
    mark();
  }

  function mark(): void {
    for (const link of detail.querySelectorAll<HTMLElement>('[data-row]'))
      link.classList.toggle('pinned', Number(link.dataset.row) === current.state.pinned);
  }

  draw();
  return {
    element,
    update(state, previous) {
      if (state.pinned !== previous.pinned) mark();
    },
    destroy() {},
  };
}
