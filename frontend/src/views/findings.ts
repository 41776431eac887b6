// What the numbers say by themselves: each finding with the bytes at stake, its buffers to look at, and one thing to try.

import type { Finding, FindingsAnswer } from '../contract';
import { exactBytes, formatBytes } from '../lib/bytes';
import { counted, shortenMiddle } from '../lib/text';
import { findingTone } from '../model/findings';
import { bufferColor } from './buffer_color';
import { el } from './dom';
import type { View, ViewContext } from './view';

const MOST_BUFFERS = 6;
const MOST_FINDINGS = 4;

export function makeFindings({ store, dataset }: ViewContext, answer: FindingsAnswer): View {
  const { findings } = answer;
  const list = el('ul', { class: 'findings-list' });
  const more = el('button', { type: 'button', class: 'quiet' });
  const element = el(
    'section',
    { class: 'panel findings', 'aria-label': 'Findings' },
    el(
      'div',
      { class: 'panel-head' },
      el('h2', {}, 'Findings'),
      el('span', { class: 'hint' }, findings.length === 0 ? '' : 'largest first'),
      el('div', { class: 'buttons' }, more),
    ),
    list,
  );
  let open = findings.length <= MOST_FINDINGS;
  more.hidden = open;
  more.addEventListener('click', () => {
    open = !open;
    draw();
  });

  function draw(): void {
    more.textContent = open ? 'Fewer' : `All ${findings.length}`;
    const shown = open ? findings : findings.slice(0, MOST_FINDINGS);
    list.replaceChildren(
      ...(shown.length === 0
        ? [el('li', { class: 'empty' }, 'Nothing stands out in this memory space.')]
        : shown.map(item)),
    );
    mark();
  }

  function item(finding: Finding): HTMLElement {
    return el(
      'li',
      { class: `finding ${findingTone(finding)}`, 'data-kind': finding.kind },
      el('span', { class: 'finding-bytes', title: exactBytes(finding.bytes) }, formatBytes(finding.bytes)),
      el(
        'div',
        { class: 'finding-body' },
        el('div', { class: 'finding-title' }, finding.title),
        el('div', { class: 'finding-detail' }, finding.detail),
        el('div', { class: 'finding-advice' }, el('b', {}, 'Try: '), finding.advice),
        evidence(finding),
      ),
    );
  }

  function evidence(finding: Finding): HTMLElement | null {
    const rows = finding.buffers.filter((row) => row < dataset.count);
    if (rows.length === 0 && finding.points.length === 0) return null;
    const links = el('div', { class: 'finding-evidence' }, ...rows.slice(0, MOST_BUFFERS).map(bufferLink));
    if (rows.length > MOST_BUFFERS)
      links.append(el('span', { class: 'hint' }, `and ${counted(rows.length - MOST_BUFFERS, 'more buffer')}`));
    for (const point of finding.points.slice(0, 2)) links.append(pointLink(point));
    return links;
  }

  function bufferLink(row: number): HTMLElement {
    const link = el(
      'button',
      {
        type: 'button',
        class: 'buffer-link',
        'data-row': row,
        title: `${dataset.name(row)}\n${formatBytes(dataset.size[row]!)}\n${dataset.shapeText(row)}`,
      },
      el('span', { class: 'swatch', style: `background-color:${bufferColor(dataset, row)}` }),
      shortenMiddle(dataset.name(row), 28),
    );
    link.addEventListener('pointerenter', () => store.set({ hovered: row }));
    link.addEventListener('pointerleave', () => store.set({ hovered: null }));
    link.addEventListener('focus', () => store.set({ hovered: row }));
    link.addEventListener('blur', () => store.set({ hovered: null }));
    link.addEventListener('click', () => store.set({ pinned: store.state.pinned === row ? null : row }));
    return link;
  }

  function pointLink(point: number): HTMLElement {
    const link = el('button', { type: 'button', class: 'buffer-link' }, `point ${point}`);
    link.addEventListener('click', () =>
      store.set({ point: point === dataset.headline.peak_point ? null : point, window: null }),
    );
    return link;
  }

  function mark(): void {
    for (const link of list.querySelectorAll<HTMLElement>('[data-row]'))
      link.classList.toggle('pinned', Number(link.dataset.row) === store.state.pinned);
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
