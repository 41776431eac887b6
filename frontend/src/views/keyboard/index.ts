// Keyboard shortcuts of the whole page, and the sheet that lists them. Keys typed into a field are text.

import type { Current } from '../../lib/store';
import type { Dataset } from '../../model/dataset';
import type { Actions, ViewActions } from '../../state/actions';
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
  readonly current: Current<State>;
  readonly actions: Actions;
  /** null while nothing is shown. */
  shown(): { readonly dataset: Dataset; readonly actions: ViewActions } | null;
  /** Memory spaces in the order of their tabs. */
  spaces(): readonly string[];
  /** Whether there is a list of modules to give the focus to. */
  focusModules(): boolean;
  /** Whether there is a filter to give the focus to. */
  focusFilter(): boolean;
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
  if (event.key === 'm' || event.key === 'M') return context.focusModules();
  if (event.key === '/') return context.focusFilter();
  if (event.key === 'Escape') return letGo(context);
  if (/^[1-9]$/.test(event.key)) {
    const space = context.spaces()[Number(event.key) - 1];
    if (space !== undefined) context.actions.chooseSpace(space);
    return space !== undefined;
  }
  const shown = context.shown();
  const move = shown === null ? undefined : movesOf(shown.dataset, shown.actions, event.shiftKey ? 10 : 1)[event.key];
  move?.();
  return move !== undefined;
}

function movesOf({ points }: Dataset, actions: ViewActions, step: number): Record<string, () => void> {
  const zoomIn = (): void => actions.zoomBy(0.5);
  const zoomOut = (): void => actions.zoomBy(2);
  return {
    ArrowLeft: () => actions.stepBy(-step),
    ArrowRight: () => actions.stepBy(step),
    Home: () => actions.selectPoint(0),
    End: () => actions.selectPoint(points - 1),
    p: actions.selectPeak,
    P: actions.selectPeak,
    '[': () => actions.selectNeighborPeak(-1),
    ']': () => actions.selectNeighborPeak(1),
    l: actions.foldHere,
    L: actions.foldHere,
    '+': zoomIn,
    '=': zoomIn,
    '-': zoomOut,
    '−': zoomOut,
    '0': () => actions.zoomTo(null),
  };
}

function letGo({ current, actions }: KeyboardContext): boolean {
  const before = current.state;
  actions.letGo();
  return current.state !== before;
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
