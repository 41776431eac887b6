// Paints the segments of a bar, wide ones with a name in them.

import { inkOn } from '../../lib/palette';
import { shortenMiddle } from '../../lib/text';
import { type Bar, SMALL } from '../../model/bars';
import type { Dataset } from '../../model/dataset';
import { bufferColor } from '../shared/buffer_color';

const HEIGHT = 34;
/** Segments wider than this have a name in them. */
const LABEL_FROM = 36;
const LEAST_LETTERS = 9;
const LETTER = 6.3;

export function paintBar(canvas: HTMLCanvasElement, dataset: Dataset, bar: Bar, width: number): void {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(HEIGHT * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${HEIGHT}px`;
  const context = canvas.getContext('2d')!;
  context.scale(ratio, ratio);
  context.clearRect(0, 0, width, HEIGHT);
  const style = getComputedStyle(canvas);
  const gap = style.getPropertyValue('--panel');
  const small = style.getPropertyValue('--line-strong');
  context.font = `11px ${style.fontFamily}`;
  context.textBaseline = 'middle';
  for (let i = 0; i < bar.rows.length; i++) {
    const row = bar.rows[i]!;
    const x = bar.x[i]!;
    const wide = bar.x[i + 1]! - x;
    const color = row === SMALL ? small : bufferColor(dataset, row);
    context.fillStyle = color;
    context.fillRect(x, 0, Math.max(wide, 0.3), HEIGHT);
    if (wide > 2.5) {
      context.fillStyle = gap;
      context.fillRect(x + wide - 1, 0, 1, HEIGHT);
    }
    if (wide <= LABEL_FROM) continue;
    context.fillStyle = inkOn(color);
    context.fillText(labelIn(row === SMALL ? 'small' : dataset.name(row), wide), x + 5, HEIGHT / 2);
  }
}

/** The name as far as it fits; "" where that is a few letters, which tell nothing. */
function labelIn(name: string, wide: number): string {
  const room = Math.floor((wide - 10) / LETTER);
  return room < Math.min(name.length, LEAST_LETTERS) ? '' : shortenMiddle(name, room);
}
