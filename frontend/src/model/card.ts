// What there is to say of one buffer, as the card shows it and as text to be pasted into a message. Pure.

import { exactBytes, formatBytes, groupDigits } from '../lib/bytes';
import { counted } from '../lib/text';
import type { Dataset } from './dataset';
import { longestIdle } from './idle';
import { placeText } from './place_text';
import { layoutWords } from './shape_words';

export interface Fact {
  readonly name: string;
  readonly text: string;
  /** A name of the program's own, not words of ours. */
  readonly code: boolean;
  /** The program point that the fact is about. */
  readonly point: number | null;
}

/** `[start, end)`, and whether a heap event or an allocation's nature says so. */
export interface Life {
  readonly start: number;
  readonly end: number;
  readonly kind: 'traced' | 'indefinite' | 'untraced';
  /** Points that read the buffer while it lives, ascending. */
  readonly readers: Int32Array;
  /** Points that read it after the trace frees it: a FREE stands between allocations, not at an instruction. */
  readonly later: Int32Array;
  readonly idle: readonly [number, number] | null;
}

export function lifeOf(dataset: Dataset, row: number): Life {
  const start = dataset.start[row]!;
  const end = dataset.end[row]!;
  const kind = !dataset.isTemporary(row) ? 'indefinite' : dataset.untraced[row] === 1 ? 'untraced' : 'traced';
  const all = dataset.readersOf(row);
  const readers = all.filter((point) => point >= start && point < end);
  const later = all.filter((point) => point >= end);
  return { start, end, kind, readers, later, idle: kind === 'traced' ? longestIdle(start, end, readers) : null };
}

export function placeFacts(dataset: Dataset, row: number): Fact[] {
  const shape = dataset.shapeText(row);
  const source = dataset.source(row);
  const parameter = dataset.parameter(row);
  const allocation = dataset.allocation[row]!;
  const type = dataset.type(row) + (parameter === null ? '' : ` ${parameter}`);
  const aliased = dataset.isAliased(row) ? ', aliased: an output takes its memory over' : '';
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
  return filled([
    words('Alive', aliveWords(life)),
    at('Allocated at', dataset, traced ? start : null),
    at('Freed after', dataset, traced && end < dataset.points ? end - 1 : null),
    keeper(dataset, row, life),
    idle === null
      ? null
      : words('Idle', `${counted(idle[1] - idle[0], 'point')} from ${groupDigits(idle[0])} on: nobody reads it there`),
  ]);
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

function aliveWords({ start, end, kind }: Life): string {
  if (kind === 'indefinite') return 'for the whole run';
  if (kind === 'untraced') return 'for the whole run: the compiler’s trace does not mention it';
  if (end - start === 1) return `at point ${groupDigits(start)} only`;
  return `points ${groupDigits(start)} to ${groupDigits(end - 1)} (${groupDigits(end - start)})`;
}

/** What keeps the buffer alive: its last reader. */
function keeper(dataset: Dataset, row: number, { readers, later }: Life): Fact {
  const afterwards = later.at(-1);
  if (afterwards !== undefined)
    return at('Last read at', dataset, afterwards, ', after the compiler’s trace frees it')!;
  const last = readers.at(-1);
  if (last !== undefined) return at('Last read at', dataset, last)!;
  const output = dataset.allocationLiveOut[dataset.allocation[row]!] === 1;
  return words('Last read at', output ? 'never: it is an output of the program' : 'no reader is known');
}

function at(name: string, dataset: Dataset, point: number | null, more = ''): Fact | null {
  if (point === null) return null;
  const instruction = dataset.instructionName(dataset.instructionAt(point));
  return { name, text: `${groupDigits(point)} · ${instruction}${more}`, code: true, point };
}

const words = (name: string, text: string): Fact => ({ name, text, code: false, point: null });
const code = (name: string, text: string): Fact => ({ name, text, code: true, point: null });

function filled(facts: readonly (Fact | null)[]): Fact[] {
  return facts.filter((fact): fact is Fact => fact !== null && fact.text !== '');
}
