// Addresses of a Temporary allocation against program order: one rectangle a buffer, gaps between them are fragmentation.
// What is where is computed in model/map; this file puts camera, screen, hand and controls together.

import { formatBytes, groupDigits } from '../../lib/bytes';
import { counted } from '../../lib/text';
import type { Dataset } from '../../model/dataset';
import { hasUnlisted, type MapChoice, mapChoices } from '../../model/map/dataset';
import { gapsAt, type MapSource } from '../../model/map/layout';
import { shownPoint } from '../../model/selection';
import type { State } from '../../state/state';
import { el, onResize, setAttributes } from '../shared/dom';
import { makeFilterField } from '../shared/filter_field';
import type { View, ViewContext } from '../shared/view';
import { MapCamera } from './camera';
import { followHand } from './hand';
import { MapScreen } from './screen';
import { MapTooltip } from './tooltip';

const MARGIN = { left: 72, right: 14, top: 8, bottom: 24 };
const REPAINTED_BY: readonly (keyof State)[] = [
  'filterRows',
  'folded',
  'groupPath',
  'group',
  'instructionNames',
  'theme',
];
const KEYS =
  'program order from left to right, addresses from bottom to top. Arrow keys move between buffers, Enter pins, plus and minus zoom, 0 shows everything.';

export interface AllocationMap extends View {
  /** What is shown as a file that stands by itself; "" where there is no map. */
  svg(): string;
}

export function makeAllocationMap(context: ViewContext): AllocationMap {
  const choices = mapChoices(context.dataset);
  const [largest] = choices;
  return largest === undefined ? makeEmpty() : makeMap(context, choices, largest);
}

function makeEmpty(): AllocationMap {
  const text = 'This memory space has no temporaries, so there are no shared addresses and no fragmentation.';
  const element = panel(
    el('div', { class: 'panel-head' }, el('h2', {}, 'Allocation map')),
    el('p', { class: 'empty' }, text),
  );
  return { element, svg: () => '', update() {}, destroy() {} };
}

function panel(...children: HTMLElement[]): HTMLElement {
  return el('section', { class: 'panel allocation-map', 'aria-label': 'Allocation map' }, ...children);
}

function makeMap(context: ViewContext, choices: readonly MapChoice[], largest: MapChoice): AllocationMap {
  const { current, dataset } = context;
  const camera = new MapCamera(context, largest.allocation, (gesture) => screen.later(gesture));
  const screen = new MapScreen(camera, MARGIN);
  const tooltip = new MapTooltip(camera, MARGIN);
  const live = el('div', { class: 'visually-hidden', 'aria-live': 'polite' });
  const frame = el(
    'div',
    {
      class: 'map-frame',
      tabindex: 0,
      role: 'application',
      'aria-roledescription': 'allocation map',
      'aria-label': `Allocation map: ${KEYS}`,
    },
    screen.canvas,
    screen.overlay.element,
    tooltip.element,
  );
  followHand({
    frame,
    camera,
    tooltip,
    margin: MARGIN,
    say: (text) => {
      live.textContent = text;
    },
  });
  const picker = el('select', { 'aria-label': 'Allocation', class: 'map-picker', hidden: choices.length < 2 });
  picker.append(...choices.map((choice) => el('option', { value: choice.allocation }, choiceText(dataset, choice))));
  const search = makeFilterField(context, {
    placeholder: 'Search: text or /expression/',
    'aria-label': 'Search the map by text or /regular expression/',
  });
  const hint = el('span', { class: 'hint map-hint' });
  const head = el('div', { class: 'panel-head' }, el('h2', {}, 'Allocation map'), picker, search.element, hint);
  const element = panel(head, frame, makeLegend(hasUnlisted(dataset)), live);
  const whole = button('Full screen', 'Full screen', () => void toggleFullScreen(element).then(nameWhole));
  function nameWhole(): void {
    const label = isFullScreen(element) ? 'Exit full screen' : 'Full screen';
    whole.textContent = label;
    setAttributes(whole, { title: label, 'aria-label': label });
  }
  element.addEventListener('fullscreenchange', nameWhole);
  head.append(
    el(
      'div',
      { class: 'buttons' },
      button('−', 'Zoom out of the map', () => camera.zoomAtFocus(2)),
      button('+', 'Zoom into the map', () => camera.zoomAtFocus(0.5)),
      button('Reset', 'Show the whole allocation (double-click)', () => camera.reset()),
      whole,
    ),
  );

  function describe(): void {
    const point = current.state.hoveredPoint ?? shownPoint(dataset, current.state);
    hint.textContent = `at ${groupDigits(point)}: ${freeText(camera.source, point)}`;
    hint.title = hint.textContent;
  }

  picker.addEventListener('change', () => {
    camera.choose(Number(picker.value));
    describe();
  });
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !element.classList.contains('filling')) return;
    element.classList.remove('filling');
    nameWhole();
    event.stopPropagation();
  });
  const stop = onResize(frame, (width, height) => {
    camera.width = Math.max(50, width - MARGIN.left - MARGIN.right);
    camera.height = Math.max(120, height - MARGIN.top - MARGIN.bottom);
    screen.draw();
  });
  describe();

  return {
    element,
    svg: () => screen.svg(),
    update(state, previous) {
      search.update(state);
      if (REPAINTED_BY.some((key) => state[key] !== previous[key])) screen.later(false);
      else if (state.zoom !== previous.zoom) screen.later(true);
      else screen.drawOverlay();
      if (state.hoveredPoint !== previous.hoveredPoint || state.point !== previous.point) describe();
    },
    destroy() {
      search.destroy();
      screen.destroy();
      stop();
    },
  };
}

