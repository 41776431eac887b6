// A table of any length: only the rows in view are elements. Its owner handles sorting, filtering and the meaning of rows.

import { type Cut, fitted, shortenMiddle, shortenStart } from '../../lib/text';
import {
  columnWidths,
  nextOrder,
  rowsInView,
  type SortOrder,
  scrollTo,
  type TableColumn,
} from '../../model/table/table';
import { el, onResize, setAttributes } from './dom';

/** A text as `cut` makes it fit, beside `taken` pixels of other things. */
export type Trim = (text: string, cut: Cut, taken?: number) => string;

export interface GridOptions {
  readonly id: string;
  readonly label: string;
  /** Content of a cell where its text is not enough; null for the text. `trim` makes a text fit the cell. */
  content?(row: number, column: TableColumn, trim: Trim): Node | null;
  hover(row: number | null): void;
  open(row: number): void;
  reorder(order: SortOrder): void;
}

export const ROW_HEIGHT = 28;
const HEAD_HEIGHT = 32;
const CELL_PADDING = 16;

export class VirtualGrid {
  readonly element: HTMLElement;
  readonly #options: GridOptions;
  readonly #head = el('div', { role: 'row', class: 'grid-row grid-head', 'aria-rowindex': 1 });
  readonly #body = el('div', { role: 'rowgroup', class: 'grid-body' });
  readonly #drawn = new Map<number, HTMLElement>();
  readonly #stop: () => void;
  #columns: readonly TableColumn[] = [];
  #widths: readonly number[] = [];
  /** Measure texts in the types of cells. */
  #rulers = { plain: (_: string) => 0, mono: (_: string) => 0 };
  #rows: Uint32Array = new Uint32Array();
  #order: SortOrder = { key: '', descending: false };
  /** Place in #rows that the keyboard is at. */
  #active = -1;
  #marked: { readonly pinned: number | null; readonly hovered: number | null } = { pinned: null, hovered: null };
  #frame = 0;

