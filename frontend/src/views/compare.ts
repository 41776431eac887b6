// This module against a baseline: both curves, the headline numbers with their differences, and the buffers that changed.

import type { Change, ChangeKind, CompareAnswer, CompareSide } from '../contract';
import { exactBytes, formatBytes, groupDigits } from '../lib/bytes';
import { counted, shortenMiddle } from '../lib/text';
import { CHANGE_MEANINGS, commonAxis, headlineRows, kindTotals, movedCurve } from '../model/compare';
import { curveOf, curvePath } from '../model/spaces_curve';
import { el, onResize, setAttributes, svg } from './dom';
import type { View, ViewContext } from './view';

const HEIGHT = 230;
const LEFT = 72;
const RIGHT = 14;
const MOST_CHANGES = 60;

export function makeCompare({ store, dataset }: ViewContext, answer: CompareAnswer): View {
  const leave = el('button', { type: 'button', class: 'quiet' }, 'End comparison');
  leave.addEventListener('click', () => store.set({ baseline: null }));
  const chart = svg('svg', {
    class: 'compare-chart',
    role: 'img',
    height: HEIGHT + 8,
    'aria-label': `Usage of both: peak ${formatBytes(answer.subject.headline.peak_bytes)} here, ${formatBytes(answer.baseline.headline.peak_bytes)} in the baseline`,
  });
  const frame = el('div', { class: 'compare-frame' }, chart);
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
    el(
      'div',
      { class: 'compare-top' },
      el('div', {}, frame, el('p', { class: 'hint' }, axisNote(answer)), partsNote(answer)),
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
    el('div', { class: 'changes-scroll' }, list),
    more,
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
          { type: 'button', class: 'choice', 'aria-pressed': String(only === kind), title: CHANGE_MEANINGS[kind] },
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
      el('td', {}, el('span', { class: `kind ${change.kind}`, title: CHANGE_MEANINGS[change.kind] }, change.kind)),
      el(
        'td',
        {},
        label,
        many > 1 ? el('span', { class: 'hint' }, ` × ${many}`) : null,
        change.other_space === null ? null : el('span', { class: 'hint' }, ` ${change.other_space} in the baseline`),
      ),
      el('td', { class: 'mono', title: [change.baseline_shape, change.shape].filter(Boolean).join('\n→ ') }, shape),
      amount(change.baseline.peak_bytes, change.baseline.bytes),
      amount(change.subject.peak_bytes, change.subject.bytes),
      el('td', { class: 'end' }, difference(change.difference_bytes)),
    );
  }

  function drawChart(width: number): void {
    const most = Math.max(answer.subject.headline.peak_bytes, answer.baseline.headline.peak_bytes, 1) * 1.05;
    const axis = commonAxis(answer);
    const path = (one: CompareSide, place: (point: number) => number): string =>
      curvePath(movedCurve(curveOf(one), place), 0, axis.length, width, HEIGHT, most);
    setAttributes(chart, { width: width + LEFT + RIGHT });
    const tick = (one: CompareSide, kind: string): SVGElement => {
      const y = HEIGHT - (one.headline.peak_bytes / most) * HEIGHT;
      return svg('line', { class: `compare-peak ${kind}`, x1: 0, x2: width, y1: y, y2: y });
    };
    chart.replaceChildren(
      svg(
        'g',
        { transform: `translate(${LEFT},4)`, class: 'axis' },
        svg('text', { x: -8, y: HEIGHT, 'text-anchor': 'end' }, '0'),
        svg(
          'text',
          { x: -8, y: HEIGHT - (most / 1.05 / most) * HEIGHT + 4, 'text-anchor': 'end' },
          formatBytes(most / 1.05),
        ),
        svg('line', { class: 'small-base', x1: 0, x2: width, y1: HEIGHT, y2: HEIGHT }),
        tick(answer.baseline, 'baseline'),
        tick(answer.subject, 'subject'),
        svg('path', { class: 'compare-line baseline', d: path(answer.baseline, axis.baseline) }),
        svg('path', { class: 'compare-line subject', d: path(answer.subject, axis.subject) }),
      ),
    );
  }

  draw();
  const stop = onResize(frame, (width) => drawChart(Math.max(50, width - LEFT - RIGHT)));
  return { element, update() {}, destroy: stop };
}

function side(kind: string, label: string, one: CompareSide): HTMLElement {
  const where = `${one.run} / ${one.module} / ${one.space}`;
  return el(
    'span',
    { class: 'legend-entry', title: where },
    el('span', { class: `compare-key ${kind}` }),
    el('b', {}, `${label}: `),
    shortenMiddle(where, 64),
  );
}

function axisNote({ subject, baseline, alignment }: CompareAnswer): string {
  const counts = `${groupDigits(subject.points)} points here, ${groupDigits(baseline.points)} in the baseline`;
  if (alignment.length > 0) return `Phases of the program lie over each other: ${counts}.`;
  return `Each program is stretched over the whole width: ${counts}.`;
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
      column('Shape'),
      column('Baseline peak', true),
      column('This peak', true),
      column('Difference', true),
    ),
  );
}

function amount(peak: number, all: number): HTMLElement {
  return el(
    'td',
    { class: 'end', title: `${exactBytes(peak)} alive at the peak, ${exactBytes(all)} in the whole program` },
    peak === 0 ? '–' : formatBytes(peak),
  );
}

/** A difference with its sign; more memory and less are told apart by sign and arrow, not by color alone. */
function difference(bytes: number, moreIsBetter = false): HTMLElement {
  if (bytes === 0) return el('span', { class: 'hint' }, 'same');
  return el(
    'span',
    { class: bytes > 0 === moreIsBetter ? 'less' : 'more', title: exactBytes(bytes) },
    `${bytes > 0 ? '▲ +' : '▼ '}${formatBytes(bytes)}`,
  );
}
