// How close to the limit: headline numbers, and one bar of the parts of what is required.

import type { FindingsAnswer } from '../../contract';
import { HEADLINE } from '../../generated/vocabulary';
import { exactBytes, formatBytes, formatPercent, groupDigits } from '../../lib/bytes';
import { PART_COLORS } from '../../lib/palette';
import { shortenMiddle } from '../../lib/text';
import { isNearlyFull } from '../../model/capacity';
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

export function makeOverview({ store, dataset }: ViewContext): Overview {
  let found: ReadonlySet<string> = new Set();
  const element = el('section', { class: 'overview panel', 'aria-label': 'Overview' });
  const draw = (): void => {
    const capacity = shownCapacity(dataset, store.state);
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
      const meaning = `${exactBytes(required)}: ${HEADLINE.required_bytes.sentence}`;
      const tileOf = (more: string, why: string, tone: string): HTMLElement =>
        tile(HEADLINE.required_bytes.word, formatBytes(required), `${meaning}\n${why}`, more, tone);
      if (capacity === null)
        return tileOf('capacity unknown', 'Enter the device’s capacity above to see how much is left.', '');
      const source = store.state.capacity === null ? (headline.capacity_source ?? '') : 'as you entered';
      const why = `Capacity: ${exactBytes(capacity)}, ${source}.`;
      const left = capacity - required;
      if (left < 0) return tileOf(`${formatBytes(-left)} over, of ${formatBytes(capacity)}`, why, 'bad');
      const share = formatPercent(required, capacity);
      const more = `${share} of ${formatBytes(capacity)}, ${formatBytes(left)} left`;
      return tileOf(more, why, isNearlyFull(capacity, required) ? 'warn' : '');
    };
    const peakRow = dataset.instructionAt(headline.peak_point);
    const source = dataset.instructionSource(peakRow);
    return el(
      'div',
      { class: 'tiles' },
      tile(
        HEADLINE.peak_bytes.word,
        formatBytes(headline.peak_bytes),
        `${exactBytes(headline.peak_bytes)}: ${HEADLINE.peak_bytes.sentence}`,
        `point ${groupDigits(headline.peak_point)} of ${groupDigits(dataset.points)}`,
        'lead',
      ),
      limit(),
      tile(
        HEADLINE.allocated_bytes.word,
        formatBytes(headline.allocated_bytes),
        `${exactBytes(headline.allocated_bytes)}: ${HEADLINE.allocated_bytes.sentence}`,
        `${formatBytes(headline.temporary_bytes)} temporary`,
      ),
      tile(
        HEADLINE.padding_bytes.word,
        formatBytes(headline.padding_bytes),
        paddingMeaning(dataset),
        `${formatPercent(headline.padding_bytes, headline.peak_bytes)} of the peak`,
        found.has('padding') ? 'warn' : '',
      ),
      tile(
        HEADLINE.fragmentation_bytes.word,
        formatBytes(headline.fragmentation_bytes),
        fragmentationMeaning(headline),
        `${formatPercent(headline.fragmentation_bytes, headline.allocated_bytes)} of allocated`,
        found.has('fragmentation') ? 'warn' : '',
      ),
      tile(
        HEADLINE.aliased_bytes.word,
        formatBytes(headline.aliased_bytes),
        `${exactBytes(headline.aliased_bytes)}: ${HEADLINE.aliased_bytes.sentence}`,
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
    if (capacity !== null && free < 0)
      entries.push(entry('limit', HEADLINE.capacity_bytes.word, capacity, 'The line in the bar.'));
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
