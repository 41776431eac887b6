// The page of one memory space of one module: every view of its dataset, top to bottom, the card beside them.

import type { FindingsAnswer } from '../../generated/contract';
import type { Loaded } from '../../model/loaded';
import { answerOf } from '../../model/stage';
import type { State } from '../../state/state';
import { type AllocationMap, makeAllocationMap } from '../allocation_map';
import { makeBars } from '../bars';
import { type BufferTable, makeBufferTable } from '../buffer_table';
import { type CardLinks, makeCard } from '../card';
import { makeCompare } from '../compare';
import { makeDownloads, type Report } from '../downloads';
import { makeFindings } from '../findings';
import { makeIcicle } from '../icicle';
import { makeLineChart } from '../line_chart';
import { makeOverview, type Overview } from '../overview';
import { el } from '../shared/dom';
import type { View, ViewContext } from '../shared/view';
import { makeSpacesStrip } from '../spaces_strip';
import { trouble } from '../states';
import { Pace } from './pace';

export interface ModulePageOptions extends ViewContext {
  readonly links: CardLinks;
  readonly report: Report | null;
  /** Ends what watches the dataset beside the views. */
  stop(): void;
  /** Called when every view is there. */
  mounted(): void;
}

export class ModulePage {
  readonly element: HTMLElement;
  readonly #options: ModulePageOptions;
  /** Buttons for the head of the page. */
  readonly tools: readonly HTMLElement[];
  readonly #pace: Pace;
  readonly #overview: Overview;
  readonly #comparison = el('div', { class: 'spot' });
  #found: FindingsAnswer | null = null;
  #compared: Loaded['comparison'] = null;
  /** Where the views go whose answers come after the dataset. */
  readonly #findings = el('div', { class: 'spot' });
  readonly #spaces = el('div', { class: 'spot' });
  /** Below the first screen, there a moment later. */
  #map: AllocationMap | null = null;
  #table: BufferTable | null = null;
  #later: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ModulePageOptions) {
    this.#options = options;
    this.#pace = new Pace(options.current.state);
    this.#overview = makeOverview(options);
    const chart = makeLineChart(options);
    const { report } = options;
    const saved = { report, chart: () => chart.picture, map: () => this.#map?.svg() ?? '' };
    this.tools = [this.#add(makeDownloads(options, saved))];
    const column = el('div', { class: 'column' }, this.#add(chart), this.#add(makeBars(options)), this.#spaces);
    this.#mountLater(column, [
      () => makeIcicle(options),
      () => (this.#map = makeAllocationMap(options)),
      () => (this.#table = makeBufferTable(options)),
    ]);
    const card = this.#add(makeCard(options, options.links));
    this.element = el(
      'div',
      { class: 'module' },
      this.#comparison,
      this.#add(this.#overview),
      this.#findings,
      el('div', { class: 'columns' }, column, el('div', { class: 'side' }, card)),
    );
  }

  /** What is below the first screen, a view a task, so that the first screen is there at once. */
  #mountLater(column: HTMLElement, views: readonly (() => View)[]): void {
    const [make, ...rest] = views;
    if (make === undefined) {
      this.#options.mounted();
      this.#later = setTimeout(() => this.#options.dataset.indexIds());
    } else {
      this.#later = setTimeout(() => {
        column.append(this.#add(make()));
        this.#mountLater(column, rest);
      });
    }
  }

  /** Takes in what comes after the dataset. */
  beside(loaded: Loaded): void {
    const findings = answerOf(loaded.findings);
    if (findings !== null && findings !== this.#found) {
      this.#found = findings;
      this.#overview.mark(findings);
      this.#pace.removeWithin(this.#findings);
      this.#findings.replaceChildren(this.#add(makeFindings(this.#options, findings)));
    }
    this.#compare(loaded.comparison);
    const spaces = answerOf(loaded.spaces);
    if (spaces !== null) this.#fill(this.#spaces, () => makeSpacesStrip(this.#options, spaces));
  }

  #compare(comparison: Loaded['comparison']): void {
    if (comparison === this.#compared) return;
    this.#compared = comparison;
    this.#pace.removeWithin(this.#comparison);
    const answer = comparison === null ? null : answerOf(comparison);
    if (answer !== null) this.#comparison.replaceChildren(this.#add(makeCompare(this.#options, answer)));
    else if (comparison?.kind === 'failed') {
      this.#comparison.replaceChildren(trouble('The comparison cannot be shown', comparison.error));
    } else this.#comparison.replaceChildren(...(comparison === null ? [] : [el('div', { class: 'bone' })]));
  }

  /** Gives the keyboard to the filter of buffers; false where it is not there yet. */
  focusFilter(): boolean {
    this.#table?.focusFilter();
    return this.#table !== null;
  }

  update(state: State): void {
    this.#pace.changed(state);
  }

  destroy(): void {
    clearTimeout(this.#later);
    this.#options.stop();
    this.#pace.destroy();
  }

  #fill(spot: HTMLElement, make: () => View): void {
    if (spot.childElementCount === 0) spot.append(this.#add(make()));
  }

  #add(view: View): HTMLElement {
    this.#pace.add(view);
    return view.element;
  }
}
