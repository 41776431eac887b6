// The head of the table of buffers: which buffers, the filter, the chosen group, how many there are.

import { formatBytes } from '../../lib/bytes';
import { counted } from '../../lib/text';
import type { State } from '../../state/state';
import { el, setAttributes } from '../shared/dom';
import { type FilterField, makeFilterField } from '../shared/filter_field';
import type { ViewContext } from '../shared/view';
import { hereText } from './parts';

export interface TableHead {
  readonly element: HTMLElement;
  readonly filter: FilterField;
  show(state: State, rows: Uint32Array, everything: boolean): void;
}

/** `choose` is called with whether all buffers are meant; buttons stand at the end. */
export function makeTableHead(
  context: ViewContext,
  choose: (everything: boolean) => void,
  buttons: readonly HTMLElement[],
): TableHead {
  const { dataset, actions } = context;
  const here = el('button', { type: 'button', class: 'choice' }, 'Alive here');
  const all = el('button', { type: 'button', class: 'choice' }, 'All buffers');
  const filter = makeFilterField(context, {
    id: 'filter',
    placeholder: 'Filter: text or /expression/',
    'aria-label': 'Filter buffers by text or /regular expression/',
    'aria-describedby': 'filter-problem',
  });
  const chip = el('button', { type: 'button', class: 'chip', title: 'Show every group again' });
  const count = el('span', { class: 'table-count', 'aria-live': 'polite' });
  here.addEventListener('click', () => choose(false));
  all.addEventListener('click', () => choose(true));
  chip.addEventListener('click', () => actions.drill([]));
  const element = el(
    'div',
    { class: 'panel-head' },
    el('h2', {}, 'Buffers'),
    el('div', { class: 'choices-row', role: 'group', 'aria-label': 'Buffers to show' }, here, all),
    filter.element,
    chip,
    count,
    el('div', { class: 'buttons' }, ...buttons),
  );
  return {
    element,
    filter,
    show(state, rows, everything) {
      const bytes = rows.reduce((sum, row) => sum + dataset.size[row]!, 0);
      // Over the whole program buffers take each other's place: no one shall take their sum for what is in use.
      count.textContent = `${counted(rows.length, 'buffer')}, ${formatBytes(bytes)}${everything ? ' in total' : ''}`;
      count.title = everything
        ? 'Total size over the whole program; these buffers may not be alive at the same time.'
        : '';
      setAttributes(here, { 'aria-pressed': String(!everything) });
      setAttributes(all, { 'aria-pressed': String(everything) });
      here.textContent = hereText(dataset, state);
      chip.hidden = state.groupPath.length === 0;
      chip.textContent = `${state.groupPath.join(' / ')} ✕`;
    },
  };
}
