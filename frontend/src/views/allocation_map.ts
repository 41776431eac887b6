// Addresses of a Temporary allocation against program order: one rectangle a buffer, gaps between them are fragmentation.
// What is where is computed in model/map_layout; what is drawn is drawn by the painter; this file is pointer, keys and axes.

import { formatBytes, groupDigits } from '../lib/bytes';
import { counted, shortenMiddle } from '../lib/text';
import { rowsInGroup } from '../model/group';
import { gapsAt, layoutMap, type MapSource, type MapWindow, placeLabels, rowAt } from '../model/map_layout';
import { type AddressRange, addressTicks, moveAddresses, zoomAddresses } from '../model/map_layout_axis';
import { type MapChoice, mapChoices, mapSourceOf } from '../model/map_layout_dataset';
import { firstOf, type MapDirection, neighborOf } from '../model/map_layout_neighbor';
import { mapSvg } from '../model/map_layout_svg';
import { shownPoint, shownStretch } from '../model/selection';
import type { State } from '../model/state';
import { moved, PointScale, zoomed } from '../model/time_axis';
import { MapOverlay } from './allocation_map_overlay';
import { paintMap } from './allocation_map_painter';
import { bufferColor } from './buffer_color';
import { el, onResize, setAttributes } from './dom';
import type { MakeView } from './view';

const MARGIN = { left: 72, right: 14, top: 8, bottom: 24 };
const HEIGHT = 380;
const LETTER = 6.3;
const MOST_LABELS = 400;
/** A picture that takes longer than this is moved about as a picture until the hand rests. */
const SLOW_MS = 20;
const REST_MS = 90;

