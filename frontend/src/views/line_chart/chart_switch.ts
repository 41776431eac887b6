// How the chart shows usage: as one line, or stacked by the groups that "Where it goes" shows, too.

import { groupChoices, shownGroup } from '../../model/groups/group';
import { canStack } from '../../model/stacked';
import type { State } from '../../state/state';
import { el, setAttributes } from '../shared/dom';
import type { ViewContext } from '../shared/view';

const UNKNOWN = 'Not known here: the file does not tell whose the memory of every point is.';

export interface ChartSwitch {
  readonly element: HTMLElement;
  update(state: State): void;
}

export function makeChartSwitch({ current, dataset, actions }: ViewContext): ChartSwitch {
  const line = el('button', { type: 'button', class: 'choice', 'data-chart': 'line' }, 'Line');
  const stacked = el('button', { type: 'button', class: 'choice', 'data-chart': 'stacked' }, 'Stacked');
  const options = groupChoices(dataset).map(([by, word]) => el('option', { value: by }, word));
  const by = el('select', { class: 'stacked-by', 'aria-label': 'Stacked by' }, ...options);
  const label = el('label', { class: 'stacked-by-label' }, 'by ', by);
  line.addEventListener('click', () => actions.showLine());
  stacked.addEventListener('click', () => actions.stackBy(current.state.group));
  by.addEventListener('change', () => actions.stackBy(by.value));
  if (!canStack(dataset)) setAttributes(stacked, { disabled: true, title: UNKNOWN });
  return {
    element: el(
      'div',
      { class: 'chart-switch' },
      el('div', { class: 'choices-row', role: 'group', 'aria-label': 'Chart' }, line, stacked),
      label,
    ),
    update(state) {
      const shown = isStacked(dataset, state);
      setAttributes(line, { 'aria-pressed': String(!shown) });
      setAttributes(stacked, { 'aria-pressed': String(shown) });
      label.hidden = !shown;
      by.value = shownGroup(dataset, state);
    },
  };
}

/** Whether the chart shows bands. */
export function isStacked(dataset: ViewContext['dataset'], { chart }: State): boolean {
  return chart === 'stacked' && canStack(dataset);
}
