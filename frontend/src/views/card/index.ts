// Everything about one buffer: the hovered one, else the pinned one, else the largest that is alive here.

import { groupDigits } from '../../lib/bytes';
import { counted } from '../../lib/text';
import { lifeFacts, lifeOf, placeFacts } from '../../model/card';
import { countAsLarge, KEPT_BY, largestRow, shownBuffer, shownPoint } from '../../model/selection';
import type { State } from '../../state/state';
import { bufferColor } from '../shared/buffer_color';
import { el } from '../shared/dom';
import type { View, ViewContext } from '../shared/view';
import { factList, head, readersList, sizes, stackList } from './facts';
import { lifeLine } from './life';
import { type CardLinks, CardTools } from './tools';

export type { CardLinks } from './tools';

const DRAWN_BY: readonly (keyof State)[] = [...KEPT_BY, 'pinned', 'hovered'];

export function makeCard(context: ViewContext, links: CardLinks): View {
  const { current, dataset, actions } = context;
  const element = el('aside', { class: 'panel card', 'aria-label': 'Buffer' });
  /** Which folds a person has opened: they stay open from buffer to buffer. */
  const opened = new Set<string>();
  const tools = new CardTools(context, links);

  function draw(): void {
    const { state } = current;
    const row = shownBuffer(state) ?? largestRow(dataset, state);
    element.classList.toggle('unchosen', shownBuffer(state) === null);
    if (row === null || row >= dataset.count) element.replaceChildren(nothing());
    else element.replaceChildren(...content(row, state));
  }

  function nothing(): HTMLElement {
    return el('div', { class: 'card-empty' }, el('h2', {}, 'Buffer'), el('p', {}, 'No buffers are alive here.'));
  }

  function content(row: number, state: State): (Node | string)[] {
    const life = lifeOf(dataset, row);
    return [
      why(row, state),
      head(dataset, row),
      sizes(dataset, row),
      lifeLine(life, dataset.points, bufferColor(dataset, row), shownPoint(dataset, state)),
      factList(context, [...lifeFacts(dataset, row, life), ...placeFacts(dataset, row)]),
      ...folds(row),
      tools.element(row),
    ];
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
      return el('div', { class: 'card-why' }, pinned === null ? 'Click to pin' : 'Click to pin this buffer instead');
    const equal = countAsLarge(dataset, state, row);
    const asLarge = equal > 1 ? ` (${groupDigits(equal)} are this size)` : '';
    const where = state.groupPath.length === 0 ? '' : ' in the group';
    return el(
      'div',
      { class: 'card-why' },
      `Largest live buffer${where}${asLarge}. Hover over another to inspect it; click to pin it.`,
    );
  }

  function folds(row: number): HTMLElement[] {
    const readers = dataset.readersOf(row);
    const stack = dataset.stack(row);
    const made: HTMLElement[] = [];
    if (readers.length > 0)
      made.push(fold(`${counted(readers.length, 'reader')}, last first`, readersList(context, readers)));
    if (stack.length > 0) made.push(fold(`Stack, ${counted(stack.length, 'frame')}`, stackList(stack)));
    return made;
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

  draw();
  return {
    element,
    update(state, previous) {
      if (DRAWN_BY.some((key) => state[key] !== previous[key])) draw();
    },
    destroy() {},
  };
}
