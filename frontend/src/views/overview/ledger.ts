// One bar of the parts of the required memory, and its legend with the numbers.

import type { Headline } from '../../generated/contract';
import { exactBytes, formatBytes } from '../../lib/bytes';
import { PART_COLORS } from '../../lib/palette';
import { ledger } from '../../model/ledger';
import { el } from '../shared/dom';

/** Bytes of thread-local memory from which the overview mentions it. */
const LEAST_THREAD_LOCAL = 2 ** 20;

export function ledgerBar(headline: Headline, capacity: number | null): HTMLElement {
  const parts = ledger(headline);
  const required = headline.required_bytes;
  const whole = Math.max(required, capacity ?? 0, 1);
  const bar = el('div', {
    class: 'ledger-bar',
    role: 'img',
    'aria-label': parts.map((part) => `${part.label} ${formatBytes(part.bytes)}`).join(', '),
  });
  for (const part of parts) {
    bar.append(
      el('div', {
        class: `ledger-part part-${part.key}`,
        style: `width:${(100 * part.bytes) / whole}%;background-color:${part.key === 'fragmentation' ? 'transparent' : PART_COLORS[part.key]}`,
        title: `${part.label}: ${formatBytes(part.bytes)} (${exactBytes(part.bytes)})\n${part.meaning}`,
      }),
    );
  }
  if (capacity !== null && capacity < required) {
    bar.append(
      el('div', {
        class: 'ledger-limit',
        style: `left:${(100 * capacity) / whole}%`,
        title: `Capacity ${formatBytes(capacity)}`,
      }),
    );
  }
  return bar;
}

export function ledgerLegend(headline: Headline, capacity: number | null): HTMLElement {
  const free = capacity === null ? 0 : capacity - headline.required_bytes;
  const entry = (key: string, label: string, bytes: number, meaning: string): HTMLElement =>
    el(
      'span',
      { class: 'legend-entry', title: `${exactBytes(bytes)}\n${meaning}` },
      el('span', {
        class: `swatch part-${key}`,
        style:
          key in PART_COLORS && key !== 'fragmentation'
            ? `background-color:${PART_COLORS[key as keyof typeof PART_COLORS]}`
            : '',
      }),
      `${label} `,
      el('b', {}, formatBytes(bytes)),
    );
  const entries = ledger(headline).map((part) => entry(part.key, part.label, part.bytes, part.meaning));
  if (free > 0) entries.push(entry('free', 'Free', free, 'Memory left on the device.'));
  if (capacity !== null && free < 0) entries.push(entry('limit', 'Capacity', capacity, 'The line in the bar.'));
  const inside = headline.thread_local_bytes;
  if (inside >= LEAST_THREAD_LOCAL) {
    const meaning = 'Inside kernels and host calls. Not part of this memory, and not included in any other number.';
    entries.push(entry('thread-local', 'Inside kernels, not counted', inside, meaning));
  }
  return el('div', { class: 'legend' }, ...entries);
}
