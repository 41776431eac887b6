// This module against a baseline: both curves, the headline numbers with their differences, and the buffers that changed.

import type { Change, ChangeHalf, ChangeKind, CompareAnswer, CompareSide } from '../../contract';
import { CHANGES } from '../../generated/vocabulary';
import { exactBytes, formatBytes, formatChange, groupDigits } from '../../lib/bytes';
import { counted, shortenMiddle } from '../../lib/text';
import { selectPoint } from '../../model/axis/moves';
import { headlineRows, kindTotals, otherSpaceText } from '../../model/compare';
import { shortened } from '../../model/place_text';
import { el } from '../shared/dom';
import { problemNotice } from '../shared/problems';
import type { View, ViewContext } from '../shared/view';
import { axisNote, makeCompareChart } from './chart';

const MOST_CHANGES = 60;

export function makeCompare({ store, dataset }: ViewContext, answer: CompareAnswer): View {
  const leave = el('button', { type: 'button', class: 'quiet' }, 'End comparison');
  leave.addEventListener('click', () => store.set({ baseline: null }));
  const chart = makeCompareChart(answer, (point) => selectPoint(store, dataset, point));
  const kinds = el('div', { class: 'choices-row', role: 'group', 'aria-label': 'Which changes' });
  const list = el('table', { class: 'changes' });
  const more = el('button', { type: 'button', class: 'quiet' });
  let only: ChangeKind | null = null;
  let everything = false;
  const element = el(
    'section',
    { class: 'panel compare', 'aria-label': 'Comparison' },
    el(
      'div',
      { class: 'panel-head' },
      el('h2', {}, 'Compared with a baseline'),
      el('div', { class: 'buttons' }, leave),
    ),
    el(
      'div',
      { class: 'legend' },
      side('subject', 'this', answer.subject),
      side('baseline', 'baseline', answer.baseline),
    ),
    problemNotice(answer.problems),
    el(
      'div',
      { class: 'compare-top' },
      el('div', {}, chart.element, el('p', { class: 'hint' }, axisNote(answer)), partsNote(answer)),
      el('div', { class: 'numbers-scroll' }, numbers(answer)),
    ),
    el(
      'div',
      { class: 'panel-head' },
      el('h3', {}, 'Buffers that changed'),
      kinds,
      el(
        'span',
        { class: 'hint' },
        `${counted(answer.unchanged.count, 'buffer')} (${formatBytes(answer.unchanged.bytes)}) unchanged`,
      ),
    ),
    el('div', { class: 'changes-scroll' }, list, el('div', { class: 'changes-more' }, more)),
  );
  more.addEventListener('click', () => {
    everything = true;
    draw();
  });

  function draw(): void {
    const all = el(
      'button',
      { type: 'button', class: 'choice', 'aria-pressed': String(only === null) },
      `All ${answer.changes.length}`,
    );
    all.addEventListener('click', () => choose(null));
    kinds.replaceChildren(
      all,
      ...kindTotals(answer.changes).map(({ kind, count, bytes }) => {
        const button = el(
          'button',
          { type: 'button', class: 'choice', 'aria-pressed': String(only === kind), title: CHANGES[kind] },
          `${count} ${kind} `,
          difference(bytes),
        );
        button.addEventListener('click', () => choose(kind));
        return button;
      }),
    );
    const shown = answer.changes.filter((change) => only === null || change.kind === only);
    const drawn = everything ? shown : shown.slice(0, MOST_CHANGES);
    list.replaceChildren(head(), el('tbody', {}, ...drawn.map(changeRow)));
    more.hidden = drawn.length === shown.length;
    more.textContent = `Show all ${shown.length}`;
  }

  function choose(kind: ChangeKind | null): void {
    only = kind;
    everything = false;
    draw();
  }

  function changeRow(change: Change): HTMLElement {
    const [first] = change.subject.buffers;
    const name = change.op || change.name || change.opcode;
    const label = el(
      'button',
      {
        type: 'button',
        class: 'change-name',
        title: [change.op, change.opcode, change.source].filter(Boolean).join('\n'),
        disabled: first === undefined,
      },
      shortenMiddle(name, 56),
    );
    if (first !== undefined && first < dataset.count) {
      label.addEventListener('click', () => store.set({ pinned: first }));
      label.addEventListener('pointerenter', () => store.set({ hovered: first }));
      label.addEventListener('pointerleave', () => store.set({ hovered: null }));
    }
    const shape =
      change.baseline_shape === null
        ? shortenMiddle(change.shape, 34)
        : `${shortenMiddle(change.baseline_shape, 26)} → ${shortenMiddle(change.shape, 26)}`;
    const many = Math.max(change.subject.count, change.baseline.count);
    return el(
      'tr',
      { class: change.kind },
      el('td', {}, el('span', { class: `kind ${change.kind}`, title: CHANGES[change.kind] }, change.kind)),
      el(
        'td',
        {},
        label,
        many > 1 ? el('span', { class: 'hint' }, ` × ${many}`) : null,
        el('span', { class: 'hint' }, ` ${otherSpaceText(change)}`),
      ),
      el('td', { class: 'hint', title: change.source ?? '' }, change.source === null ? '' : shortened(change.source)),
      el('td', { class: 'mono', title: [change.baseline_shape, change.shape].filter(Boolean).join('\n→ ') }, shape),
      amount(change.baseline),
      amount(change.subject),
      el('td', { class: 'end' }, difference(change.difference_bytes)),
    );
  }

  draw();
  return { element, update() {}, destroy: chart.destroy };
}

