// One finding opened: its evidence, and one thing to try.

import type { Finding } from '../../generated/contract';
import { exactBytes, formatBytes, groupDigits } from '../../lib/bytes';
import { counted, shortenMiddle } from '../../lib/text';
import { bufferColor } from '../shared/buffer_color';
import { el } from '../shared/dom';
import type { ViewContext } from '../shared/view';

const MOST_BUFFERS = 12;

export function* openedFinding(context: ViewContext, finding: Finding): Generator<HTMLElement> {
  yield el(
    'div',
    { class: 'finding-title' },
    finding.title,
    el('span', { class: 'hint' }, ` ${exactBytes(finding.bytes)}`),
  );
  yield el('p', {}, finding.detail);
  yield el('p', {}, el('b', {}, 'Try: '), finding.advice);
  const rows = finding.buffers.filter((row) => row < context.dataset.count);
  if (rows.length === 0 && finding.points.length === 0) return;
  const rest = rows.length - MOST_BUFFERS;
  yield el(
    'div',
    { class: 'finding-evidence' },
    ...finding.points.slice(0, 3).map((point) => pointLink(context, point)),
    ...rows.slice(0, MOST_BUFFERS).map((row) => bufferLink(context, row)),
    rest > 0 ? el('span', { class: 'hint' }, `and ${counted(rest, 'more buffer')}`) : null,
  );
}

function bufferLink({ dataset, actions }: ViewContext, row: number): HTMLElement {
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

function pointLink({ dataset, actions }: ViewContext, point: number): HTMLElement {
  const peak = point === dataset.headline.peak_point ? 'peak, ' : '';
  const title = dataset.instructionName(dataset.instructionAt(point));
  const link = el('button', { type: 'button', class: 'buffer-link', title }, `${peak}point ${groupDigits(point)}`);
  link.addEventListener('click', () => actions.selectPoint(point));
  return link;
}
