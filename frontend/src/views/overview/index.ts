// How close to the limit: headline numbers, and one bar of the parts that must fit in the device.

import type { FindingsAnswer } from '../../contract';
import { exactBytes, formatBytes, formatPercent, groupDigits } from '../../lib/bytes';
import { PART_COLORS } from '../../lib/palette';
import { shortenMiddle } from '../../lib/text';
import { foundKinds } from '../../model/findings';
import { fragmentationMeaning, paddingMeaning } from '../../model/headline_words';
import { ledger } from '../../model/ledger';
import { placeText } from '../../model/place_text';
import { shownCapacity } from '../../model/selection';
import { el } from '../shared/dom';
import type { View, ViewContext } from '../shared/view';

/** Bytes of thread-local memory from which the overview mentions it. */
const LEAST_THREAD_LOCAL = 2 ** 20;

export interface Overview extends View {
  /** Marks the numbers that a finding is about. */
  mark(findings: FindingsAnswer): void;
}

export function makeOverview({ current, dataset }: ViewContext): Overview {
  let found: ReadonlySet<string> = new Set();
  const element = el('section', { class: 'overview panel', 'aria-label': 'Overview' });
  const draw = (): void => {
    const capacity = shownCapacity(dataset, current.state);
    element.replaceChildren(numbers(capacity), bar(capacity), legend(capacity));
  };

  function numbers(capacity: number | null): HTMLElement {
    const { headline } = dataset;
    const tile = (label: string, value: string | Node, meaning: string, more = '', tone = ''): HTMLElement =>
      el(
        'div',
        { class: `tile ${tone}`, title: meaning },
        el('div', { class: 'tile-label' }, label),
        el('div', { class: 'tile-value' }, value),
        el('div', { class: 'tile-more' }, more),
      );
    const required = headline.required_bytes;
    const limit = (): HTMLElement => {
      if (capacity === null) {
        return tile(
          'Must fit',
          formatBytes(required),
          `${exactBytes(required)}: everything that XLA reserves in this memory space, with the largest scoped memory. Say the device’s capacity above to see the distance.`,
          'capacity unknown',
        );
      }
      const over = required - capacity;
      const word = el('small', {}, over > 0 ? 'over' : 'left');
      const value = el('span', {}, formatBytes(Math.abs(over)), ' ', word);
      const meaning = `${exactBytes(required)} must fit into ${exactBytes(capacity)}. ${current.state.capacity === null ? (headline.capacity_source ?? '') : 'Capacity as you say.'}`;
      const share = over > 0 ? formatBytes(required) : formatPercent(required, capacity);
      const more = `${share} of ${formatBytes(capacity)}`;
      return tile('To capacity', value, meaning, more, over > 0 ? 'bad' : -over < 0.05 * capacity ? 'warn' : '');
    };
    const peakRow = dataset.instructionAt(headline.peak_point);
    const source = dataset.instructionSource(peakRow);
    return el(
      'div',
      { class: 'tiles' },
      tile(
        'Peak usage',
        formatBytes(headline.peak_bytes),
        `${exactBytes(headline.peak_bytes)}: the most that is in use at one program point. It tells what to blame; what must fit is larger.`,
        `point ${groupDigits(headline.peak_point)} of ${groupDigits(dataset.points)}`,
        'lead',
      ),
      limit(),
      tile(
        'Allocated',
        formatBytes(headline.allocated_bytes),
        `${exactBytes(headline.allocated_bytes)}: the sum of this memory space’s allocations.`,
        `${formatBytes(headline.temporary_bytes)} temporary`,
      ),
      tile(
        'Padding at peak',
        formatBytes(headline.padding_bytes),
        paddingMeaning(dataset),
        `${formatPercent(headline.padding_bytes, headline.peak_bytes)} of the peak`,
        found.has('padding') ? 'warn' : '',
      ),
      tile(
        'Fragmentation',
        formatBytes(headline.fragmentation_bytes),
        fragmentationMeaning(headline),
        `${formatPercent(headline.fragmentation_bytes, headline.allocated_bytes)} of allocated`,
        found.has('fragmentation') ? 'warn' : '',
      ),
      tile(
        'Aliased',
        formatBytes(headline.aliased_bytes),
        `${exactBytes(headline.aliased_bytes)} of the arguments are reused for outputs, as donation does.`,
        `${formatPercent(headline.aliased_bytes, headline.argument_bytes)} of arguments`,
      ),
      el(
        'div',
        {
          class: 'tile wide',
          title: [dataset.instructionName(peakRow), dataset.instructionOp(peakRow), source ? placeText(source) : '']
            .filter(Boolean)
            .join('\n'),
        },
        el('div', { class: 'tile-label' }, 'Instruction at the peak'),
        el('div', { class: 'tile-value mono' }, shortenMiddle(dataset.instructionName(peakRow) || '—', 44)),
        el(
          'div',
          { class: 'tile-more' },
          shortenMiddle(source ? placeText(source) : dataset.instructionOp(peakRow), 60),
        ),
      ),
    );
  }

  function bar(capacity: number | null): HTMLElement {
    const parts = ledger(dataset.headline);
    const required = dataset.headline.required_bytes;
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

  function legend(capacity: number | null): HTMLElement {
    const free = capacity === null ? 0 : capacity - dataset.headline.required_bytes;
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
    const entries = ledger(dataset.headline).map((part) => entry(part.key, part.label, part.bytes, part.meaning));
    if (free > 0) entries.push(entry('free', 'Free', free, 'What the device has left.'));
    if (capacity !== null && free < 0) entries.push(entry('limit', 'Capacity', capacity, 'The line in the bar.'));
    const inside = dataset.headline.thread_local_bytes;
    if (inside >= LEAST_THREAD_LOCAL) {
      const meaning = 'Inside kernels and host calls: not part of this memory, and in none of the other numbers.';
      entries.push(entry('thread-local', 'Inside kernels, not counted', inside, meaning));
    }
    return el('div', { class: 'legend' }, ...entries);
  }

  draw();
  return {
    element,
    update(state, previous) {
      if (state.capacity !== previous.capacity) draw();
    },
    mark(findings) {
      found = foundKinds(findings);
      draw();
    },
    destroy() {},
  };
}
