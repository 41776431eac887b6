// The pointer over the line chart: hover, click, brush, window, wheel. It changes the state; it draws nothing itself.

import type { ViewActions } from '../../state/actions';
import { type ChartFrame, MARGIN } from './frame';

/** A press that moves less than this is a click. */
const CLICK_PX = 4;
/** Fewer points than this are not worth a zoom. */
const LEAST_POINTS = 2;
/** A wheel that was turning the page goes on turning the page for so long. */
const PAGE_SCROLL_MS = 350;

export interface PointerOptions {
  readonly root: SVGSVGElement;
  readonly actions: ViewActions;
  frame(): ChartFrame;
  /** The stretch under the brush while it is drawn, `[x0, x1]` in pixels; null when it ends. */
  brush(span: readonly [number, number] | null): void;
  hover(point: number | null, x: number): void;
}

interface Drag {
  readonly x: number;
  readonly kind: 'brush' | 'window' | 'pan';
  readonly stretch: readonly [number, number];
  moved: boolean;
}

export function followPointer(options: PointerOptions): () => void {
  const { root, actions } = options;
  let drag: Drag | null = null;
  let pageScrolled = Number.NEGATIVE_INFINITY;

  const place = (event: MouseEvent): { x: number; y: number } => {
    const box = root.getBoundingClientRect();
    return { x: event.clientX - box.left - MARGIN.left, y: event.clientY - box.top - MARGIN.top };
  };
  const inside = (x: number): boolean => x >= 0 && x <= options.frame().width;

  function down(event: PointerEvent): void {
    const { x, y } = place(event);
    if (event.button !== 0 || !inside(x) || (event.target as Element).closest('.loop, .minimap') !== null) return;
    const { scale, plotHeight } = options.frame();
    const kind = event.shiftKey ? 'window' : y > plotHeight || event.pointerType === 'touch' ? 'pan' : 'brush';
    drag = { x, kind, stretch: [scale.a, scale.b], moved: false };
    root.setPointerCapture(event.pointerId);
  }

  function move(event: PointerEvent): void {
    const { x } = place(event);
    if (drag === null) {
      options.hover(inside(x) ? options.frame().scale.point(x) : null, x);
      return;
    }
    if (!drag.moved && Math.abs(x - drag.x) < CLICK_PX) return;
    drag.moved = true;
    options.hover(null, x);
    if (drag.kind === 'pan')
      actions.panBy(drag.stretch, ((drag.x - x) / options.frame().width) * (drag.stretch[1] - drag.stretch[0]));
    else if (drag.kind === 'window') actions.selectWindow(pointsBetween(drag.x, x));
    else options.brush(sorted(drag.x, x));
  }

  function up(event: PointerEvent): void {
    const ended = drag;
    drag = null;
    if (ended === null) return;
    const { x } = place(event);
    if (!ended.moved) actions.selectPoint(options.frame().scale.point(x));
    else if (ended.kind === 'brush') {
      options.brush(null);
      const [a, b] = pointsBetween(ended.x, x);
      if (b - a >= LEAST_POINTS) actions.zoomTo([a, b]);
    }
  }

  function sorted(one: number, other: number): [number, number] {
    const { width } = options.frame();
    const clamp = (x: number): number => Math.max(0, Math.min(width, x));
    return [clamp(Math.min(one, other)), clamp(Math.max(one, other))];
  }

  function pointsBetween(one: number, other: number): readonly [number, number] {
    const [x0, x1] = sorted(one, other);
    const { scale } = options.frame();
    return scale.axis.whole(scale.point(x0), scale.point(x1) + 1);
  }

  function wheel(event: WheelEvent): void {
    const { x } = place(event);
    const { scale, width } = options.frame();
    const whole = scale.b - scale.a >= scale.axis.cells;
    const scrolling = performance.now() - pageScrolled < PAGE_SCROLL_MS;
    if (!inside(x) || scrolling || (whole && event.deltaY > 0)) {
      pageScrolled = performance.now();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      actions.panBy([scale.a, scale.b], (sideways / width) * (scale.b - scale.a));
      return;
    }
    const factor = 2 ** (Math.max(-240, Math.min(240, event.deltaY)) / 240);
    actions.zoomBy(factor, scale.cell(x));
  }

  const outside = (): void => {
    pageScrolled = performance.now();
  };
  root.addEventListener('pointerdown', down);
  root.addEventListener('pointermove', move);
  root.addEventListener('pointerup', up);
  root.addEventListener('pointercancel', () => {
    drag = null;
    options.brush(null);
  });
  root.addEventListener('pointerleave', () => options.hover(null, 0));
  root.addEventListener('dblclick', () => actions.zoomTo(null));
  root.addEventListener('wheel', wheel, { passive: false });
  document.addEventListener('wheel', outside, { passive: true });
  return () => document.removeEventListener('wheel', outside);
}