  constructor(options: GridOptions) {
    this.#options = options;
    this.element = el(
      'div',
      { role: 'grid', class: 'grid', id: options.id, tabindex: 0, 'aria-label': options.label },
      el('div', { role: 'rowgroup', class: 'grid-head-group' }, this.#head),
      this.#body,
    );
    this.element.addEventListener('scroll', () => this.#later(), { passive: true });
    this.element.addEventListener('keydown', (event) => this.#key(event));
    this.element.addEventListener('blur', () => this.#activate(-1));
    this.#body.addEventListener('pointerover', (event) => options.hover(this.#rowOf(event.target)));
    this.#body.addEventListener('pointerleave', () => options.hover(null));
    this.#body.addEventListener('click', (event) => {
      const row = this.#rowOf(event.target);
      if (row !== null) options.open(row);
    });
    this.#stop = onResize(this.element, () => this.#layout());
  }

  /** Shows these rows in this order. */
  show(columns: readonly TableColumn[], rows: Uint32Array, order: SortOrder): void {
    this.#columns = columns;
    this.#rows = rows;
    this.#order = order;
    this.#active = -1;
    setAttributes(this.element, {
      'aria-rowcount': rows.length + 1,
      'aria-colcount': columns.length,
      'aria-activedescendant': null,
    });
    this.#body.style.height = `${rows.length * ROW_HEIGHT}px`;
    this.#drawHead();
    this.#layout();
  }

  mark(pinned: number | null, hovered: number | null): void {
    this.#marked = { pinned, hovered };
    for (const [place, element] of this.#drawn) this.#markRow(element, this.#rows[place]!);
  }

  /** Scrolls a row into view, where it is in the table. */
  reveal(row: number): void {
    const place = this.#rows.indexOf(row);
    if (place === -1) return;
    this.element.scrollTop = scrollTo(place, this.element.scrollTop, this.#viewHeight(), ROW_HEIGHT);
  }

  destroy(): void {
    cancelAnimationFrame(this.#frame);
    this.#stop();
  }

  #viewHeight(): number {
    return Math.max(0, this.element.clientHeight - HEAD_HEIGHT);
  }

  #drawHead(): void {
    this.#head.replaceChildren(
      ...this.#columns.map((column, at) => {
        const sorted = column.key === this.#order.key;
        const arrow = sorted ? (this.#order.descending ? '↓' : '↑') : '';
        const button = el(
          'button',
          { type: 'button', class: 'grid-sort', title: column.help, tabindex: -1 },
          // Labels of numbers end where the numbers end: their arrow stands before them.
          ...(column.align === 'end' ? [arrowMark(arrow), column.label] : [column.label, arrowMark(arrow)]),
        );
        button.addEventListener('click', () => this.#options.reorder(nextOrder(this.#order, column)));
        return el(
          'div',
          {
            role: 'columnheader',
            class: `grid-cell ${column.align}`,
            'aria-colindex': at + 1,
            'aria-sort': sorted ? (this.#order.descending ? 'descending' : 'ascending') : 'none',
          },
          button,
        );
      }),
    );
  }

  #layout(): void {
    this.#rulers = { plain: this.#ruler('plain'), mono: this.#ruler('mono') };
    this.#widths = columnWidths(this.#columns, this.element.clientWidth);
    this.element.style.setProperty('--grid-columns', this.#widths.map((width) => `${width}px`).join(' '));
    this.element.style.setProperty('--grid-width', `${this.#widths.reduce((sum, width) => sum + width, 0)}px`);
    this.#drawn.clear();
    this.#body.replaceChildren();
    this.#draw();
  }

  #ruler(kind: string): (text: string) => number {
    const probe = el('span', { class: `grid-cell ${kind}`, hidden: true });
    this.element.append(probe);
    const { fontWeight, fontSize, fontFamily } = getComputedStyle(probe);
    probe.remove();
    const pen = document.createElement('canvas').getContext('2d')!;
    pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
    return (text) => pen.measureText(text).width;
  }

  #later(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    const { first, last } = rowsInView(this.element.scrollTop, this.#viewHeight(), ROW_HEIGHT, this.#rows.length);
    for (const [place, element] of this.#drawn)
      if (place < first || place >= last) {
        element.remove();
        this.#drawn.delete(place);
      }
    for (let place = first; place < last; place++) if (!this.#drawn.has(place)) this.#drawRow(place);
  }

  #drawRow(place: number): void {
    const row = this.#rows[place]!;
    const element = el(
      'div',
      {
        role: 'row',
        class: 'grid-row',
        id: `${this.#options.id}-${place}`,
        'aria-rowindex': place + 2,
        style: `transform:translateY(${place * ROW_HEIGHT}px)`,
      },
      ...this.#columns.map((column, at) => this.#cell(row, column, at)),
    );
    element.dataset.row = String(row);
    element.classList.toggle('active', place === this.#active);
    this.#markRow(element, row);
    this.#drawn.set(place, element);
    this.#body.append(element);
  }

  #cell(row: number, column: TableColumn, at: number): HTMLElement {
    const text = column.text(row);
    const ruler = column.mono ? this.#rulers.mono : this.#rulers.plain;
    const trim: Trim = (whole, cut, taken = 0) => fitted(whole, cut, this.#widths[at]! - CELL_PADDING - taken, ruler);
    const content = this.#options.content?.(row, column, trim) ?? cellText(column, text, trim);
    const title = column.csv(row);
    return el(
      'div',
      {
        role: 'gridcell',
        class: `grid-cell ${column.align}${column.mono ? ' mono' : ''}`,
        'aria-colindex': at + 1,
        title: title === null ? null : String(title),
      },
      content,
    );
  }

  #markRow(element: HTMLElement, row: number): void {
    element.classList.toggle('hovered', row === this.#marked.hovered);
    element.classList.toggle('pinned', row === this.#marked.pinned);
    setAttributes(element, { 'aria-selected': String(row === this.#marked.pinned) });
  }

  #rowOf(target: EventTarget | null): number | null {
    const element = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null;
    return element === null ? null : Number(element.dataset.row);
  }

  #key(event: KeyboardEvent): void {
    if (event.target !== this.element || this.#rows.length === 0) return;
    const page = Math.max(1, Math.floor(this.#viewHeight() / ROW_HEIGHT) - 1);
    const at = Math.max(0, this.#active);
    const places: Record<string, number> = {
      ArrowDown: this.#active + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: this.#rows.length - 1,
    };
    const place = places[event.key];
    if (place !== undefined) this.#activate(Math.max(0, Math.min(this.#rows.length - 1, place)));
    else if ((event.key === 'Enter' || event.key === ' ') && this.#active >= 0)
      this.#options.open(this.#rows[this.#active]!);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #activate(place: number): void {
    this.#drawn.get(this.#active)?.classList.remove('active');
    this.#active = place;
    if (place === -1) {
      setAttributes(this.element, { 'aria-activedescendant': null });
      return;
    }
    this.element.scrollTop = scrollTo(place, this.element.scrollTop, this.#viewHeight(), ROW_HEIGHT);
    this.#draw();
    this.#drawn.get(place)?.classList.add('active');
    setAttributes(this.element, { 'aria-activedescendant': `${this.#options.id}-${place}` });
    this.#options.hover(this.#rows[place]!);
  }
}

/** A number that is cut would be another number: it stays whole. */
function cellText({ align, cut }: TableColumn, text: string, trim: Trim): string {
  return align === 'end' ? text : trim(text, cut === 'start' ? shortenStart : shortenMiddle);
}

function arrowMark(arrow: string): HTMLElement {
  return el('span', { class: 'grid-arrow', 'aria-hidden': 'true' }, arrow);
}
