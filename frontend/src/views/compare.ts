// This module against a baseline: both curves, the headline numbers with their differences, and the buffers that changed.

import type { Change, ChangeKind, CompareAnswer, CompareSide } from '../contract';
import { exactBytes, formatBytes } from '../lib/bytes';
import { counted, shortenMiddle } from '../lib/text';
import { CHANGE_MEANINGS, headlineRows, kindTotals } from '../model/compare';
import { curveOf, curvePath } from '../model/spaces_curve';
import { el, onResize, setAttributes, svg } from './dom';
import type { View, ViewContext } from './view';

const HEIGHT = 140;
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
      el('div', {}, frame, el('p', { class: 'hint' }, axisNote(answer))),
      numbers(answer),
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
    const name = change.op || change.opcode;
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
      el('td', {}, label, many > 1 ? el('span', { class: 'hint' }, ` × ${many}`) : null),
      el('td', { class: 'mono', title: [change.baseline_shape, change.shape].filter(Boolean).join('\n→ ') }, shape),
      amount(change.baseline.peak_bytes, change.baseline.bytes),
      amount(change.subject.peak_bytes, change.subject.bytes),
      el('td', { class: 'end' }, difference(change.difference_bytes)),
    );
  }

  function drawChart(width: number): void {
    const most = Math.max(answer.subject.headline.peak_bytes, answer.baseline.headline.peak_bytes, 1) * 1.05;
    const path = (one: CompareSide): string => curvePath(curveOf(one), 0, one.points, width, HEIGHT, most);
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
        svg('path', { class: 'compare-line baseline', d: path(answer.baseline) }),
        svg('path', { class: 'compare-line subject', d: path(answer.subject) }),
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

function axisNote({ subject, baseline }: CompareAnswer): string {
  if (subject.points === baseline.points) return 'Both programs have as many points; they share the axis.';
  return `Each program is stretched over the whole width: ${subject.points} points here, ${baseline.points} in the baseline.`;
}

function numbers(answer: CompareAnswer): HTMLElement {
  const rows = headlineRows(answer).map((row) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, row.label),
      el('td', { class: 'end', title: exactBytes(row.baseline) }, formatBytes(row.baseline)),
      el('td', { class: 'end', title: exactBytes(row.subject) }, formatBytes(row.subject)),
      el('td', { class: 'end' }, difference(row.difference)),
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
function difference(bytes: number): HTMLElement {
  if (bytes === 0) return el('span', { class: 'hint' }, 'same');
  return el(
    'span',
    { class: bytes > 0 ? 'more' : 'less', title: exactBytes(bytes) },
    `${bytes > 0 ? '▲ +' : '▼ '}${formatBytes(bytes)}`,
  );
}
