// The bands of the stacked chart in order, each with its bytes at the point that is shown. A band that is a group is a button that leads into it.

import { exactBytes, formatBytes, groupDigits } from '../../lib/bytes';
import { counted, shortenMiddle } from '../../lib/text';
import type { Dataset } from '../../model/dataset';
import { shownPoint } from '../../model/selection';
import { type Band, type Stack, stackOf } from '../../model/stacked';
import type { State } from '../../state/state';
import { el } from '../shared/dom';
import { bandColor } from './bands';

const MOST_LETTERS = 32;

export interface LegendOptions {
  readonly dataset: Dataset;
  /** A band that is pointed at, or that has the focus; null leaves it. */
  light(band: number | null): void;
  drill(path: readonly string[]): void;
}

export class StackLegend {
  readonly element = el('div', { class: 'stack-legend', role: 'group', 'aria-label': 'Bands from the ground up' });
  readonly #options: LegendOptions;
  #stack: Stack | null = null;
  readonly #total = el('span', { class: 'stack-total' });
  #amounts: HTMLElement[] = [];

  constructor(options: LegendOptions) {
    this.#options = options;
  }

  draw(state: State): void {
    const stack = stackOf(this.#options.dataset, state);
    if (stack !== this.#stack) {
      this.#stack = stack;
      this.#amounts = stack.bands.map(() => el('span', { class: 'stack-bytes' }));
      const entries = stack.bands.map((band, at) => this.#entry(band, at, state));
      const focused = this.element.contains(document.activeElement);
      this.element.replaceChildren(this.#total, ...entries);
      if (focused) this.element.querySelector('button')?.focus();
    }
    this.drawBytes(state);
  }

  /** Bytes at the point under the pointer, else at the selected one. */
  drawBytes(state: State): void {
    const { dataset } = this.#options;
    const point = state.hoveredPoint ?? shownPoint(dataset, state);
    const usage = dataset.usage[point]!;
    this.#total.replaceChildren(
      `point ${groupDigits(point)}`,
      el('span', { class: 'stack-bytes', title: exactBytes(usage), 'data-bytes': usage }, formatBytes(usage)),
    );
    this.#stack?.bands.forEach(({ bytes }, at) => {
      const amount = this.#amounts[at]!;
      amount.textContent = formatBytes(bytes[point]!);
      amount.dataset.bytes = String(bytes[point]!);
      amount.title = exactBytes(bytes[point]!);
    });
  }

  light(band: number | null): void {
    this.element.querySelectorAll('.stack-entry').forEach((entry, at) => {
      entry.classList.toggle('lit', at === band);
    });
  }

  #entry(band: Band, at: number, { groupPath }: State): HTMLElement {
    const { light, drill } = this.#options;
    const path = leadsTo(band, groupPath);
    const name = bandName(band);
    const content = [
      el('span', { class: 'swatch', style: `background:${bandColor(band)}` }),
      el('span', {}, shortenMiddle(name, MOST_LETTERS)),
      this.#amounts[at]!,
    ];
    const entry =
      path !== null
        ? el(
            'button',
            {
              type: 'button',
              class: 'stack-entry',
              title: band.kind === 'outside' ? 'Back to them' : `${path.join(' / ')}\nShow what is in it`,
            },
            ...content,
          )
        : el('span', { class: 'stack-entry', title: name }, ...content);
    if (path !== null) entry.addEventListener('click', () => drill(path));
    entry.addEventListener('pointerenter', () => light(at));
    entry.addEventListener('pointerleave', () => light(null));
    return entry;
  }
}

/** The group that a click on a band leads into: its own, out of the chosen one, or null where there is no other. */
export function leadsTo(band: Band, groupPath: readonly string[]): readonly string[] | null {
  if (band.kind === 'outside') return groupPath.slice(0, -1);
  return band.kind === 'group' && band.path.length > groupPath.length ? band.path : null;
}

export function bandName(band: Band): string {
  if (band.kind === 'group') return band.name;
  if (band.kind === 'rest') return counted(band.groups, 'smaller group');
  return band.kind === 'scoped' ? 'Scoped memory' : 'Other groups';
}
