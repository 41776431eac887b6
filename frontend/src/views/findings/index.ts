// What the numbers say by themselves: one row of findings with the bytes at stake; each opens to its evidence and one thing to try.

import type { Finding, FindingsAnswer } from '../../contract';
import { exactBytes, formatBytes, groupDigits } from '../../lib/bytes';
import { counted, shortenMiddle } from '../../lib/text';
import { findingTone } from '../../model/findings';
import { bufferColor } from '../shared/buffer_color';
import { el, setAttributes } from '../shared/dom';
import type { View, ViewContext } from '../shared/view';

const MOST_BUFFERS = 12;
const MOST_CHIPS = 6;

export function makeFindings({ current, dataset, actions }: ViewContext, answer: FindingsAnswer): View {
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
    if (finding !== undefined) detail.replaceChildren(...opened(finding));
    mark();
  }

  function* opened(finding: Finding): Generator<HTMLElement> {
    yield el(
      'div',
      { class: 'finding-title' },
      finding.title,
      el('span', { class: 'hint' }, ` ${exactBytes(finding.bytes)}`),
    );
    yield el('p', {}, finding.detail);
    yield el('p', {}, el('b', {}, 'Try: '), finding.advice);
    const rows = finding.buffers.filter((row) => row < dataset.count);
    if (rows.length === 0 && finding.points.length === 0) return;
    const rest = rows.length - MOST_BUFFERS;
    yield el(
      'div',
      { class: 'finding-evidence' },
      ...finding.points.slice(0, 3).map(pointLink),
      ...rows.slice(0, MOST_BUFFERS).map(bufferLink),
      rest > 0 ? el('span', { class: 'hint' }, `and ${counted(rest, 'more buffer')}`) : null,
    );
  }

  function bufferLink(row: number): HTMLElement {
    const size = formatBytes(dataset.size[row]!);
    const link = el(
      'button',
      {
        type: 'button',
        class: 'buffer-link',
        'data-row': row,
        title: `${dataset.name(row)}\n${size}\n${dataset.shapeText(row)}`,
      },
      el('span', { class: 'swatch', style: `background-color:${bufferColor(dataset, row)}` }),
      shortenMiddle(dataset.name(row), 28),
      el('span', { class: 'hint' }, size),
    );
    link.addEventListener('pointerenter', () => actions.hover(row));
    link.addEventListener('pointerleave', () => actions.hover(null));
    link.addEventListener('focus', () => actions.hover(row));
    link.addEventListener('blur', () => actions.hover(null));
    link.addEventListener('click', () => actions.togglePin(row));
    return link;
  }

  function pointLink(point: number): HTMLElement {
    const peak = point === dataset.headline.peak_point ? 'peak, ' : '';
    const title = dataset.instructionName(dataset.instructionAt(point));
    const link = el('button', { type: 'button', class: 'buffer-link', title }, `${peak}point ${groupDigits(point)}`);
    link.addEventListener('click', () => actions.selectPoint(point));
    return link;
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
