// Buffers alive at the chosen point, three times: in program order, by size, by padding. Hover lights a buffer in all.

import { formatBytes, formatPercent, groupDigits } from '../../lib/bytes';
import { inkOn } from '../../lib/palette';
import { counted, shortenMiddle } from '../../lib/text';
import { type Bar, type BarOrder, layoutBar, SMALL, segmentAt } from '../../model/bars';
import { rowsInGroup } from '../../model/groups/group';
import { KEPT_BY, keptRows, shownPoint } from '../../model/selection';
import type { State } from '../../state/state';
import { bufferColor } from '../shared/buffer_color';
import { el, onResize } from '../shared/dom';
import type { MakeView } from '../shared/view';

const HEIGHT = 34;
const FIRST_THRESHOLD = 16 * 1024;
/** Segments wider than this have a name in them. */
const LABEL_FROM = 36;
const LEAST_LETTERS = 9;
const LETTER = 6.3;
const ORDERS: readonly { readonly order: BarOrder; readonly label: string; readonly hint: string }[] = [
  { order: 'program', label: 'By program order', hint: 'oldest left' },
  { order: 'size', label: 'By size', hint: 'largest left' },
  { order: 'padding', label: 'By padding', hint: 'most wasted left' },
];

interface Drawn {
  readonly order: BarOrder;
  readonly label: string;
  readonly canvas: HTMLCanvasElement;
  readonly box: HTMLElement;
  readonly light: HTMLElement;
  readonly pin: HTMLElement;
  readonly total: HTMLElement;
  bar: Bar | null;
}

const DRAWN_BY: readonly (keyof State)[] = [...KEPT_BY, 'theme'];

