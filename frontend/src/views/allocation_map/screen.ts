// The map's picture: laid out, painted beside the screen and copied onto it. While a hand moves the view and painting is slow,
// the last picture is moved about instead, and painted anew when the hand rests.

import { formatBytes } from '../../lib/bytes';
import { shortenMiddle } from '../../lib/text';
import { rowsInGroup } from '../../model/groups/group';
import { addressMarks } from '../../model/map/axis';
import { layoutMap, type MapLabel, type MapPicture, type MapWindow, placeLabels } from '../../model/map/layout';
import type { Speckles } from '../../model/map/speckles';
import { mapSvg } from '../../model/map/svg';
import type { Theme } from '../../state/state';
import { bufferColor } from '../shared/buffer_color';
import { el, setAttributes } from '../shared/dom';
import type { MapCamera } from './camera';
import { MapOverlay, type Margin } from './overlay';
import { type MapTheme, paintMap } from './painter';

const LETTER = 6.3;
const MOST_LABELS = 400;
const SLOW_MS = 12;
const REST_MS = 90;

export class MapScreen {
  readonly canvas = el('canvas', { class: 'map-canvas' });
  readonly overlay: MapOverlay;
  readonly #camera: MapCamera;
  readonly #margin: Margin;
  readonly #surface = el('canvas', {});
  /** What the surface shows. */
  #painted: MapWindow | null = null;
  #speckles: Speckles | null = null;
  #colors: { theme: Theme; tokens: MapTheme } | null = null;
  #cost = 0;
  #frame = 0;
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(camera: MapCamera, margin: Margin) {
    this.#camera = camera;
    this.#margin = margin;
    this.overlay = new MapOverlay(margin);
  }

  /** Draws in the next frame. */
  later(gesture: boolean): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#rest);
    const moveOnly = gesture && this.#cost > SLOW_MS;
    this.#frame = requestAnimationFrame(() => (moveOnly ? this.#copy(this.#camera.window) : this.draw()));
    if (moveOnly) this.#rest = setTimeout(() => this.draw(), REST_MS);
  }

  draw(): void {
    const { width, height, window: view } = this.#camera;
    if (width <= 0) return;
    const began = performance.now();
    const { picture, labels } = this.#lay(view, this.#speckles);
    this.#speckles = picture.speckles;
    const ratio = window.devicePixelRatio || 1;
    this.#size(this.#surface, ratio);
    const context = this.#surface.getContext('2d')!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const colors = { colorOf: this.#color, isDim: this.#dimmer(), theme: this.#theme() };
    paintMap(context, { picture, labels: labels.slice(0, MOST_LABELS), width, height, ...colors });
    this.#painted = view;
    this.#copy(view);
    this.#cost = performance.now() - began;
  }

  /** Axes, marks and outlines, which change while the picture stays. */
  drawOverlay(): void {
    const { dataset, current, source, window: view, scale, width, height } = this.#camera;
    if (width <= 0) return;
    this.overlay.draw({ dataset, state: current.state, source, view, scale, width, height });
  }

  /** What is shown as a file that stands by itself; "" before anything is. */
  svg(): string {
    const { dataset, source, window: view, scale, width, height } = this.#camera;
    if (width <= 0) return '';
    const { name, space } = dataset.answer;
    return mapSvg({
      ...this.#lay(view, null),
      width,
      height,
      caption: `${name}, ${space}: allocation of ${formatBytes(source.allocationSize)}`,
      pointTicks: scale.ticks(),
      addressTicks: addressMarks(view, height),
      colorOf: this.#color,
      nameOf: (row) => dataset.name(row),
    });
  }

  destroy(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#rest);
  }

  readonly #color = (row: number): string => bufferColor(this.#camera.dataset, row);

  #lay(view: MapWindow, used: Speckles | null): { picture: MapPicture; labels: (MapLabel & { text: string })[] } {
    const { dataset, source, width, height } = this.#camera;
    const picture = layoutMap(source, view, width, height, used);
    const labels = placeLabels(picture.rects, width, height).map((label) => ({
      ...label,
      text: shortenMiddle(dataset.name(label.row), Math.floor((label.width - 8) / LETTER)),
    }));
    return { picture, labels };
  }

  /** Copies the last picture to the screen, stretched to where the view is now. */
  #copy(view: MapWindow): void {
    const from = this.#painted;
    if (from === null) return;
    const { canvas } = this;
    const { width, height } = this.#camera;
    this.#size(canvas, window.devicePixelRatio || 1);
    const place = `left:${this.#margin.left}px;top:${this.#margin.top}px;width:${width}px;height:${height}px`;
    setAttributes(canvas, { style: place });
    const context = canvas.getContext('2d')!;
    context.clearRect(0, 0, canvas.width, canvas.height);
    const toX = canvas.width / (view.end - view.start);
    const toY = canvas.height / (view.high - view.low);
    context.imageSmoothingEnabled = false;
    context.drawImage(
      this.#surface,
      (from.start - view.start) * toX,
      (view.high - from.high) * toY,
      (from.end - from.start) * toX,
      (from.high - from.low) * toY,
    );
    this.drawOverlay();
  }

  #size(target: HTMLCanvasElement, ratio: number): void {
    const across = Math.round(this.#camera.width * ratio);
    const down = Math.round(this.#camera.height * ratio);
    // Setting a canvas's size empties it and costs even when nothing changes.
    if (target.width !== across) target.width = across;
    if (target.height !== down) target.height = down;
  }

  #dimmer(): (row: number) => boolean {
    const { current, dataset } = this.#camera;
    const { filterRows } = current.state;
    const group = rowsInGroup(dataset, current.state);
    return (row) => (filterRows !== null && filterRows[row] === 0) || (group !== null && group[row] === 0);
  }

  /** Asked of the style sheet once a theme: asking makes the browser work out styles at once. */
  #theme(): MapTheme {
    const { theme } = this.#camera.current.state;
    if (this.#colors?.theme !== theme) {
      const style = getComputedStyle(this.canvas);
      const token = (name: string): string => style.getPropertyValue(name).trim();
      const tokens = { free: token('--map-free'), freeStripe: token('--map-stripe'), dim: token('--map-dim') };
      this.#colors = { theme, tokens };
    }
    return this.#colors.tokens;
  }
}
