// Everything about one buffer: the hovered one, else the pinned one, else the largest that is alive here.

import { exactBytes, formatBytes, formatPercent, groupDigits } from '../../lib/bytes';
import { counted, shortenMiddle } from '../../lib/text';
import { cardText, lifeFacts, lifeOf, placeFacts } from '../../model/card';
import type { Fact, Part } from '../../model/fact';
import { placeText, shortPlaceText } from '../../model/place_text';
import { countAsLarge, KEPT_BY, largestRow, shownBuffer, shownPoint } from '../../model/selection';
import type { State } from '../../state/state';
import { bufferColor } from '../shared/buffer_color';
import { copyText } from '../shared/copy';
import { el } from '../shared/dom';
import type { View, ViewContext } from '../shared/view';
import { lifeLine } from './life';

const MOST_READERS = 8;
const COPIED_MS = 1200;
const MIDDLE = 1;
const DRAWN_BY: readonly (keyof State)[] = [...KEPT_BY, 'pinned', 'hovered'];

export interface CardLinks {
  /** A link to what is shown now. */
  address(): string;
  /** Opens another tool of the Profile tab; null where the page is not its guest. */
  readonly navigate: ((tool: 'graph_viewer' | 'trace_viewer', instruction: string, newTab: boolean) => void) | null;
}

