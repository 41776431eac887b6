// The buffers that changed: how many of each kind, and a table of them.

import type { Change, ChangeHalf, ChangeKind, CompareAnswer } from '../../generated/contract';
import { CHANGES } from '../../generated/vocabulary';
import { exactBytes, formatBytes, groupDigits } from '../../lib/bytes';
import { counted, shortenMiddle } from '../../lib/text';
import { kindTotals, otherSpaceText } from '../../model/compare';
import { shortened } from '../../model/place_text';
import { el } from '../shared/dom';
import type { ViewContext } from '../shared/view';
import { difference } from './difference';

const MOST_CHANGES = 60;

/** The head of the list, with a choice of kinds, and the list itself. */
export function changesList(context: ViewContext, answer: CompareAnswer): HTMLElement[] {
  const kinds = el('div', { class: 'choices-row', role: 'group', 'aria-label': 'Changes to show' });
  const list = el('table', { class: 'changes' });
  const more = el('button', { type: 'button', class: 'quiet' });
  let only: ChangeKind | null = null;
  let everything = false;
  more.addEventListener('click', () => {
    everything = true;
    draw();
  });

  function draw(): void {
    const totals = kindTotals(answer.changes).map(({ kind, count, bytes }) =>
      choice(kind, `${count} ${kind} `, difference(bytes)),
    );
    kinds.replaceChildren(choice(null, `All ${answer.changes.length}`), ...totals);
    const shown = answer.changes.filter((change) => only === null || change.kind === only);
    const drawn = everything ? shown : shown.slice(0, MOST_CHANGES);
    list.replaceChildren(head(), el('tbody', {}, ...drawn.map((change) => changeRow(context, change))));
    more.hidden = drawn.length === shown.length;
    more.textContent = `Show all ${shown.length}`;
  }

  function choice(kind: ChangeKind | null, ...words: (string | Node)[]): HTMLElement {
    const title = kind === null ? null : CHANGES[kind];
    const attributes = { type: 'button', class: 'choice', 'aria-pressed': String(only === kind), title };
    const button = el('button', attributes, ...words);
    button.addEventListener('click', () => {
      only = kind;
      everything = false;
      draw();
    });
    return button;
  }

  draw();
  const { count, bytes } = answer.unchanged;
  const unchanged = `${counted(count, 'buffer')} (${formatBytes(bytes)}) unchanged`;
  return [
    el(
      'div',
      { class: 'panel-head' },
      el('h3', {}, 'Buffers that changed'),
      kinds,
      el('span', { class: 'hint' }, unchanged),
    ),
    el('div', { class: 'changes-scroll' }, list, el('div', { class: 'changes-more' }, more)),
  ];
}

function changeRow({ dataset, actions }: ViewContext, change: Change): HTMLElement {
  const [first] = change.subject.buffers;
  const name = change.op_name || change.name || change.opcode;
  const label = el(
    'button',
    {
      type: 'button',
      class: 'change-name',
      title: [change.op_name, change.opcode, change.source].filter(Boolean).join('\n'),
      disabled: first === undefined,
    },
    shortenMiddle(name, 56),
  );
  if (first !== undefined && first < dataset.count) {
    label.addEventListener('click', () => actions.pin(first));
    label.addEventListener('pointerenter', () => actions.hover(first));
    label.addEventListener('pointerleave', () => actions.hover(null));
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
