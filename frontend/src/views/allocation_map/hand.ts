// Pointer, wheel and keys on the map: hover, pin, pan, zoom, and steps from buffer to buffer.

import { formatBytes } from '../../lib/bytes';
import { aliveText, lifeOf } from '../../model/card';
import { type MapWindow, rowAt } from '../../model/map/layout';
import { firstOf, type MapDirection, neighborOf } from '../../model/map/neighbor';
import { shownPoint } from '../../model/selection';
import type { MapCamera, MapPlace } from './camera';
import type { Margin } from './overlay';
import type { MapTooltip } from './tooltip';

export interface HandOptions {
  readonly frame: HTMLElement;
  readonly camera: MapCamera;
  readonly tooltip: MapTooltip;
  readonly margin: Margin;
  /** Tells those who do not see the map. */
  say(text: string): void;
}

const DRAG_PIXELS = 4;
const DIRECTIONS: Readonly<Record<string, MapDirection>> = {
  ArrowLeft: 'earlier',
  ArrowRight: 'later',
  ArrowUp: 'higher',
  ArrowDown: 'lower',
};

/** Listens on the frame for as long as it is there. */
export function followHand({ frame, camera, tooltip, margin, say }: HandOptions): void {
  const { current, dataset, actions } = camera;
  let drag: { x: number; y: number; from: MapWindow; moved: boolean } | null = null;

  const placeOf = (event: MouseEvent): MapPlace => {
    const box = frame.getBoundingClientRect();
    return camera.place(event.clientX - box.left - margin.left, event.clientY - box.top - margin.top);
  };
  const leave = (): void => {
    tooltip.hide();
    actions.hoverPlace(null, null);
  };

  const dragTo = (event: PointerEvent): void => {
    if (drag === null) return;
    const [across, down] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moved && Math.hypot(across, down) < DRAG_PIXELS) return;
    drag.moved = true;
    frame.classList.add('dragging');
    tooltip.hide();
    camera.drag(drag.from, across, down);
  };

  frame.addEventListener('pointermove', (event) => {
    if (drag !== null) {
      dragTo(event);
      return;
    }
    const place = placeOf(event);
    if (!place.inside) {
      leave();
      return;
    }
    const row = rowAt(camera.source, place.point, place.address);
    actions.hoverPlace(row, place.point);
    tooltip.show(row, place);
  });
  frame.addEventListener('pointerleave', () => {
    if (drag === null) leave();
  });
  frame.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || !placeOf(event).inside) return;
    drag = { x: event.clientX, y: event.clientY, from: camera.window, moved: false };
    frame.setPointerCapture(event.pointerId);
  });
  frame.addEventListener('pointerup', (event) => {
    const ended = drag;
    drag = null;
    frame.classList.remove('dragging');
    if (ended === null || ended.moved) return;
    const place = placeOf(event);
    actions.togglePin(rowAt(camera.source, place.point, place.address));
  });
  frame.addEventListener('pointercancel', () => {
    drag = null;
    frame.classList.remove('dragging');
  });
  frame.addEventListener('dblclick', () => camera.reset());
  const wheel = (event: WheelEvent): void => {
    const place = placeOf(event);
    // Fully out, the wheel belongs to the page again.
    if (!place.inside || (camera.isWhole && event.deltaY > 0 && !event.ctrlKey)) return;
    event.preventDefault();
    const factor = 2 ** (Math.max(-240, Math.min(240, event.deltaY || event.deltaX)) / 240);
    const axes = event.shiftKey ? 'addresses' : event.altKey ? 'points' : 'both';
    camera.zoom(factor, place.point, place.address, axes);
  };
  frame.addEventListener('wheel', wheel, { passive: false });

  const step = (direction: MapDirection): void => {
    const { source } = camera;
    const from = current.state.hovered ?? current.state.pinned;
    const known = from !== null && source.rows.includes(from);
    const to = known ? neighborOf(source, from, direction) : firstOf(source, shownPoint(dataset, current.state));
    if (to === null) {
      say('No more buffers in that direction.');
      return;
    }
    actions.hover(to);
    const life = aliveText(dataset, to, lifeOf(dataset, to));
    say(`${dataset.name(to)}, ${formatBytes(dataset.size[to]!)}, ${life}, address ${formatBytes(dataset.offset[to]!)}`);
  };
  const acts: Readonly<Record<string, () => void>> = {
    Enter: () => actions.togglePin(current.state.hovered),
    ' ': () => actions.togglePin(current.state.hovered),
    '+': () => camera.zoomAtFocus(0.5),
    '=': () => camera.zoomAtFocus(0.5),
    '-': () => camera.zoomAtFocus(2),
    '0': () => camera.reset(),
  };
  frame.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = DIRECTIONS[event.key];
    const act = direction === undefined ? acts[event.key] : () => step(direction);
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
}
