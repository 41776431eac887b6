// One bar of buffers: its segments on a canvas, the hovered and the pinned one lit, pointer and keys over it.

import { formatBytes, formatPercent } from '../../lib/bytes';
import { counted } from '../../lib/text';
import { type Bar, type BarOrder, layoutBar, SMALL, segmentAt } from '../../model/bars';
import type { State } from '../../state/state';
import { el } from '../shared/dom';
import type { ViewContext } from '../shared/view';
import { paintBar } from './paint';

export interface BarOptions {
  readonly context: ViewContext;
  readonly order: BarOrder;
  readonly label: string;
  readonly hint: string;
  /** Shows the small buffers, which are gathered in one segment. */
  open(): void;
}

export class BarView {
  readonly element: HTMLElement;
  readonly box: HTMLElement;
  readonly #options: BarOptions;
  readonly #canvas = el('canvas', {});
  readonly #light = el('div', { class: 'bar-light', hidden: true });
  readonly #pin = el('div', { class: 'bar-pin', hidden: true });
  readonly #total = el('span', { class: 'bar-total' });
  #bar: Bar | null = null;

  constructor(options: BarOptions) {
    this.#options = options;
    const { order, label, hint, context } = options;
    this.box = el(
      'div',
      {
        class: 'bar-box',
        tabindex: 0,
        role: 'slider',
        'aria-label': `Buffers ${label.toLowerCase()}`,
        'data-order': order,
      },
      this.#canvas,
      this.#pin,
      this.#light,
    );
    const name = [el('b', {}, label), el('span', { class: 'hint' }, hint), this.#total];
    this.element = el('div', { class: 'bar-row' }, el('div', { class: 'bar-label' }, ...name), this.box);
    this.box.addEventListener('pointermove', (event) => this.#hover(this.#segmentUnder(event)));
    this.box.addEventListener('pointerleave', () => context.actions.hover(null));
    this.box.addEventListener('click', (event) => this.#click(this.#segmentUnder(event)));
    this.box.addEventListener('keydown', (event) => this.#key(event));
  }

  /** Whether small buffers are gathered in a segment. */
  get gathers(): boolean {
    return this.#bar !== null && this.#bar.smallBytes > 0;
  }

  draw(rows: Int32Array, width: number, threshold: number): void {
    const { order, context } = this.#options;
    const bar = layoutBar(context.dataset, rows, order, width, threshold);
    this.#bar = bar;
    this.#total.textContent = order === 'padding' ? `${formatBytes(bar.totalBytes)} padding` : '';
    this.box.classList.toggle('empty', bar.totalBytes === 0);
    this.box.dataset.empty =
      rows.length === 0
        ? 'no live buffers here'
        : order === 'padding'
          ? 'no padding: every byte holds data'
          : 'only empty buffers';
    paintBar(this.#canvas, context.dataset, bar, width);
  }

  /** Lights the hovered and the pinned buffer. */
  light({ hovered, pinned }: State): void {
    this.#place(this.#light, hovered);
    this.#place(this.#pin, pinned);
    this.#describe(hovered ?? pinned);
  }

  #segmentUnder(event: MouseEvent): number {
    return this.#bar === null ? -1 : segmentAt(this.#bar, event.clientX - this.box.getBoundingClientRect().left);
  }

  #rowOf(segment: number): number | null {
    const row = this.#bar?.rows[segment];
    return row === undefined || row === SMALL ? null : row;
  }

  #hover(segment: number): void {
    const bar = this.#bar;
    this.box.title =
      bar?.rows[segment] === SMALL
        ? `${counted(bar.small.length, 'small buffer')}: ${formatBytes(bar.smallBytes)} in total. Click to show them.`
        : '';
    this.#options.context.actions.hover(this.#rowOf(segment));
  }

  #click(segment: number): void {
    if (this.#bar?.rows[segment] === SMALL) this.#options.open();
    else this.#options.context.actions.togglePin(this.#rowOf(segment));
  }

  #key(event: KeyboardEvent): void {
    const bar = this.#bar;
    if (bar === null || bar.rows.length === 0) return;
    const { hovered, pinned } = this.#options.context.current.state;
    const at = bar.rows.indexOf(hovered ?? pinned ?? -2);
    const steps: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowLeft: at < 0 ? 0 : at - 1,
      Home: 0,
      End: bar.rows.length - 1,
    };
    const step = steps[event.key];
    if (event.key === 'Enter' || event.key === ' ') this.#click(at);
    else if (step !== undefined) this.#hover(Math.max(0, Math.min(bar.rows.length - 1, step)));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #placeOf(row: number | null): number {
    return row === null || this.#bar === null ? -1 : this.#bar.rows.indexOf(row);
  }

  #place(marker: HTMLElement, row: number | null): void {
    const at = this.#placeOf(row);
    marker.hidden = at < 0;
    if (at < 0 || this.#bar === null) return;
    const x = this.#bar.x[at]!;
    marker.style.transform = `translateX(${x}px)`;
    marker.style.width = `${Math.max(3, this.#bar.x[at + 1]! - x)}px`;
  }

  #describe(row: number | null): void {
    const { dataset } = this.#options.context;
    const at = this.#placeOf(row);
    this.box.setAttribute('aria-valuenow', String(at + 1));
    this.box.setAttribute('aria-valuemin', '0');
    this.box.setAttribute('aria-valuemax', String(this.#bar?.rows.length ?? 0));
    this.box.setAttribute(
      'aria-valuetext',
      at < 0 || row === null
        ? 'no buffer'
        : `${dataset.name(row)}, ${formatBytes(dataset.size[row]!)}, ${formatPercent(dataset.size[row]!, this.#bar!.totalBytes)}`,
    );
  }
}
