// The tooltip of the map: the buffer under the pointer, or the free addresses between two.

import { formatBytes, groupDigits } from '../../lib/bytes';
import { shortenMiddle } from '../../lib/text';
import { aliveText, lifeOf } from '../../model/card';
import { gapsAt } from '../../model/map/layout';
import { clearOfHead, el, setAttributes } from '../shared/dom';
import type { MapCamera, MapPlace } from './camera';
import type { Margin } from './overlay';

export class MapTooltip {
  readonly element = el('div', { class: 'tooltip', hidden: true });
  readonly #camera: MapCamera;
  readonly #margin: Margin;

  constructor(camera: MapCamera, margin: Margin) {
    this.#camera = camera;
    this.#margin = margin;
  }

  hide(): void {
    this.element.hidden = true;
  }

  /** Shows the buffer, or where that is null the gap at the place. */
  show(row: number | null, place: MapPlace): void {
    const lines = row === null ? this.#gap(place) : this.#buffer(row);
    this.element.replaceChildren(
      ...lines
        .filter(([, text]) => text !== '')
        .flatMap(([name, text]) => [el('span', { class: 'tip-name' }, name), el('span', {}, text)]),
    );
    this.element.hidden = lines.length === 0;
    this.#put(place);
  }

  #buffer(row: number): [string, string][] {
    const { dataset, source } = this.#camera;
    const offset = dataset.offset[row]!;
    const shared = source.shared[source.rows.indexOf(row)] === 1;
    return [
      ['buffer', shortenMiddle(dataset.name(row), 48)],
      ['size', formatBytes(dataset.size[row]!)],
      ['shape', shortenMiddle(dataset.shapeText(row), 48)],
      ['address', `${formatBytes(offset)} to ${formatBytes(offset + dataset.size[row]!)}`],
      ['alive', aliveText(dataset, row, lifeOf(dataset, row))],
      ['', shared ? 'shares addresses with another live buffer' : ''],
    ];
  }

  #gap({ point, address }: MapPlace): [string, string][] {
    const gap = gapsAt(this.#camera.source, point).find((one) => one.low <= address && address < one.high);
    if (gap === undefined) return [];
    return [
      ['free here', formatBytes(gap.high - gap.low)],
      ['address', `${formatBytes(gap.low)} to ${formatBytes(gap.high)}`],
      ['point', groupDigits(point)],
    ];
  }

  /** What stands above the pointer may reach under the page's head. */
  #clearHead(): void {
    const frame = this.element.offsetParent;
    if (frame === null || this.element.hidden) return;
    const top = this.element.offsetTop;
    const clear = clearOfHead(frame, top);
    if (clear > top) {
      this.element.style.top = `${clear}px`;
      this.element.style.bottom = 'auto';
    }
  }

  /** Beside the pointer, on the side where there is more room. */
  #put({ x, y }: MapPlace): void {
    const { width, height } = this.#camera;
    const { left, right, top, bottom } = this.#margin;
    const across = x > width / 2 ? `right:${width - x + right + 14}px;left:auto` : `left:${x + left + 14}px;right:auto`;
    const down = y > height / 2 ? `bottom:${height - y + bottom + 10}px;top:auto` : `top:${y + top + 10}px;bottom:auto`;
    setAttributes(this.element, { style: `${across};${down}` });
    this.#clearHead();
  }
}
