// What part of which allocation the map shows, and how it moves. Program order is the store's zoom, shared with all charts;
// addresses are the map's own. Knows no canvas and no element.

import type { Current } from '../../lib/store';
import type { PointScale } from '../../model/axis/point_scale';
import type { Dataset } from '../../model/dataset';
import { type AddressRange, moveAddresses, zoomAddresses } from '../../model/map/axis';
import { mapSourceOf } from '../../model/map/dataset';
import type { MapSource, MapWindow } from '../../model/map/layout';
import { axisOf, pointScale, shownPoint, shownStretch } from '../../model/selection';
import type { ViewActions } from '../../state/actions';
import type { State } from '../../state/state';
import type { ViewContext } from '../shared/view';

export type ZoomedAxes = 'both' | 'points' | 'addresses';

/** A place on the plot, in pixels and in data. */
export interface MapPlace {
  readonly x: number;
  readonly y: number;
  readonly inside: boolean;
  readonly point: number;
  readonly address: number;
}

export class MapCamera {
  readonly current: Current<State>;
  readonly dataset: Dataset;
  readonly actions: ViewActions;
  source: MapSource;
  width = 0;
  height = 0;
  readonly #changed: (gesture: boolean) => void;
  #range: AddressRange;

  /** `changed` is called when the view has moved; whether a hand still moves it. */
  constructor({ current, dataset, actions }: ViewContext, allocation: number, changed: (gesture: boolean) => void) {
    this.current = current;
    this.dataset = dataset;
    this.actions = actions;
    this.#changed = changed;
    this.source = mapSourceOf(dataset, allocation);
    this.#range = { low: 0, high: this.source.allocationSize };
  }

  get window(): MapWindow {
    const { dataset, current } = this;
    const [start, end] = shownStretch(dataset, current.state);
    return { start, end, places: axisOf(dataset, current.state).places, ...this.#range };
  }

  get scale(): PointScale {
    return pointScale(this.dataset, this.current.state, this.width);
  }

  /** All of the allocation and all of the program. */
  get isWhole(): boolean {
    return this.current.state.zoom === null && this.#range.high - this.#range.low >= this.source.allocationSize;
  }

  choose(allocation: number): void {
    this.source = mapSourceOf(this.dataset, allocation);
    this.reset();
  }

  place(x: number, y: number): MapPlace {
    const view = this.window;
    return {
      x,
      y,
      inside: x >= 0 && x < this.width && y >= 0 && y < this.height,
      point: this.scale.point(x),
      address: view.high - (y / this.height) * (view.high - view.low),
    };
  }

  zoom(factor: number, point: number, address: number, axes: ZoomedAxes): void {
    const { current, dataset, source, actions } = this;
    if (axes !== 'points') this.#range = zoomAddresses(this.#range, address, factor, source.allocationSize);
    if (axes !== 'addresses') actions.zoomBy(factor, axisOf(dataset, current.state).at(point));
    this.#changed(true);
  }

  /** Zooms about the buffer that is looked at, else about the chosen point. */
  zoomAtFocus(factor: number): void {
    const { current, dataset } = this;
    const { low, high } = this.#range;
    const row = current.state.hovered ?? current.state.pinned;
    if (row === null || !this.source.rows.includes(row)) {
      this.zoom(factor, shownPoint(dataset, current.state), (low + high) / 2, 'both');
      return;
    }
    const middle = dataset.offset[row]! + dataset.size[row]! / 2;
    const point = (dataset.start[row]! + dataset.end[row]!) / 2;
    this.zoom(factor, point, Math.max(low, Math.min(high, middle)), 'both');
  }

  /** Moves a view that was there when the hand took it, by pixels. */
  drag(from: MapWindow, across: number, down: number): void {
    const { source, actions } = this;
    const cells = from.end - from.start;
    this.#range = moveAddresses(from, (down / this.height) * (from.high - from.low), source.allocationSize);
    actions.panBy([from.start, from.end], (-across / this.width) * cells);
    this.#changed(true);
  }

  reset(): void {
    this.#range = { low: 0, high: this.source.allocationSize };
    this.actions.zoomTo(null);
    this.#changed(false);
  }
}
