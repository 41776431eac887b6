// The headline numbers, a tile each.

import { HEADLINE } from '../../generated/vocabulary';
import { exactBytes, formatBytes, formatPercent, groupDigits } from '../../lib/bytes';
import { shortenMiddle } from '../../lib/text';
import { isNearlyFull } from '../../model/capacity';
import type { Dataset } from '../../model/dataset';
import { fragmentationMeaning, paddingMeaning } from '../../model/headline_words';
import { placeText } from '../../model/place_text';
import { el } from '../shared/dom';

export interface TilesOf {
  readonly dataset: Dataset;
  readonly capacity: number | null;
  /** Whether a person has typed the capacity. */
  readonly isTyped: boolean;
  /** Kinds of what is found: their numbers are marked. */
  readonly found: ReadonlySet<string>;
}

export function tiles(overview: TilesOf): HTMLElement {
  const { dataset, found } = overview;
  const { headline } = dataset;
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
    limitTile(overview),
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
    instructionTile(dataset),
  );
}

function tile(label: string, value: string | Node, meaning: string, more = '', tone = ''): HTMLElement {
  return el(
    'div',
    { class: `tile ${tone}`, title: meaning },
    el('div', { class: 'tile-label' }, label),
    el('div', { class: 'tile-value' }, value),
    el('div', { class: 'tile-more' }, more),
  );
}

/** What is required, and how far that is from the capacity. */
function limitTile({ dataset: { headline }, capacity, isTyped }: TilesOf): HTMLElement {
  const required = headline.required_bytes;
  const meaning = `${exactBytes(required)}: ${HEADLINE.required_bytes.sentence}`;
  const tileOf = (more: string, why: string, tone: string): HTMLElement =>
    tile(HEADLINE.required_bytes.word, formatBytes(required), `${meaning}\n${why}`, more, tone);
  if (capacity === null)
    return tileOf('capacity unknown', 'Enter the device capacity above to see how much is left.', '');
  const why = `Capacity: ${exactBytes(capacity)}, ${isTyped ? 'as you entered' : (headline.capacity_source ?? '')}.`;
  const left = capacity - required;
  if (left < 0) return tileOf(`${formatBytes(-left)} over, of ${formatBytes(capacity)}`, why, 'bad');
  const more = `${formatPercent(required, capacity)} of ${formatBytes(capacity)}, ${formatBytes(left)} left`;
  return tileOf(more, why, isNearlyFull(capacity, required) ? 'warn' : '');
}

function instructionTile(dataset: Dataset): HTMLElement {
  const peakRow = dataset.instructionAt(dataset.headline.peak_point);
  const source = dataset.instructionSource(peakRow);
  return el(
    'div',
    {
      class: 'tile wide',
      title: [dataset.instructionName(peakRow), dataset.instructionOp(peakRow), source ? placeText(source) : '']
        .filter(Boolean)
        .join('\n'),
    },
    el('div', { class: 'tile-label' }, 'Instruction at the peak'),
    el('div', { class: 'tile-value mono' }, shortenMiddle(dataset.instructionName(peakRow) || '—', 44)),
    el('div', { class: 'tile-more' }, shortenMiddle(source ? placeText(source) : dataset.instructionOp(peakRow), 60)),
  );
}
