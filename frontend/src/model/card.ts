// The facts about one buffer, for the card and as text to paste into a message. Pure.

import { exactBytes, formatBytes, groupDigits } from '../lib/bytes';
import { ABSENT } from '../lib/column';
import { counted } from '../lib/text';
import { onwardFacts, originFact } from './axis/goes_on';
import type { Dataset, LifeKind } from './dataset';
import { at, bufferPart, code, type Fact, filled, type Part, plain, pointPart, words } from './fact';
import { handoversFrom, type LastRead, lastReadOf } from './handovers';
import { longestIdle } from './idle';
import { placeText } from './place_text';
import { layoutWords } from './shape_words';

/** `[start, end)`, and how it is known. */
export interface Life {
  readonly start: number;
  readonly end: number;
  readonly kind: LifeKind;
  /** Points that read the buffer while it lives, ascending. */
  readonly readers: Int32Array;
  readonly idle: readonly [number, number] | null;
}

export function lifeOf(dataset: Dataset, row: number): Life {
  const start = dataset.start[row]!;
  const end = dataset.end[row]!;
  const kind = dataset.lifeKind(row);
  const readers = dataset.readersOf(row).filter((point) => point >= start && point < end);
  const isKnown = kind === 'traced' || kind === 'inferred';
  return {
    start,
    end,
    kind,
    readers,
    idle: isKnown && !dataset.isTable(row) ? longestIdle(start, end, readers) : null,
  };
}

export function placeFacts(dataset: Dataset, row: number): Fact[] {
  const shape = dataset.shapeText(row);
  const source = dataset.source(row);
  const parameter = dataset.parameter(row);
  const allocation = dataset.allocation[row]!;
  const type = dataset.type(row) + (parameter === null ? '' : ` ${parameter}`);
  const aliased = dataset.isAliased(row) ? ', aliased: reused by an output' : '';
  const offset = dataset.offset[row]!;
  return filled([
    words('Padding', paddingWords(dataset, row)),
    code('Shape', shape),
    words('Layout', layoutWords(shape)),
    code('Framework op', dataset.op(row)),
    code('Source', source === null ? '' : placeText(source)),
    code('In the library', libraryText(dataset, row)),
    words('Allocation', type + aliased),
    words(
      'Place',
      `allocation ${dataset.allocationIndex[allocation]} of ${formatBytes(dataset.allocationSize[allocation]!)}${offset > 0 ? `, at ${formatBytes(offset)}` : ''}`,
    ),
  ]);
}

export function lifeFacts(dataset: Dataset, row: number, life: Life): Fact[] {
  const { start, end, kind, idle } = life;
  const traced = kind === 'traced';
  const onward = onwardFacts(dataset, row);
  const isFreed = traced && end < dataset.points && onward.length === 0 && takeover(dataset, row) === null;
  return filled([
    words('Alive', aliveText(dataset, row, life)),
    traced ? at('Allocated at', dataset, start) : null,
    isFreed ? at('Freed after', dataset, end - 1) : null,
    originFact(dataset, row),
    ...onward,
    keeper(dataset, row),
    idle === null
      ? null
      : words('Idle', `not read for ${counted(idle[1] - idle[0], 'point')}, from point ${groupDigits(idle[0])}`),
  ]);
}

/** From where to where it lives, and how that is known where the compiler's trace does not list it. */
export function aliveText(dataset: Dataset, row: number, { start, end, kind }: Life): string {
  if (kind === 'indefinite') return 'for the whole run';
  if (kind === 'unknown') return 'for the whole run, because its lifetime is unknown';
  const span =
    end - start === 1
      ? `at point ${groupDigits(start)} only`
      : `points ${groupDigits(start)} to ${groupDigits(end - 1)} (${groupDigits(end - start)})`;
  if (kind === 'traced') return span;
  const isRead = dataset.readersOf(row).length > 0;
  return `${span}, inferred from ${isRead ? 'its readers' : 'the schedule'}: not in the compiler’s trace`;
}

/** One fact a line. */
export function cardText(dataset: Dataset, row: number): string {
  const { answer } = dataset;
  const size = (bytes: number): string => `${formatBytes(bytes)} (${exactBytes(bytes)})`;
  const facts = [
    code('Buffer', dataset.name(row)),
    code('Module', `${answer.module}, ${answer.space}`),
    words('Size', size(dataset.size[row]!)),
    words('Unpadded', size(dataset.unpaddedSize[row]!)),
    ...placeFacts(dataset, row),
    ...lifeFacts(dataset, row, lifeOf(dataset, row)),
  ];
  return facts.map(({ name, text }) => `${name}: ${text}`).join('\n');
}

function paddingWords(dataset: Dataset, row: number): string {
  const explained = dataset.padding(row) > 0 ? dataset.paddingExplained(row) : null;
  if (explained === null) return '';
  return `stored as ${explained.stored}${explained.worst === null ? '' : `; ${explained.worst}`}`;
}

/** The innermost line of the stack, where the source is further out: that of the library which it calls. */
function libraryText(dataset: Dataset, row: number): string {
  const [innermost, source] = [dataset.stack(row).find(({ file }) => file !== ''), dataset.source(row)];
  if (innermost === undefined || source === null) return '';
  return innermost.file === source.file && innermost.line === source.line ? '' : placeText(innermost);
}

/** What keeps the buffer alive: the last reader of its memory, under whatever name. */
function keeper(dataset: Dataset, row: number): Fact {
  const last = lastReadOf(dataset, row);
  if (last !== null) return at('Last read at', dataset, last.point, circumstances(dataset, row, last));
  if (dataset.allocationLiveOut[dataset.allocation[row]!] === 1)
    return words('Last read at', 'never: it is an output of the program');
  if (dataset.isTable(row)) return words('Last read at', 'never: it is a tuple’s table of pointers and holds no data');
  const goesOn = handoversFrom(dataset, row).length > 0;
  return words(
    'Last read at',
    goesOn ? 'unknown: not read under this name or its later names' : 'unknown: no reader found',
  );
}

function circumstances(dataset: Dataset, row: number, last: LastRead): Part[] {
  const pass = last.loop === ABSENT ? '' : `, in the next iteration of ${dataset.instructionName(last.loop)}`;
  if (last.row !== row) return [plain(`${pass} as `), bufferPart(dataset, last.row)];
  const heir = takeover(dataset, row);
  if (heir === null) return pass === '' ? [] : [plain(pass)];
  const start = dataset.start[heir]!;
  if (start === last.point && dataset.instruction[heir] === dataset.instructionAt(last.point))
    return [plain(', whose result takes over its memory')];
  return [
    plain('; its memory is taken over at '),
    pointPart(dataset, start, groupDigits(start)),
    plain(' by '),
    bufferPart(dataset, heir),
  ];
}

/**
 * The buffer that takes the memory over before or while the last reader reads it, as a result that is written in place does; null
 * where there is none. Both are alive at that point at the same addresses, or one follows on the other there.
 */
function takeover(dataset: Dataset, row: number): number | null {
  const { start, end, offset, size, allocation } = dataset;
  const last = dataset.readersOf(row).at(-1);
  if (last === undefined || last < end[row]! - 1) return null;
  for (let other = row + 1; other < dataset.count && start[other]! <= last; other++) {
    const shares =
      allocation[other] === allocation[row] &&
      offset[other]! < offset[row]! + size[row]! &&
      offset[row]! < offset[other]! + size[other]!;
    if (shares && start[other]! >= end[row]! - 1 && start[other]! > start[row]!) return other;
  }
  return null;
}
