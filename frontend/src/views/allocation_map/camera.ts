// What part of which allocation the map shows, and how it moves. Program order is the store's zoom, shared with all charts;
// addresses are the map's own. Knows no canvas and no element.

import type { Store } from '../../lib/store';
import { panBy, zoomBy } from '../../model/axis/moves';
import type { PointScale } from '../../model/axis/point_scale';
import type { Dataset } from '../../model/dataset';
import { type AddressRange, moveAddresses, zoomAddresses } from '../../model/map/axis';
import { mapSourceOf } from '../../model/map/dataset';
import type { MapSource, MapWindow } from '../../model/map/layout';
import { axisOf, pointScale, shownPoint, shownStretch } from '../../model/selection';
import type { State } from '../../state/state';

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
  source: MapSource;
  width = 0;
  height = 0;
  #range: AddressRange;

  constructor(
    readonly store: Store<State>,
    readonly dataset: Dataset,
    allocation: number,
    /** Called when the view has moved; whether a hand still moves it. */
    private readonly changed: (gesture: boolean) => void,
  ) {
    this.source = mapSourceOf(dataset, allocation);
    this.#range = { low: 0, high: this.source.allocationSize };
  }

  get window(): MapWindow {
    const { dataset, store } = this;
    const [start, end] = shownStretch(dataset, store.state);
    return { start, end, places: axisOf(dataset, store.state).places, ...this.#range };
  }

  get scale(): PointScale {
    return pointScale(this.dataset, this.store.state, this.width);
  }

  /** All of the allocation and all of the program. */
  get isWhole(): boolean {
    return this.store.state.zoom === null && this.#range.high - this.#range.low >= this.source.allocationSize;
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
    const { store, dataset, source } = this;
    if (axes !== 'points') this.#range = zoomAddresses(this.#range, address, factor, source.allocationSize);
    if (axes !== 'addresses') zoomBy(store, dataset, factor, axisOf(dataset, store.state).at(point));
    this.changed(true);
  }

  /** Zooms about the buffer that is looked at, else about the chosen point. */
  zoomAtFocus(factor: number): void {
    const { store, dataset } = this;
    const { low, high } = this.#range;
    const row = store.state.hovered ?? store.state.pinned;
    if (row === null || !this.source.rows.includes(row)) {
      this.zoom(factor, shownPoint(dataset, store.state), (low + high) / 2, 'both');
      return;
    }
    const middle = dataset.offset[row]! + dataset.size[row]! / 2;
    const point = (dataset.start[row]! + dataset.end[row]!) / 2;
    this.zoom(factor, point, Math.max(low, Math.min(high, middle)), 'both');
  }

  /** Moves a view that was there when the hand took it, by pixels. */
  drag(from: MapWindow, across: number, down: number): void {
    const { store, dataset, source } = this;
    const cells = from.end - from.start;
    this.#range = moveAddresses(from, (down / this.height) * (from.high - from.low), source.allocationSize);
    panBy(store, dataset, [from.start, from.end], (-across / this.width) * cells);
    this.changed(true);
  }

  reset(): void {
    this.#range = { low: 0, high: this.source.allocationSize };
    this.store.set({ zoom: null });
    this.changed(false);
  }
}