export const makeAllocationMap: MakeView = ({ store, dataset }) => {
  const choices = mapChoices(dataset);
  const canvas = el('canvas', { class: 'map-canvas' });
  const tooltip = el('div', { class: 'tooltip', hidden: true });
  const overlay = new MapOverlay(MARGIN);
  const live = el('div', { class: 'visually-hidden', 'aria-live': 'polite' });
  const frame = el(
    'div',
    {
      class: 'map-frame',
      tabindex: 0,
      role: 'application',
      'aria-roledescription': 'allocation map',
      'aria-label':
        'Allocation map: program order from left to right, addresses from bottom to top. Arrow keys move over buffers, Enter pins, plus and minus zoom, 0 shows all.',
    },
    canvas,
    overlay.element,
    tooltip,
  );
  const picker = el(
    'select',
    { 'aria-label': 'Allocation', class: 'map-picker' },
    ...choices.map((choice) => option(choice)),
  );
  const hint = el('span', { class: 'hint map-hint' });
  const buttons = el('div', { class: 'buttons' });
  const legend = makeLegend();
  const empty = el(
    'p',
    { class: 'empty' },
    'This memory space has no temporaries: nothing shares addresses, nothing can be fragmented.',
  );
  const element = el(
    'section',
    { class: 'panel allocation-map', 'aria-label': 'Allocation map' },
    el('div', { class: 'panel-head' }, el('h2', {}, 'Allocation map'), picker, hint, buttons),
    ...(choices.length === 0 ? [empty] : [frame, legend]),
    live,
  );
  picker.hidden = choices.length < 2;

  let source: MapSource | null = choices.length === 0 ? null : mapSourceOf(dataset, choices[0]!.allocation);
  let range: AddressRange = { low: 0, high: source?.allocationSize ?? 1 };
  let width = 0;
  let height = HEIGHT;
  const surface = document.createElement('canvas');
  let surfaceWindow: MapWindow | null = null;
  let lastCost = 0;
  let frameRequest = 0;
  let resting: ReturnType<typeof setTimeout> | undefined;
  const colors: string[] = [];

  function option(choice: MapChoice): HTMLElement {
    const index = dataset.allocationIndex[choice.allocation]!;
    return el(
      'option',
      { value: choice.allocation },
      `allocation ${index}: ${formatBytes(choice.size)}, ${counted(choice.buffers, 'buffer')}`,
    );
  }

  const colorOf = (row: number): string => {
    colors[row] ??= bufferColor(dataset, row);
    return colors[row];
  };

  function shownWindow(): MapWindow {
    const [start, end] = shownStretch(dataset, store.state);
    return { start, end, low: range.low, high: range.high };
  }

  // --- drawing ----------------------------------------------------------------------------------------------------------

  function draw(): void {
    if (source === null || width <= 0) return;
    const began = performance.now();
    const view = shownWindow();
    const picture = layoutMap(source, view, width, height);
    const labels = placeLabels(picture.rects, width, height)
      .slice(0, MOST_LABELS)
      .map((label) => ({
        ...label,
        text: shortenMiddle(dataset.name(label.row), Math.floor((label.width - 8) / LETTER)),
      }));
    const ratio = window.devicePixelRatio || 1;
    size(surface, ratio);
    const context = surface.getContext('2d')!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    paintMap(context, { picture, labels, width, height, colorOf, isDim: dimmer(), theme: theme() });
    surfaceWindow = view;
    show(view);
    lastCost = performance.now() - began;
  }

  function size(target: HTMLCanvasElement, ratio: number): void {
    const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
    // Setting a canvas's size empties it and costs even when nothing changes.
    if (target.width !== across) target.width = across;
    if (target.height !== down) target.height = down;
  }

  /** Copies the last picture to the screen, stretched to where the view is now. */
  function show(view: MapWindow): void {
    if (surfaceWindow === null) return;
    const ratio = window.devicePixelRatio || 1;
    size(canvas, ratio);
    setAttributes(canvas, { style: `left:${MARGIN.left}px;top:${MARGIN.top}px;width:${width}px;height:${height}px` });
    const context = canvas.getContext('2d')!;
    context.clearRect(0, 0, canvas.width, canvas.height);
    const toX = canvas.width / (view.end - view.start);
    const toY = canvas.height / (view.high - view.low);
    const from = surfaceWindow;
    context.imageSmoothingEnabled = false;
    context.drawImage(
      surface,
      (from.start - view.start) * toX,
      (view.high - from.high) * toY,
      (from.end - from.start) * toX,
      (from.high - from.low) * toY,
    );
    drawOverlay(view);
  }

  function drawOverlay(view: MapWindow): void {
    if (source === null) return;
    overlay.draw({ dataset, state: store.state, source, view, width, height, ticks: ticksOf(view) });
  }

  function ticksOf(view: MapWindow): {
    points: { at: number; label: string }[];
    addresses: { at: number; label: string }[];
  } {
    const scale = new PointScale(view.start, view.end, width);
    const step = niceStep((view.end - view.start) / Math.max(2, width / 110));
    const points = [];
    for (let point = Math.ceil(view.start / step) * step; point < view.end; point += step)
      points.push({ at: scale.x(point), label: groupDigits(point) });
    const addresses = addressTicks(view, Math.max(2, height / 64)).map((address) => ({
      at: ((view.high - address) / (view.high - view.low)) * height,
      label: address === 0 ? '0' : formatBytes(address).replace(/\.0+(?= )/, ''),
    }));
    return { points, addresses };
  }

  /** Draws in the next frame; while the hand moves and drawing is slow, only moves the last picture. */
  function later(gesture: boolean): void {
    cancelAnimationFrame(frameRequest);
    clearTimeout(resting);
    const moveOnly = gesture && lastCost > SLOW_MS;
    frameRequest = requestAnimationFrame(() => (moveOnly ? show(shownWindow()) : draw()));
    if (moveOnly) resting = setTimeout(draw, REST_MS);
  }

  function dimmer(): (row: number) => boolean {
    const { filterRows } = store.state;
    const group = rowsInGroup(dataset, store.state);
    if (filterRows === null && group === null) return () => false;
    return (row) => (filterRows !== null && filterRows[row] === 0) || (group !== null && group[row] === 0);
  }

  function theme(): { free: string; freeStripe: string; dim: string } {
    const style = getComputedStyle(element);
    const token = (name: string): string => style.getPropertyValue(name).trim();
    return {
      free: token('--map-free'),
      freeStripe: token('--map-stripe'),
      dim: token('--map-dim'),
    };
  }

  function describe(): void {
    if (source === null) return;
    const point = store.state.hoveredPoint ?? shownPoint(dataset, store.state);
    const gaps = gapsAt(source, point);
    const free = gaps.reduce((sum, gap) => sum + gap.high - gap.low, 0);
    const largest = gaps.reduce((most, gap) => Math.max(most, gap.high - gap.low), 0);
    hint.textContent =
      free === 0
        ? `point ${groupDigits(point)}: every byte of ${formatBytes(source.allocationSize)} is in use`
        : `point ${groupDigits(point)}: ${formatBytes(free)} of ${formatBytes(source.allocationSize)} free in ${counted(gaps.length, 'gap')}, largest ${formatBytes(largest)}`;
  }

  // --- pointer ----------------------------------------------------------------------------------------------------------

  function placeOf(event: MouseEvent): { x: number; y: number; inside: boolean; point: number; address: number } {
    const box = frame.getBoundingClientRect();
    const x = event.clientX - box.left - MARGIN.left;
    const y = event.clientY - box.top - MARGIN.top;
    const view = shownWindow();
    return {
      x,
      y,
      inside: x >= 0 && x < width && y >= 0 && y < height,
      point: new PointScale(view.start, view.end, width).point(x),
      address: view.high - (y / height) * (view.high - view.low),
    };
  }

  let drag: { x: number; y: number; stretch: readonly [number, number]; range: AddressRange; moved: boolean } | null =
    null;

  frame.addEventListener('pointermove', (event) => {
    if (drag !== null) return dragTo(event);
    const at = placeOf(event);
    if (!at.inside || source === null) return leave();
    const row = rowAt(source, at.point, at.address);
    store.set({ hovered: row, hoveredPoint: at.point });
    if (row === null) showGap(at.point, at.address);
    else showBuffer(row);
    placeTooltip(at.x, at.y);
  });
  frame.addEventListener('pointerleave', () => {
    if (drag === null) leave();
  });
  frame.addEventListener('pointerdown', (event) => {
    const at = placeOf(event);
    if (event.button !== 0 || !at.inside) return;
    drag = { x: event.clientX, y: event.clientY, stretch: shownStretch(dataset, store.state), range, moved: false };
    frame.setPointerCapture(event.pointerId);
  });
  frame.addEventListener('pointerup', (event) => {
    const ended = drag;
    drag = null;
    frame.classList.remove('dragging');
    if (ended === null || ended.moved || source === null) return;
    const at = placeOf(event);
    const row = rowAt(source, at.point, at.address);
    store.set({ pinned: row === store.state.pinned ? null : row });
  });
  frame.addEventListener('pointercancel', () => {
    drag = null;
  });
  frame.addEventListener('dblclick', reset);
  frame.addEventListener(
    'wheel',
    (event) => {
      const at = placeOf(event);
      if (!at.inside || source === null) return;
      const whole = store.state.zoom === null && range.high - range.low >= source.allocationSize;
      // Fully out, the wheel belongs to the page again.
      if (whole && event.deltaY > 0 && !event.ctrlKey) return;
      event.preventDefault();
      const factor = 2 ** (Math.max(-240, Math.min(240, event.deltaY || event.deltaX)) / 240);
      zoom(factor, at.point, at.address, event.shiftKey ? 'addresses' : event.altKey ? 'points' : 'both');
    },
    { passive: false },
  );

  function dragTo(event: PointerEvent): void {
    if (drag === null || source === null) return;
    const [acrossPixels, downPixels] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moved && Math.hypot(acrossPixels, downPixels) < 4) return;
    drag.moved = true;
    frame.classList.add('dragging');
    tooltip.hidden = true;
    const points = drag.stretch[1] - drag.stretch[0];
    range = moveAddresses(
      drag.range,
      (downPixels / height) * (drag.range.high - drag.range.low),
      source.allocationSize,
    );
    if (points < dataset.points)
      store.set({ zoom: moved(drag.stretch, (-acrossPixels / width) * points, dataset.points) });
    later(true);
  }

  function zoom(factor: number, point: number, address: number, axes: 'both' | 'points' | 'addresses'): void {
    if (source === null) return;
    if (axes !== 'points') range = zoomAddresses(range, address, factor, source.allocationSize);
    if (axes !== 'addresses')
      store.set({ zoom: zoomed(shownStretch(dataset, store.state), point, factor, dataset.points) });
    later(true);
  }

  function reset(): void {
    range = { low: 0, high: source?.allocationSize ?? 1 };
    store.set({ zoom: null });
    later(false);
  }

  function leave(): void {
    tooltip.hidden = true;
    if (store.state.hovered !== null || store.state.hoveredPoint !== null)
      store.set({ hovered: null, hoveredPoint: null });
  }

  function showBuffer(row: number): void {
    const offset = dataset.offset[row]!;
    const item = source?.rows.indexOf(row) ?? -1;
    fillTooltip([
      ['buffer', shortenMiddle(dataset.name(row), 48)],
      ['size', formatBytes(dataset.size[row]!)],
      ['shape', shortenMiddle(dataset.shapeText(row), 48)],
      ['address', `${formatBytes(offset)} to ${formatBytes(offset + dataset.size[row]!)}`],
      ['alive', aliveText(row)],
      ['', source?.shared[item] === 1 ? 'shares addresses with another live buffer' : ''],
    ]);
  }

  function aliveText(row: number): string {
    if (dataset.untraced[row] === 1) return 'for the whole run: the compiler’s trace does not mention it';
    return `points ${groupDigits(dataset.start[row]!)} to ${groupDigits(dataset.end[row]! - 1)}`;
  }

  function showGap(point: number, address: number): void {
    const gap =
      source === null ? undefined : gapsAt(source, point).find((one) => one.low <= address && address < one.high);
    if (gap === undefined) return;
    fillTooltip([
      ['free here', formatBytes(gap.high - gap.low)],
      ['address', `${formatBytes(gap.low)} to ${formatBytes(gap.high)}`],
      ['point', groupDigits(point)],
    ]);
  }

  function fillTooltip(lines: readonly (readonly [string, string])[]): void {
    tooltip.replaceChildren(
      ...lines
        .filter(([, text]) => text !== '')
        .flatMap(([name, text]) => [el('span', { class: 'tip-name' }, name), el('span', {}, text)]),
    );
    tooltip.hidden = false;
  }

  function placeTooltip(x: number, y: number): void {
    const across =
      x > width / 2
        ? `right:${width - x + MARGIN.right + 14}px;left:auto`
        : `left:${x + MARGIN.left + 14}px;right:auto`;
    const down =
      y > height / 2
        ? `bottom:${height - y + MARGIN.bottom + 10}px;top:auto`
        : `top:${y + MARGIN.top + 10}px;bottom:auto`;
    setAttributes(tooltip, { style: `${across};${down}` });
  }

  // --- keys and buttons -------------------------------------------------------------------------------------------------

  frame.addEventListener('keydown', (event) => {
    if (source === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const directions: Record<string, MapDirection> = {
      ArrowLeft: 'earlier',
      ArrowRight: 'later',
      ArrowUp: 'higher',
      ArrowDown: 'lower',
    };
    const direction = directions[event.key];
    if (direction !== undefined) step(direction);
    else if (event.key === 'Enter' || event.key === ' ')
      store.set({ pinned: store.state.pinned === store.state.hovered ? null : store.state.hovered });
    else if (event.key === '+' || event.key === '=') zoomAtFocus(0.5);
    else if (event.key === '-') zoomAtFocus(2);
    else if (event.key === '0') reset();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  function step(direction: MapDirection): void {
    if (source === null) return;
    const from = store.state.hovered ?? store.state.pinned;
    const known = from !== null && source.rows.includes(from);
    const to = known ? neighborOf(source, from, direction) : firstOf(source, shownPoint(dataset, store.state));
    if (to === null) {
      live.textContent = 'No buffer further that way.';
      return;
    }
    store.set({ hovered: to });
    live.textContent = `${dataset.name(to)}, ${formatBytes(dataset.size[to]!)}, points ${dataset.start[to]} to ${dataset.end[to]! - 1}, address ${formatBytes(dataset.offset[to]!)}`;
  }

  function zoomAtFocus(factor: number): void {
    const row = store.state.hovered ?? store.state.pinned;
    const inMap = row !== null && source?.rows.includes(row) === true;
    const point = inMap ? (dataset.start[row]! + dataset.end[row]!) / 2 : shownPoint(dataset, store.state);
    const address = inMap ? dataset.offset[row]! + dataset.size[row]! / 2 : (range.low + range.high) / 2;
    zoom(factor, point, Math.max(range.low, Math.min(range.high, address)), 'both');
  }

  function button(label: string, title: string, act: () => void): void {
    const made = el('button', { type: 'button', class: 'quiet', title, 'aria-label': title }, label);
    made.addEventListener('click', act);
    buttons.append(made);
  }
  button('−', 'Zoom out of the map', () => zoomAtFocus(2));
  button('+', 'Zoom into the map', () => zoomAtFocus(0.5));
  button('Reset', 'Show the whole allocation (double click)', reset);
  button('Full screen', 'Full screen', () => void fullScreen());

  async function fullScreen(): Promise<void> {
    if (document.fullscreenElement === element) return document.exitFullscreen();
    if (element.classList.contains('filling')) return fill(false);
    try {
      await element.requestFullscreen();
    } catch {
      // A frame that may not go full screen fills itself instead.
      fill(true);
    }
  }

  function fill(on: boolean): void {
    element.classList.toggle('filling', on);
  }
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !element.classList.contains('filling')) return;
    fill(false);
    event.stopPropagation();
  });

  picker.addEventListener('change', () => {
    source = mapSourceOf(dataset, Number(picker.value));
    reset();
    describe();
  });

  // --- downloads --------------------------------------------------------------------------------------------------------

  /** What the page's downloads ask of the map. */
  element.addEventListener('memviewer:picture', (event) => {
    if (source === null || width <= 0) return;
    const view = shownWindow();
    const picture = layoutMap(source, view, width, height);
    const labels = placeLabels(picture.rects, width, height).map((label) => ({
      ...label,
      text: shortenMiddle(dataset.name(label.row), Math.floor((label.width - 8) / LETTER)),
    }));
    const ticks = ticksOf(view);
    const caption = `${dataset.answer.name}, ${dataset.answer.space}: allocation of ${formatBytes(source.allocationSize)}`;
    (event as CustomEvent<{ svg: string }>).detail.svg = mapSvg({
      picture,
      labels,
      width,
      height,
      caption,
      pointTicks: ticks.points,
      addressTicks: ticks.addresses,
      colorOf,
      nameOf: (row) => dataset.name(row),
    });
  });

  const stop = onResize(frame, (frameWidth, frameHeight) => {
    width = Math.max(50, frameWidth - MARGIN.left - MARGIN.right);
    height = Math.max(120, frameHeight - MARGIN.top - MARGIN.bottom);
    draw();
  });
  describe();

  return {
    element,
    update(state, previous) {
      const repainting: (keyof State)[] = ['filterRows', 'groupPath', 'group', 'instructionNames', 'theme'];
      if (repainting.some((key) => state[key] !== previous[key])) later(false);
      else if (state.zoom !== previous.zoom) later(true);
      else drawOverlay(shownWindow());
      if (state.hoveredPoint !== previous.hoveredPoint || state.point !== previous.point) describe();
    },
    destroy() {
      cancelAnimationFrame(frameRequest);
      clearTimeout(resting);
      stop();
    },
  };
};

function makeLegend(): HTMLElement {
  const entry = (kind: string, text: string): HTMLElement =>
    el('span', { class: 'legend-entry' }, el('span', { class: `map-key ${kind}` }), text);
  return el(
    'div',
    { class: 'legend map-legend' },
    entry('used', 'buffer'),
    entry('shared', 'shares addresses with another live buffer'),
    entry('free', 'free: a gap'),
    el('span', { class: 'hint' }, 'drag pans, wheel zooms (Shift: addresses only, Alt: points only)'),
  );
}

/** The round step of at least `least`: 1, 2 or 5 times a power of ten. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  for (const multiple of [1, 2, 5]) if (multiple * power >= least) return multiple * power;
  return 10 * power;
}