export function makeCard({ current, dataset, actions }: ViewContext, links: CardLinks): View {
  const element = el('aside', { class: 'panel card', 'aria-label': 'Buffer' });
  /** Which folds a person has opened: they stay open from buffer to buffer. */
  const opened = new Set<string>();
  /** What a button says for a moment instead of its label: the card may be drawn anew meanwhile. */
  const said = new Map<string, string>();

  function draw(): void {
    const { state } = current;
    const row = shownBuffer(state) ?? largestRow(dataset, state);
    element.classList.toggle('unchosen', shownBuffer(state) === null);
    if (row === null || row >= dataset.count) element.replaceChildren(nothing());
    else element.replaceChildren(...content(row, state));
  }

  function nothing(): HTMLElement {
    return el('div', { class: 'card-empty' }, el('h2', {}, 'Buffer'), el('p', {}, 'Nothing is alive here.'));
  }

  function content(row: number, state: State): (Node | string)[] {
    const life = lifeOf(dataset, row);
    const parts = [
      why(row, state),
      head(row),
      sizes(row),
      lifeLine(life, dataset.points, bufferColor(dataset, row), shownPoint(dataset, state)),
      list([...lifeFacts(dataset, row, life), ...placeFacts(dataset, row)]),
      readersList(dataset.readersOf(row)),
      stack(row),
      tools(row),
    ];
    return parts.filter((part) => part !== null);
  }

  /** Why this buffer is shown. */
  function why(row: number, state: State): HTMLElement {
    const { hovered, pinned } = state;
    if (pinned === row) {
      const release = el('button', { type: 'button', class: 'link', title: 'Unpin (Esc)' }, 'unpin');
      release.addEventListener('click', () => actions.unpin());
      return el('div', { class: 'card-why' }, 'Pinned · ', release);
    }
    if (hovered === row)
      return el('div', { class: 'card-why' }, pinned === null ? 'Click pins it' : 'Click pins this one instead');
    const equal = countAsLarge(dataset, state, row);
    const asLarge = equal > 1 ? ` (one of ${groupDigits(equal)} as large)` : '';
    const where = state.groupPath.length === 0 ? 'here' : 'of the group';
    return el('div', { class: 'card-why' }, `The largest ${where}${asLarge}. Point at any other; click pins it.`);
  }

  function head(row: number): HTMLElement {
    return el(
      'div',
      { class: 'card-head' },
      el('span', { class: 'card-color', style: `background-color:${bufferColor(dataset, row)}` }),
      el('h2', { title: dataset.name(row), class: 'mono' }, shortenMiddle(dataset.name(row), 72)),
      el('span', { class: 'hint' }, dataset.opcode(row)),
    );
  }

  function sizes(row: number): HTMLElement {
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
        padding > 0 && factor >= 1.005 ? `${factor.toFixed(factor < 10 ? 2 : 0)} × as large` : '',
      ),
    );
  }

  function list(facts: readonly Fact[]): HTMLElement {
    return el(
      'dl',
      {},
      ...facts.flatMap((fact) => [
        el('dt', {}, fact.name),
        el('dd', { class: fact.code ? 'mono' : '', title: fact.text }, ...factParts(fact)),
      ]),
    );
  }

  function factParts({ parts }: Fact): (Node | string)[] {
    return parts.map(({ text, point, row }: Part) => {
      if (point !== null) return pointLink(point, text);
      return row === null ? shortenMiddle(text, 260) : bufferLink(row, text);
    });
  }

  function bufferLink(row: number, text: string): HTMLElement {
    const title = [text, formatBytes(dataset.size[row]!), dataset.shapeText(row), 'Show this buffer'].join('\n');
    const link = el('button', { type: 'button', class: 'link mono', title }, shortenMiddle(text, 90));
    link.addEventListener('click', () => actions.showBuffer(row));
    return link;
  }

  function pointLink(point: number, text: string): HTMLElement {
    const row = dataset.instructionAt(point);
    const title = [dataset.instructionName(row), dataset.instructionOp(row), 'Show this point']
      .filter(Boolean)
      .join('\n');
    const link = el('button', { type: 'button', class: 'link mono', title }, shortenMiddle(text, 90));
    link.addEventListener('click', () => actions.selectPoint(point));
    return link;
  }

  function readersList(readers: Int32Array): HTMLElement | null {
    if (readers.length === 0) return null;
    const latest = Array.from(readers).reverse();
    const items = latest
      .slice(0, MOST_READERS)
      .map((point) =>
        el(
          'li',
          {},
          pointLink(point, `${groupDigits(point)} · ${dataset.instructionName(dataset.instructionAt(point))}`),
        ),
      );
    const more = latest.length - items.length;
    if (more > 0) items.push(el('li', { class: 'hint' }, `and ${groupDigits(more)} before`));
    return fold(`${counted(readers.length, 'reader')}, last first`, el('ul', { class: 'plain' }, ...items));
  }

  function stack(row: number): HTMLElement | null {
    const lines = dataset.stack(row);
    if (lines.length === 0) return null;
    const items = lines.map((line) =>
      el(
        'li',
        { title: `${placeText(line)} in ${line.function}` },
        el('span', { class: 'mono' }, shortPlaceText(line)),
        el('span', { class: 'hint' }, ` ${line.function}`),
      ),
    );
    return fold(`Stack, ${counted(lines.length, 'frame')}`, el('ol', { class: 'plain stack' }, ...items));
  }

  function fold(label: string, inside: HTMLElement): HTMLElement {
    const kind = label.split(' ')[0]!;
    const made = el('details', { open: opened.has(kind) }, el('summary', {}, label), inside);
    made.addEventListener('toggle', () => {
      if (made.open) opened.add(kind);
      else opened.delete(kind);
    });
    return made;
  }

  function tools(row: number): HTMLElement {
    const button = (label: string, title: string, act: (event: MouseEvent) => void): HTMLElement => {
      const made = el(
        'button',
        { type: 'button', class: 'quiet', title, 'data-label': label },
        said.get(label) ?? label,
      );
      made.addEventListener('click', act);
      return made;
    };
    const made = [
      button('Copy', 'Copy everything about this buffer as text', () => copy('Copy', cardText(dataset, row))),
      button('Copy link', 'Pin it and copy a link to what is shown', () => {
        actions.pin(row);
        copy('Copy link', links.address());
      }),
    ];
    const { navigate } = links;
    const instruction = dataset.instructionName(dataset.instruction[row]!);
    if (navigate !== null && instruction !== '') {
      for (const [tool, label] of [
        ['graph_viewer', 'Graph Viewer'],
        ['trace_viewer', 'Trace Viewer'],
      ] as const) {
        const link = button(`${label} ›`, `Open ${instruction} in ${label}`, (event) =>
          navigate(tool, instruction, event.ctrlKey || event.metaKey),
        );
        link.addEventListener('auxclick', (event) => {
          if (event.button === MIDDLE) navigate(tool, instruction, true);
        });
        made.push(link);
      }
    }
    return el('div', { class: 'card-actions' }, ...made);
  }

  async function copy(label: string, text: string): Promise<void> {
    if (await copyText(text)) say(label, 'Copied');
  }

  function say(label: string, words: string): void {
    said.set(label, words);
    showLabel(label);
    setTimeout(() => {
      said.delete(label);
      showLabel(label);
    }, COPIED_MS);
  }

  function showLabel(label: string): void {
    element.querySelector(`[data-label="${label}"]`)?.replaceChildren(said.get(label) ?? label);
  }

  draw();
  return {
    element,
    update(state, previous) {
      if (DRAWN_BY.some((key) => state[key] !== previous[key])) draw();
    },
    destroy() {},
  };
}