function choiceText(dataset: Dataset, { allocation, size, buffers }: MapChoice): string {
  return `allocation ${dataset.allocationIndex[allocation]}: ${formatBytes(size)}, ${counted(buffers, 'buffer')}`;
}

/** How much of the allocation is free at a point, and in how many pieces. */
function freeText(source: MapSource, point: number): string {
  const gaps = gapsAt(source, point).map((gap) => gap.high - gap.low);
  const free = gaps.reduce((sum, bytes) => sum + bytes, 0);
  if (free === 0) return `every byte of ${formatBytes(source.allocationSize)} is in use`;
  const most = gaps.reduce((most, bytes) => Math.max(most, bytes), 0);
  return `${formatBytes(free)} free in ${counted(gaps.length, 'gap')}, largest ${formatBytes(most)}`;
}

function button(label: string, title: string, act: () => void): HTMLElement {
  const made = el('button', { type: 'button', class: 'quiet', title, 'aria-label': title }, label);
  made.addEventListener('click', act);
  return made;
}

function isFullScreen(element: HTMLElement): boolean {
  return document.fullscreenElement === element || element.classList.contains('filling');
}

async function toggleFullScreen(element: HTMLElement): Promise<void> {
  if (document.fullscreenElement === element) return document.exitFullscreen();
  if (element.classList.contains('filling')) {
    element.classList.remove('filling');
    return;
  }
  try {
    await element.requestFullscreen();
  } catch {
    // A frame that may not go full screen fills itself instead.
    element.classList.add('filling');
  }
}

function makeLegend(withUnlisted: boolean): HTMLElement {
  const entry = (kind: string, text: string, title = ''): HTMLElement =>
    el('span', { class: 'legend-entry', title }, el('span', { class: `map-key ${kind}` }), text);
  return el(
    'div',
    { class: 'legend map-legend' },
    entry('used', 'buffer'),
    entry('shared', 'shares addresses with another live buffer'),
    withUnlisted
      ? entry('unlisted', 'not in the compiler’s trace', 'Its lifetime is inferred from the schedule, or unknown.')
      : null,
    entry('free', 'free: a gap'),
    el('span', { class: 'hint' }, 'drag to pan, wheel to zoom (Shift: addresses only, Alt: points only)'),
  );
}
