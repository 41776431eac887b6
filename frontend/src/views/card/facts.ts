// Parts of the card that show one buffer: its name, its sizes, its facts, its readers, its stack.

import { exactBytes, formatBytes, formatPercent, groupDigits } from '../../lib/bytes';
import { shortenMiddle } from '../../lib/text';
import type { Dataset, StackLine } from '../../model/dataset';
import type { Fact, Part } from '../../model/fact';
import { placeText, shortPlaceText } from '../../model/place_text';
import { bufferColor } from '../shared/buffer_color';
import { el } from '../shared/dom';
import type { ViewContext } from '../shared/view';

const MOST_READERS = 8;

export function head(dataset: Dataset, row: number): HTMLElement {
  return el(
    'div',
    { class: 'card-head' },
    el('span', { class: 'card-color', style: `background-color:${bufferColor(dataset, row)}` }),
    el('h2', { title: dataset.name(row), class: 'mono' }, shortenMiddle(dataset.name(row), 72)),
    el('span', { class: 'hint' }, dataset.opcode(row)),
  );
}

export function sizes(dataset: Dataset, row: number): HTMLElement {
  const [size, unpadded, padding] = [dataset.size[row]!, dataset.unpaddedSize[row]!, dataset.padding(row)];
  const factor = unpadded > 0 ? size / unpadded : 1;
  const number = (label: string, bytes: number, more: string): HTMLElement =>
    el(
      'div',
      { class: 'card-size', title: exactBytes(bytes) },
      el('span', { class: 'tile-label' }, label),
      el('b', {}, formatBytes(bytes)),
      el('span', { class: 'hint' }, more),
    );
  return el(
    'div',
    { class: 'card-sizes' },
    number('Size', size, `${formatPercent(size, dataset.headline.peak_bytes)} of peak`),
    number('Unpadded', unpadded, padding === 0 ? 'no padding' : ''),
    number(
      'Padding',
      padding,
      padding > 0 && factor >= 1.005 ? `${factor.toFixed(factor < 10 ? 2 : 0)} × the size` : '',
    ),
  );
}

export function factList(context: ViewContext, facts: readonly Fact[]): HTMLElement {
  return el(
    'dl',
    {},
    ...facts.flatMap((fact) => [
      el('dt', {}, fact.name),
      el('dd', { class: fact.code ? 'mono' : '', title: fact.text }, ...factParts(context, fact)),
    ]),
  );
}

function factParts(context: ViewContext, { parts }: Fact): (Node | string)[] {
  return parts.map(({ text, point, row }: Part) => {
    if (point !== null) return pointLink(context, point, text);
    return row === null ? shortenMiddle(text, 260) : bufferLink(context, row, text);
  });
}

function bufferLink({ dataset, actions }: ViewContext, row: number, text: string): HTMLElement {
  const title = [text, formatBytes(dataset.size[row]!), dataset.shapeText(row), 'Show this buffer'].join('\n');
  const link = el('button', { type: 'button', class: 'link mono', title }, shortenMiddle(text, 90));
  link.addEventListener('click', () => actions.showBuffer(row));
  return link;
}

function pointLink({ dataset, actions }: ViewContext, point: number, text: string): HTMLElement {
  const row = dataset.instructionAt(point);
  const title = [dataset.instructionName(row), dataset.instructionOp(row), 'Show this point']
    .filter(Boolean)
    .join('\n');
  const link = el('button', { type: 'button', class: 'link mono', title }, shortenMiddle(text, 90));
  link.addEventListener('click', () => actions.selectPoint(point));
  return link;
}

/** Program points that read the buffer, the last first. */
export function readersList(context: ViewContext, readers: Int32Array): HTMLElement {
  const { dataset } = context;
  const latest = Array.from(readers).reverse();
  const items = latest.slice(0, MOST_READERS).map((point) => {
    const name = dataset.instructionName(dataset.instructionAt(point));
    return el('li', {}, pointLink(context, point, `${groupDigits(point)} · ${name}`));
  });
  const more = latest.length - items.length;
  if (more > 0) items.push(el('li', { class: 'hint' }, `and ${groupDigits(more)} before`));
  return el('ul', { class: 'plain' }, ...items);
}

export function stackList(lines: readonly StackLine[]): HTMLElement {
  const items = lines.map((line) =>
    el(
      'li',
      { title: `${placeText(line)} in ${line.function}` },
      el('span', { class: 'mono' }, shortPlaceText(line)),
      el('span', { class: 'hint' }, ` ${line.function}`),
    ),
  );
  return el('ol', { class: 'plain stack' }, ...items);
}
