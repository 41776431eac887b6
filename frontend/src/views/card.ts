// Everything about one buffer: the hovered one, else the pinned one.

import { exactBytes, formatBytes, formatPercent, groupDigits } from '../lib/bytes';
import { counted, shortenMiddle } from '../lib/text';
import { cardText } from '../model/card_text';
import { longestIdle } from '../model/idle';
import { shownBuffer } from '../model/selection';
import { bufferColor } from './buffer_color';
import { el } from './dom';
import { placeText, shortPlaceText } from './place_text';
import type { View, ViewContext } from './view';

const MOST_READERS = 8;

export interface CardLinks {
  /** A link to what is shown now. */
  address(): string;
  /** Opens another tool of the Profile tab; null where the page is not its guest. */
  readonly navigate: ((tool: 'graph_viewer' | 'trace_viewer', instruction: string, newTab: boolean) => void) | null;
}

export function makeCard({ store, dataset }: ViewContext, links: CardLinks): View {
  const element = el('aside', { class: 'panel card', 'aria-label': 'Buffer' });
  let shown: number | null | undefined;

  function draw(): void {
    const row = shownBuffer(store.state);
    if (row === shown) return;
    shown = row;
    if (row === null || row >= dataset.count) element.replaceChildren(nothing());
    else element.replaceChildren(head(row), sizes(row), facts(row), life(row), stack(row), actions(row));
  }

  function nothing(): HTMLElement {
    return el(
      'div',
      { class: 'card-empty' },
      el('h2', {}, 'Buffer'),
      el(
        'p',
        {},
        'Point at a buffer in a bar, the map or the table: its size, its source and its lifetime show here. Click keeps it.',
      ),
    );
  }

  function head(row: number): HTMLElement {
    return el(
      'div',
      { class: 'card-head' },
      el('span', { class: 'card-color', style: `background:${bufferColor(dataset, row)}` }),
      el(
        'div',
        {},
        el('h2', { title: dataset.name(row), class: 'mono' }, shortenMiddle(dataset.name(row), 56)),
        el(
          'div',
          { class: 'hint' },
          [dataset.opcode(row), dataset.type(row) + (dataset.isAliased(row) ? ', aliased with an output' : '')]
            .filter(Boolean)
            .join(' · '),
        ),
      ),
      store.state.pinned === row ? unpin() : null,
    );
  }

  function unpin(): HTMLElement {
    const button = el(
      'button',
      { type: 'button', class: 'quiet', title: 'Let go (Esc)', 'aria-label': 'Let go of the pinned buffer' },
      '×',
    );
    button.addEventListener('click', () => store.set({ pinned: null }));
    return button;
  }

  function sizes(row: number): HTMLElement {
    const padding = dataset.padding(row);
    const number = (label: string, bytes: number, more = ''): HTMLElement =>
      el(
        'div',
        { class: 'card-size', title: exactBytes(bytes) },
        el('span', { class: 'tile-label' }, label),
        el('b', {}, formatBytes(bytes)),
        el('span', { class: 'hint' }, more),
      );
    const factor = dataset.unpaddedSize[row]! > 0 ? dataset.size[row]! / dataset.unpaddedSize[row]! : null;
    return el(
      'div',
      { class: 'card-sizes' },
      number('Size', dataset.size[row]!, `${formatPercent(dataset.size[row]!, dataset.headline.peak_bytes)} of peak`),
      number('Unpadded', dataset.unpaddedSize[row]!),
      number(
        'Padding',
        padding,
        padding > 0 && factor !== null ? `${factor.toFixed(factor < 10 ? 2 : 0)} × as large` : '',
      ),
    );
  }

  function facts(row: number): HTMLElement {
    const source = dataset.source(row);
    const explained = dataset.padding(row) > 0 ? dataset.paddingExplained(row) : null;
    const parameter = dataset.parameter(row);
    return list([
      ['Shape', dataset.shapeText(row), true],
      ['Stored as', explained ? `${explained.stored}${explained.worst ? ` — ${explained.worst}` : ''}` : '', true],
      ['Op name', dataset.op(row), true],
      ['Source', source ? placeText(source) : '', true],
      ['Argument', parameter === null ? '' : `parameter ${parameter}`, false],
    ]);
  }

  function life(row: number): HTMLElement {
    const readers = dataset.readersOf(row);
    const last = readers.length > 0 ? readers[readers.length - 1]! : null;
    const indefinite = !dataset.isTemporary(row);
    const start = dataset.start[row]!;
    const end = dataset.end[row]!;
    const idle = indefinite ? null : longestIdle(start, end, readers);
    const allocation = `allocation ${groupDigits(dataset.allocationIndex[dataset.allocation[row]!]!)}, offset ${groupDigits(dataset.offset[row]!)}, of ${formatBytes(dataset.allocationSize[dataset.allocation[row]!]!)}`;
    const span = indefinite
      ? 'the whole run'
      : dataset.untraced[row] === 1
        ? 'the whole run: no heap event tells otherwise'
        : `points ${groupDigits(start)} to ${groupDigits(end - 1)} (${counted(end - start, 'point')})`;
    return el(
      'div',
      {},
      list([
        ['Alive', span, false],
        ['Allocated at', indefinite || dataset.untraced[row] === 1 ? '' : pointText(start), true],
        ['Freed after', indefinite || end >= dataset.points ? '' : pointText(end - 1), true],
        [
          'Kept alive by',
          last === null
            ? dataset.allocationLiveOut[dataset.allocation[row]!] === 1
              ? 'an output of the program'
              : 'no reader known'
            : `${pointText(last)}, its last reader`,
          true,
        ],
        [
          'Longest idle',
          idle === null
            ? ''
            : `points ${groupDigits(idle[0])} to ${groupDigits(idle[1] - 1)}: nobody reads it for ${counted(idle[1] - idle[0], 'point')}`,
          false,
        ],
        ['Place', allocation, false],
      ]),
      readersList(readers),
    );
  }

  function pointText(point: number): string {
    return `${groupDigits(point)} · ${dataset.instructionName(dataset.instructionAt(point))}`;
  }

  function readersList(readers: Int32Array): HTMLElement | null {
    if (readers.length === 0) return null;
    const latest = Array.from(readers).reverse();
    const items = latest.slice(0, MOST_READERS).map((point) => {
      const row = dataset.instructionAt(point);
      const link = el(
        'button',
        {
          type: 'button',
          class: 'link mono',
          title: [dataset.instructionName(row), dataset.instructionOp(row)].filter(Boolean).join('\n'),
        },
        `${groupDigits(point)} · ${shortenMiddle(dataset.instructionName(row), 44)}`,
      );
      link.addEventListener('click', () => store.set({ point, window: null }));
      return el('li', {}, link);
    });
    const more = latest.length - items.length;
    return el(
      'details',
      {},
      el('summary', {}, `Read by ${counted(readers.length, 'instruction')}`),
      el(
        'ul',
        { class: 'plain' },
        ...items,
        more > 0 ? el('li', { class: 'hint' }, `and ${groupDigits(more)} before`) : null,
      ),
    );
  }

  function stack(row: number): HTMLElement {
    const lines = dataset.stack(row);
    if (lines.length === 0) return el('span', {});
    return el(
      'details',
      {},
      el('summary', {}, `Stack, ${counted(lines.length, 'frame')}`),
      el(
        'ol',
        { class: 'plain stack' },
        ...lines.map((line) =>
          el(
            'li',
            { title: `${placeText(line)} in ${line.function}` },
            el('span', { class: 'mono' }, shortPlaceText(line)),
            el('span', { class: 'hint' }, ` ${line.function}`),
          ),
        ),
      ),
    );
  }

  function actions(row: number): HTMLElement {
    const copy = el('button', { type: 'button', class: 'quiet' }, 'Copy as text');
    copy.addEventListener('click', () => copied(copy, cardText(dataset, row)));
    const link = el('button', { type: 'button', class: 'quiet' }, 'Copy link');
    link.addEventListener('click', () => {
      store.set({ pinned: row });
      copied(link, links.address());
    });
    const row_ = el('div', { class: 'card-actions' }, copy, link);
    const instruction = dataset.instructionName(dataset.instruction[row]!);
    const { navigate } = links;
    if (navigate !== null && instruction !== '') {
      for (const [tool, label] of [
        ['graph_viewer', 'Graph Viewer'],
        ['trace_viewer', 'Trace Viewer'],
      ] as const) {
        const go = el(
          'button',
          { type: 'button', class: 'quiet', title: `Open ${instruction} in ${label}` },
          `${label} ›`,
        );
        go.addEventListener('click', (event) => navigate(tool, instruction, event.ctrlKey || event.metaKey));
        row_.append(go);
      }
    }
    return row_;
  }

  function copied(button: HTMLElement, text: string): void {
    const label = button.textContent;
    navigator.clipboard.writeText(text).then(
      () => {
        button.textContent = 'Copied';
        setTimeout(() => {
          button.textContent = label;
        }, 1200);
      },
      () => {
        button.textContent = 'The browser does not allow it';
      },
    );
  }

  draw();
  return {
    element,
    update(state, previous) {
      if (state.pinned !== previous.pinned) shown = undefined;
      draw();
    },
    destroy() {},
  };
}

function list(entries: [string, string, boolean][]): HTMLElement {
  const parts = entries
    .filter(([, text]) => text !== '')
    .flatMap(([name, text, mono]) => [
      el('dt', {}, name),
      el('dd', { class: mono ? 'mono' : '', title: text }, shortenMiddle(text, 260)),
    ]);
  return el('dl', {}, ...parts);
}
