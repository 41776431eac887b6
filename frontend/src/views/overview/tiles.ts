// The headline numbers, a tile each.

import { exactBytes, formatBytes, formatPercent, groupDigits } from '../../lib/bytes';
import { shortenMiddle } from '../../lib/text';
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
      'Peak usage',
      formatBytes(headline.peak_bytes),
      `${exactBytes(headline.peak_bytes)}: the most memory in use at any program point. Shows what dominates; the required amount is larger.`,
      `point ${groupDigits(headline.peak_point)} of ${groupDigits(dataset.points)}`,
      'lead',
    ),
    limitTile(overview),
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
      `${exactBytes(headline.aliased_bytes)} of the arguments’ memory are reused for outputs (donation).`,
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

/** How far the capacity is; where none is known, what must fit. */
function limitTile({ dataset: { headline }, capacity, isTyped }: TilesOf): HTMLElement {
  const required = headline.required_bytes;
  if (capacity === null) {
    return tile(
      'Must fit',
      formatBytes(required),
      `${exactBytes(required)}: everything that XLA reserves in this memory space, plus the largest scoped memory. Enter the device capacity above to see the headroom.`,
      'capacity unknown',
    );
  }
  const over = required - capacity;
  const word = el('small', {}, over > 0 ? 'over' : 'left');
  const value = el('span', {}, formatBytes(Math.abs(over)), ' ', word);
  const meaning = `${exactBytes(required)} required, ${exactBytes(capacity)} available. ${isTyped ? 'Capacity you entered.' : (headline.capacity_source ?? '')}`;
  const share = over > 0 ? formatBytes(required) : formatPercent(required, capacity);
  const more = `${share} of ${formatBytes(capacity)}`;
  return tile('To capacity', value, meaning, more, over > 0 ? 'bad' : -over < 0.05 * capacity ? 'warn' : '');
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
