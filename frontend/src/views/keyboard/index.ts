// Keyboard shortcuts of the whole page, and the sheet that lists them. Keys typed into a field are text.

import type { Store } from '../../lib/store';
import { foldHere, selectPoint, stepBy, zoomBy } from '../../model/axis/moves';
import type { Dataset } from '../../model/dataset';
import { neighborPeak } from '../../model/selection';
import type { State } from '../../state/state';
import { el } from '../shared/dom';

const KEYS: readonly (readonly [string, string])[] = [
  ['← →', 'one program point back, forward; ten with Shift'],
  ['Home End', 'first, last program point'],
  ['P', 'back to the peak'],
  ['[ ]', 'previous, next local peak'],
  ['+ −', 'zoom in, out around the point'],
  ['0', 'the whole program'],
  ['L', 'fold or unfold the loop body around the point'],
  ['1 … 9', 'memory space'],
  ['M', 'choose a module'],
  ['/', 'filter the buffers'],
  ['Esc', 'unpin the buffer, then leave the group, then the window'],
  ['?', 'this list'],
];

const POINTER: readonly (readonly [string, string])[] = [
  ['Click', 'on the chart: select a point; on a buffer: pin it'],
  ['Drag', 'on the chart: zoom in; with Shift: select a window of points; below the chart: pan'],
  ['Bracket', 'below the chart, a loop body: click to fold it, double-click to zoom to it'],
  ['Wheel', 'zoom about the pointer; sideways or with Shift: pan'],
  ['Double-click', 'the whole program'],
];

export interface KeyboardContext {
  readonly store: Store<State>;
  /** null while nothing is shown. */
  dataset(): Dataset | null;
  /** Memory spaces in the order of their tabs. */
  spaces(): readonly string[];
  chooseSpace(space: string): void;
}

export function followKeyboard(context: KeyboardContext): HTMLDialogElement {
  const sheet = makeSheet();
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
    if (sheet.open && event.key !== '?') return;
    if (act(context, event, sheet)) event.preventDefault();
  });
  return sheet;
}

function act(context: KeyboardContext, event: KeyboardEvent, sheet: HTMLDialogElement): boolean {
  if (event.key === '?') {
    if (sheet.open) sheet.close();
    else sheet.showModal();
    return true;
  }
  if (event.key === 'm' || event.key === 'M') return focus('#module');
  if (event.key === '/') return focus('#filter');
  if (event.key === 'Escape') return letGo(context.store);
  if (/^[1-9]$/.test(event.key)) {
    const space = context.spaces()[Number(event.key) - 1];
    if (space !== undefined) context.chooseSpace(space);
    return space !== undefined;
  }
  const dataset = context.dataset();
  return dataset !== null && move(context.store, dataset, event);
}

function move(store: Store<State>, dataset: Dataset, event: KeyboardEvent): boolean {
  const step = event.shiftKey ? 10 : 1;
  const targets: Record<string, () => number | null> = {
    Home: () => 0,
    End: () => dataset.points - 1,
    p: () => dataset.headline.peak_point,
    P: () => dataset.headline.peak_point,
    '[': () => neighborPeak(dataset, store.state, -1),
    ']': () => neighborPeak(dataset, store.state, 1),
  };
  const target = targets[event.key];
  if (target !== undefined) {
    const to = target();
    if (to !== null) selectPoint(store, dataset, to);
    return true;
  }
  if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
    stepBy(store, dataset, event.key === 'ArrowLeft' ? -step : step);
    return true;
  }
  if (event.key === 'l' || event.key === 'L') {
    foldHere(store, dataset);
    return true;
  }
  const factors: Record<string, number> = { '+': 0.5, '=': 0.5, '-': 2, '−': 2 };
  const factor = factors[event.key];
  if (factor !== undefined) zoomBy(store, dataset, factor);
  else if (event.key === '0') store.set({ zoom: null });
  else return false;
  return true;
}

function letGo(store: Store<State>): boolean {
  const { pinned, groupPath, window } = store.state;
  if (pinned !== null) store.set({ pinned: null, hovered: null });
  else if (groupPath.length > 0) store.set({ groupPath: [] });
  else if (window !== null) store.set({ window: null });
  else return false;
  return true;
}

function focus(selector: string): boolean {
  const target = document.querySelector<HTMLElement>(selector);
  target?.focus();
  target?.scrollIntoView({ block: 'nearest' });
  return target !== null;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
    !(target instanceof HTMLInputElement && target.type === 'checkbox')
  );
}

function makeSheet(): HTMLDialogElement {
  const close = el('button', { type: 'button', class: 'quiet', autofocus: true }, 'Close');
  const rows = [...KEYS.flatMap(([keys, meaning]) => [keyNames(keys), el('dd', {}, meaning)])];
  const hands = POINTER.flatMap(([name, meaning]) => [el('dt', {}, name), el('dd', {}, meaning)]);
  const sheet = el(
    'dialog',
    { class: 'sheet', 'aria-label': 'Keys' },
    el('div', { class: 'panel-head' }, el('h2', {}, 'Keys'), el('div', { class: 'buttons' }, close)),
    el('dl', {}, ...rows),
    el('h3', {}, 'Pointer'),
    el('dl', {}, ...hands),
  );
  close.addEventListener('click', () => sheet.close());
  sheet.addEventListener('click', (event) => {
    if (event.target === sheet) sheet.close();
  });
  return sheet;
}

function keyNames(keys: string): HTMLElement {
  return el('dt', {}, ...keys.split(' ').map((key) => (key === '…' ? key : el('kbd', {}, key))));
}