function side(kind: string, label: string, one: CompareSide): HTMLElement {
  const where = [one.run, one.host, one.module, one.space].filter((part) => part !== null).join(' / ');
  return el(
    'span',
    { class: 'legend-entry', title: where },
    el('span', { class: `compare-key ${kind}` }),
    el('b', {}, `${label}: `),
    shortenMiddle(where, 64),
  );
}

/** Where the difference of the peaks comes from: the parts add up to it. */
function partsNote({ parts, omitted }: CompareAnswer): HTMLElement {
  const note = el(
    'p',
    { class: 'hint' },
    'Peak ',
    difference(parts.total_bytes),
    ': buffers ',
    difference(parts.buffers_bytes),
  );
  if (parts.shared_bytes !== 0) note.append(', shared addresses ', difference(-parts.shared_bytes));
  if (parts.scoped_bytes !== 0) note.append(', scoped memory ', difference(parts.scoped_bytes));
  if (omitted.count > 0)
    note.append(`; ${counted(omitted.count, 'smaller change')} not listed: `, difference(omitted.difference_bytes));
  return note;
}

function numbers(answer: CompareAnswer): HTMLElement {
  const rows = headlineRows(answer).map((row) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, row.label),
      el('td', { class: 'end', title: exactBytes(row.baseline) }, formatBytes(row.baseline)),
      el('td', { class: 'end', title: exactBytes(row.subject) }, formatBytes(row.subject)),
      el('td', { class: 'end' }, difference(row.difference, row.moreIsBetter)),
    ),
  );
  const column = (text: string): HTMLElement => el('th', { scope: 'col', class: 'end' }, text);
  return el(
    'table',
    { class: 'compare-numbers' },
    el('thead', {}, el('tr', {}, el('td', {}), column('Baseline'), column('This'), column('Difference'))),
    el('tbody', {}, ...rows),
  );
}

function head(): HTMLElement {
  const column = (text: string, end = false): HTMLElement =>
    el('th', { scope: 'col', class: end ? 'end' : null }, text);
  return el(
    'thead',
    {},
    el(
      'tr',
      {},
      column('Change'),
      column('Framework op'),
      column('Source'),
      column('Shape'),
      column('Baseline peak', true),
      column('This peak', true),
      column('Difference', true),
    ),
  );
}

function amount({ count, bytes, peak_count, peak_bytes }: ChangeHalf): HTMLElement {
  const title = `${counted(peak_count, 'buffer')} (${exactBytes(peak_bytes)}) alive at the peak, ${groupDigits(count)} (${exactBytes(bytes)}) in the whole program`;
  return el('td', { class: 'end', title }, peak_bytes === 0 ? '–' : formatBytes(peak_bytes));
}

/** A difference with its sign; more memory and less are told apart by sign and arrow, not by color alone. */
function difference(bytes: number, moreIsBetter = false): HTMLElement {
  if (bytes === 0) return el('span', { class: 'hint' }, 'same');
  return el(
    'span',
    { class: bytes > 0 === moreIsBetter ? 'less' : 'more', title: exactBytes(bytes) },
    `${bytes > 0 ? '▲' : '▼'} ${formatChange(bytes)}`,
  );
}