export const makeBars: MakeView = ({ current, dataset, actions }) => {
  const title = el('h2', {}, '');
  const hint = el('span', { class: 'hint' });
  const throughout = el('button', { type: 'button', class: 'choice' }, 'Alive throughout');
  const within = el('button', { type: 'button', class: 'choice' }, 'Allocated within');
  const kinds = el(
    'div',
    { class: 'choices-row', role: 'group', 'aria-label': 'Which buffers of the window' },
    throughout,
    within,
  );
  const toggle = el('button', { type: 'button', class: 'quiet' });
  const element = el(
    'section',
    { class: 'panel bars', 'aria-label': 'Buffers alive at the point' },
    el('div', { class: 'panel-head' }, title, hint, el('div', { class: 'buttons' }, kinds, toggle)),
  );
  let threshold = FIRST_THRESHOLD;
  let width = 0;
  let rows: Int32Array = new Int32Array();
  const drawn = ORDERS.map(({ order, label, hint: side }) => make(order, label, side));

  throughout.addEventListener('click', () => actions.setWithin(false));
  within.addEventListener('click', () => actions.setWithin(true));
  toggle.addEventListener('click', () => {
    threshold = threshold === 0 ? FIRST_THRESHOLD : 0;
    layout();
  });

  function make(order: BarOrder, label: string, side: string): Drawn {
    const canvas = el('canvas', {});
    const light = el('div', { class: 'bar-light', hidden: true });
    const pin = el('div', { class: 'bar-pin', hidden: true });
    const box = el(
      'div',
      {
        class: 'bar-box',
        tabindex: 0,
        role: 'slider',
        'aria-label': `Buffers ${label.toLowerCase()}`,
        'data-order': order,
      },
      canvas,
      pin,
      light,
    );
    const total = el('span', { class: 'bar-total' });
    element.append(
      el(
        'div',
        { class: 'bar-row' },
        el('div', { class: 'bar-label' }, el('b', {}, label), el('span', { class: 'hint' }, side), total),
        box,
      ),
    );
    const made: Drawn = { order, label, canvas, box, light, pin, total, bar: null };
    box.addEventListener('pointermove', (event) => hover(made, segmentUnder(made, event)));
    box.addEventListener('pointerleave', () => actions.hover(null));
    box.addEventListener('click', (event) => click(made, segmentUnder(made, event)));
    box.addEventListener('keydown', (event) => key(made, event));
    return made;
  }

  function segmentUnder(made: Drawn, event: MouseEvent): number {
    return made.bar === null ? -1 : segmentAt(made.bar, event.clientX - made.box.getBoundingClientRect().left);
  }

  function rowOf(made: Drawn, segment: number): number | null {
    const row = made.bar?.rows[segment];
    return row === undefined || row === SMALL ? null : row;
  }

  function hover(made: Drawn, segment: number): void {
    const small = made.bar?.rows[segment] === SMALL;
    made.box.title = small
      ? `${counted(made.bar!.small.length, 'small buffer')}: ${formatBytes(made.bar!.smallBytes)} together. Click to open.`
      : '';
    actions.hover(rowOf(made, segment));
  }

  function click(made: Drawn, segment: number): void {
    if (made.bar?.rows[segment] === SMALL) {
      threshold = 0;
      layout();
      return;
    }
    const row = rowOf(made, segment);
    actions.togglePin(row);
  }

  function key(made: Drawn, event: KeyboardEvent): void {
    const bar = made.bar;
    if (bar === null || bar.rows.length === 0) return;
    const at = bar.rows.indexOf(current.state.hovered ?? current.state.pinned ?? -2);
    const steps: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowLeft: at < 0 ? 0 : at - 1,
      Home: 0,
      End: bar.rows.length - 1,
    };
    if (event.key === 'Enter' || event.key === ' ') click(made, at);
    else if (steps[event.key] !== undefined) hover(made, Math.max(0, Math.min(bar.rows.length - 1, steps[event.key]!)));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function layout(): void {
    const { state } = current;
    rows = keptRows(dataset, state);
    title.textContent = titleText(state);
    kinds.hidden = state.window === null;
    throughout.setAttribute('aria-pressed', String(!state.within));
    within.setAttribute('aria-pressed', String(state.within));
    let bytes = 0;
    for (const row of rows) bytes += dataset.size[row]!;
    hint.textContent = sumText(bytes, state, rowsInGroup(dataset, state) !== null);
    toggle.textContent = threshold === 0 ? 'Gather small' : 'Show small';
    toggle.title =
      threshold === 0 ? 'Gather buffers below 16 KiB into one segment' : 'Show buffers below 16 KiB one by one';
    for (const made of drawn) draw(made);
    toggle.hidden = threshold > 0 && drawn.every(({ bar }) => bar === null || bar.smallBytes === 0);
    light(state);
  }

  function titleText({ window, within, point }: State): string {
    if (window !== null) {
      const stretch = `points ${groupDigits(window[0])} to ${groupDigits(window[1] - 1)}`;
      return within ? `Buffers allocated within ${stretch}` : `Buffers alive throughout ${stretch}`;
    }
    return point === null
      ? 'Buffers alive at the peak'
      : `Buffers alive at point ${groupDigits(shownPoint(dataset, current.state))}`;
  }

  /** Sizes of buffers that share addresses add up to more than is in use: say so. */
  function sumText(bytes: number, state: State, filtered: boolean): string {
    const sum = `${counted(rows.length, 'buffer')}, ${formatBytes(bytes)}`;
    if (filtered) return `${sum} in this group`;
    if (state.window !== null) return sum;
    const point = shownPoint(dataset, state);
    const used = dataset.usage[point]! - dataset.scoped[point]!;
    if (bytes <= 1.005 * used) return sum;
    return `${sum}, of which ${formatBytes(bytes - used)} share addresses with others: ${formatBytes(used)} in use`;
  }

  function draw(made: Drawn): void {
    if (width <= 0) return;
    made.bar = layoutBar(dataset, rows, made.order, width, threshold);
    const { bar, canvas } = made;
    made.total.textContent = made.order === 'padding' ? `${formatBytes(bar.totalBytes)} wasted` : '';
    made.box.classList.toggle('empty', bar.totalBytes === 0);
    made.box.dataset.empty =
      rows.length === 0
        ? 'nothing is alive here'
        : made.order === 'padding'
          ? 'no padding: every byte holds data'
          : 'only empty buffers';
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(HEIGHT * ratio);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${HEIGHT}px`;
    paint(canvas, bar, ratio);
  }

  function paint(canvas: HTMLCanvasElement, bar: Bar, ratio: number): void {
    const context = canvas.getContext('2d')!;
    context.scale(ratio, ratio);
    context.clearRect(0, 0, width, HEIGHT);
    const style = getComputedStyle(element);
    const gap = style.getPropertyValue('--panel');
    const small = style.getPropertyValue('--line-strong');
    context.font = `11px ${style.fontFamily}`;
    context.textBaseline = 'middle';
    for (let i = 0; i < bar.rows.length; i++) {
      const row = bar.rows[i]!;
      const x = bar.x[i]!;
      const wide = bar.x[i + 1]! - x;
      const color = row === SMALL ? small : bufferColor(dataset, row);
      context.fillStyle = color;
      context.fillRect(x, 0, Math.max(wide, 0.3), HEIGHT);
      if (wide > 2.5) {
        context.fillStyle = gap;
        context.fillRect(x + wide - 1, 0, 1, HEIGHT);
      }
      if (wide > LABEL_FROM) label(context, row, x, wide, inkOn(color));
    }
  }

  function label(context: CanvasRenderingContext2D, row: number, x: number, wide: number, ink: string): void {
    const room = Math.floor((wide - 10) / LETTER);
    const name = row === SMALL ? 'small' : dataset.name(row);
    // A name cut to a few letters tells nothing.
    if (room < Math.min(name.length, LEAST_LETTERS)) return;
    context.fillStyle = ink;
    context.fillText(shortenMiddle(name, room), x + 5, HEIGHT / 2);
  }

  function light(state: State): void {
    for (const made of drawn) {
      place(made, made.light, state.hovered);
      place(made, made.pin, state.pinned);
      describe(made, state.hovered ?? state.pinned);
    }
  }

  function place(made: Drawn, marker: HTMLElement, row: number | null): void {
    const at = row === null || made.bar === null ? -1 : made.bar.rows.indexOf(row);
    marker.hidden = at < 0;
    if (at < 0 || made.bar === null) return;
    const x = made.bar.x[at]!;
    marker.style.transform = `translateX(${x}px)`;
    marker.style.width = `${Math.max(3, made.bar.x[at + 1]! - x)}px`;
  }

  function describe(made: Drawn, row: number | null): void {
    const at = row === null || made.bar === null ? -1 : made.bar.rows.indexOf(row);
    made.box.setAttribute('aria-valuenow', String(at + 1));
    made.box.setAttribute('aria-valuemin', '0');
    made.box.setAttribute('aria-valuemax', String(made.bar?.rows.length ?? 0));
    made.box.setAttribute(
      'aria-valuetext',
      at < 0 || row === null
        ? 'no buffer'
        : `${dataset.name(row)}, ${formatBytes(dataset.size[row]!)}, ${formatPercent(dataset.size[row]!, made.bar!.totalBytes)}`,
    );
  }

  const stop = onResize(drawn[0]!.box, (boxWidth) => {
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
