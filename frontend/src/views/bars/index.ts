// The buffers alive at the selected point, three times: in program order, by size, by padding. Hovering highlights one in all.

import { formatBytes, groupDigits } from '../../lib/bytes';
import { counted } from '../../lib/text';
import type { BarOrder } from '../../model/bars';
import type { Dataset } from '../../model/dataset';
import { rowsInGroup } from '../../model/groups/group';
import { KEPT_BY, keptRows, shownPoint } from '../../model/selection';
import type { State } from '../../state/state';
import { el, onResize } from '../shared/dom';
import type { MakeView } from '../shared/view';
import { BarView } from './bar';

const FIRST_THRESHOLD = 16 * 1024;
const ORDERS: readonly { readonly order: BarOrder; readonly label: string; readonly hint: string }[] = [
  { order: 'program', label: 'By program order', hint: 'oldest first' },
  { order: 'size', label: 'By size', hint: 'largest first' },
  { order: 'padding', label: 'By padding', hint: 'most padded first' },
];
const DRAWN_BY: readonly (keyof State)[] = [...KEPT_BY, 'theme'];

export const makeBars: MakeView = (context) => {
  const { current, dataset, actions } = context;
  const title = el('h2', {}, '');
  const hint = el('span', { class: 'hint' });
  const throughout = el('button', { type: 'button', class: 'choice' }, 'Alive throughout');
  const within = el('button', { type: 'button', class: 'choice' }, 'Allocated within');
  const kinds = el(
    'div',
    { class: 'choices-row', role: 'group', 'aria-label': 'Buffers in the window' },
    throughout,
    within,
  );
  const toggle = el('button', { type: 'button', class: 'quiet' });
  const bars = ORDERS.map((order) => new BarView({ context, ...order, open: () => gather(0) }));
  const element = el(
    'section',
    { class: 'panel bars', 'aria-label': 'Buffers alive at the point' },
    el('div', { class: 'panel-head' }, title, hint, el('div', { class: 'buttons' }, kinds, toggle)),
    ...bars.map((bar) => bar.element),
  );
  let threshold = FIRST_THRESHOLD;
  let width = 0;

  throughout.addEventListener('click', () => actions.setWithin(false));
  within.addEventListener('click', () => actions.setWithin(true));
  toggle.addEventListener('click', () => gather(threshold === 0 ? FIRST_THRESHOLD : 0));

  /** Gathers buffers of fewer bytes. */
  function gather(below: number): void {
    threshold = below;
    layout();
  }

  function layout(): void {
    const { state } = current;
    const rows = keptRows(dataset, state);
    title.textContent = titleText(dataset, state);
    kinds.hidden = state.window === null;
    throughout.setAttribute('aria-pressed', String(!state.within));
    within.setAttribute('aria-pressed', String(state.within));
    hint.textContent = sumText(dataset, state, rows);
    toggle.textContent = threshold === 0 ? 'Combine small' : 'Show small';
    toggle.title =
      threshold === 0 ? 'Combine buffers below 16 KiB into one segment' : 'Show buffers below 16 KiB one by one';
    if (width > 0) for (const bar of bars) bar.draw(rows, width, threshold);
    toggle.hidden = threshold > 0 && !bars.some(({ gathers }) => gathers);
    light(state);
  }

  function light(state: State): void {
    for (const bar of bars) bar.light(state);
  }

  const stop = onResize(bars[0]!.box, (boxWidth) => {
    width = boxWidth;
    layout();
  });

  return {
    element,
    update(state, previous) {
      if (DRAWN_BY.some((key) => state[key] !== previous[key])) layout();
      else if (state.hovered !== previous.hovered || state.pinned !== previous.pinned) light(state);
    },
    destroy: stop,
  };
};

function titleText(dataset: Dataset, state: State): string {
  const { window, within, point } = state;
  if (window !== null) {
    const stretch = `points ${groupDigits(window[0])} to ${groupDigits(window[1] - 1)}`;
    return within ? `Buffers allocated within ${stretch}` : `Buffers alive throughout ${stretch}`;
  }
  return point === null
    ? 'Buffers alive at the peak'
    : `Buffers alive at point ${groupDigits(shownPoint(dataset, state))}`;
}

/** Sizes of buffers that share addresses add up to more than is in use: say so. */
function sumText(dataset: Dataset, state: State, rows: Int32Array): string {
  const bytes = rows.reduce((sum, row) => sum + dataset.size[row]!, 0);
  const sum = `${counted(rows.length, 'buffer')}, ${formatBytes(bytes)}`;
  if (rowsInGroup(dataset, state) !== null) return `${sum} in this group`;
  if (state.window !== null) return sum;
  const point = shownPoint(dataset, state);
  const used = dataset.usage[point]! - dataset.scoped[point]!;
  if (bytes <= 1.005 * used) return sum;
  return `${sum} in total, ${formatBytes(used)} in use: ${formatBytes(bytes - used)} share addresses`;
}
