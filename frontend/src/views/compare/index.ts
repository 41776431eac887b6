// This module against a baseline: both curves, the headline numbers with their differences, and the buffers that changed.

import type { CompareAnswer, CompareSide } from '../../generated/contract';
import { exactBytes, formatBytes } from '../../lib/bytes';
import { counted, shortenMiddle } from '../../lib/text';
import { headlineRows } from '../../model/compare';
import { el } from '../shared/dom';
import { problemNotice } from '../shared/problems';
import type { View, ViewContext } from '../shared/view';
import { changesList } from './changes';
import { axisNote, makeCompareChart } from './chart';
import { difference } from './difference';

export function makeCompare(context: ViewContext, answer: CompareAnswer): View {
  const { actions } = context;
  const leave = el('button', { type: 'button', class: 'quiet' }, 'End comparison');
  leave.addEventListener('click', () => actions.compareWith(null));
  const chart = makeCompareChart(answer, actions.selectPoint);
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
    ...changesList(context, answer),
  );
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
