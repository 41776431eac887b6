// The columns of the table of buffers. Pure; rows are those of the data set.

import { CSV_COLUMNS, type CsvColumn } from '../../generated/contract';
import { formatBytes, groupDigits } from '../../lib/bytes';
import type { Dataset, LifeKind, Place } from '../dataset';
import { lastReadOf } from '../handovers';
import { placeText, shortPlaceText } from '../place_text';
import type { CsvSource, TableColumn } from './table';

type Numbers = (row: number) => number | null;
type Texts = (row: number) => string;

/** Columns that are there for whoever asks for them. */
const HIDDEN: ReadonlySet<string> = new Set([
  'unpadded_bytes',
  'factor',
  'dtype',
  'opcode',
  'points',
  'last_read',
  'readers',
  'known_by',
  'allocation',
  'offset',
  'aliased',
  'id',
]);

const KNOWN_BY: Readonly<Record<LifeKind, string>> = {
  traced: 'trace',
  inferred: 'readers',
  unknown: 'unknown',
  indefinite: 'allocation',
};

/** Every column there is, in the order shown; the first is the name. */
export function bufferColumns(dataset: Dataset): readonly TableColumn[] {
  return [...sizeColumns(dataset), ...originColumns(dataset), ...lifeColumns(dataset), ...placeColumns(dataset)].map(
    (column) => ({ ...column, shown: !HIDDEN.has(column.key) }),
  );
}

/** The columns of the file, the same as those of the command line. */
export function csvColumns(dataset: Dataset): readonly CsvSource[] {
  const known = new Map<string, CsvSource>(
    [...bufferColumns(dataset), ...fileColumns(dataset)].map((column) => [column.key, column]),
  );
  return CSV_COLUMNS.map((key) => known.get(key)!);
}

/** What the table shows otherwise or not at all. */
function fileColumns(dataset: Dataset): { key: CsvColumn; csv: Texts }[] {
  const { start, end, headline } = dataset;
  const atPeak: Texts = (row) => yes(start[row]! <= headline.peak_point && headline.peak_point < end[row]!);
  return [
    { key: 'instruction', csv: (row) => dataset.instructionName(dataset.instruction[row]!) },
    { key: 'shape_index', csv: (row) => dataset.shapeIndexText(row) },
    { key: 'scope', csv: (row) => dataset.scope(row) },
    { key: 'live_at_peak', csv: atPeak },
  ];
}

function sizeColumns(dataset: Dataset): TableColumn[] {
  const name = texts('name', 'Buffer', 200, 'Defining instruction, with the index of a tuple element.', (row) =>
    dataset.name(row),
  );
  const factor: Numbers = (row) =>
    dataset.unpaddedSize[row]! > 0 ? dataset.size[row]! / dataset.unpaddedSize[row]! : null;
  const times = (value: number): string => `${value.toFixed(2)} ×`;
  return [
    { ...name, stretch: true, least: 126 },
    bytes('bytes', 'Size', 'As stored, tiles and padding included.', (row) => dataset.size[row]!),
    bytes('unpadded_bytes', 'Unpadded', 'What the elements need.', (row) => dataset.unpaddedSize[row]!),
    bytes('padding_bytes', 'Padding', 'Stored beyond what the elements need.', (row) => dataset.padding(row)),
    numbers('factor', 'Factor', 72, 'Stored size divided by the size of the elements.', factor, times),
  ];
}

function originColumns(dataset: Dataset): TableColumn[] {
  const source = texts('source', 'Source', 140, 'Innermost line of your code.', (row) =>
    textOf(placeText, dataset.source(row)),
  );
  const shape = texts('shape', 'Shape', 160, 'Type, dimensions and layout, as XLA writes them.', (row) =>
    dataset.shapeText(row),
  );
  const op = 'The framework’s name for the operation, with the scopes of your code, outermost first.';
  const type = 'Every type except Temporary is held for the whole program.';
  return [
    { ...source, stretch: true, least: 94, cut: 'start', text: (row) => textOf(shortPlaceText, dataset.source(row)) },
    { ...texts('op_name', 'Framework op', 240, op, (row) => dataset.op(row)), stretch: true, least: 118, cut: 'start' },
    { ...shape, stretch: true, least: 134, mono: true, text: (row) => withoutLayouts(dataset.shapeText(row)) },
    texts('dtype', 'Data type', 84, 'Type of the elements.', (row) => dataset.dtype(row)),
    { ...texts('type', 'Allocation', 104, type, (row) => dataset.type(row)), least: 88 },
    texts('opcode', 'Opcode', 116, 'Operation of the instruction.', (row) => dataset.opcode(row)),
  ];
}

function lifeColumns(dataset: Dataset): TableColumn[] {
  const { start, end } = dataset;
  const knownBy =
    'Source of From and Until: the compiler’s trace, the readers in the schedule, or the allocation, which is held for the whole run.';
  const point = (key: string, label: string, help: string, value: Numbers): TableColumn =>
    numbers(key, label, 84, help, value, groupDigits);
  // A number is never cut: the last point has the most digits.
  const least = Math.max(60, 18 + 7 * groupDigits(dataset.points).length);
  return [
    { ...point('start', 'From', 'Program point that allocates the buffer.', (row) => start[row]!), least },
    // The file has the end of the half-open span, as all data do.
    {
      ...point('end', 'Until', 'Last program point at which the buffer is alive.', (row) => end[row]! - 1),
      least,
      csv: (row) => end[row]!,
    },
    point(
      'points',
      'Points',
      'Number of program points at which the buffer is alive.',
      (row) => end[row]! - start[row]!,
    ),
    point(
      'last_read',
      'Last read',
      'Last program point that reads the buffer’s memory, including under its other names in and after loops and branches.',
      (row) => lastReadOf(dataset, row)?.point ?? null,
    ),
    point(
      'readers',
      'Readers',
      'Number of program points whose instruction reads the buffer.',
      (row) => dataset.readersOf(row).length,
    ),
    texts('known_by', 'Life known by', 104, knownBy, (row) => KNOWN_BY[dataset.lifeKind(row)]),
  ];
}

function placeColumns(dataset: Dataset): TableColumn[] {
  const number: Numbers = (row) => dataset.allocationIndex[dataset.allocation[row]!]!;
  const hex = (value: number): string => `0x${value.toString(16)}`;
  return [
    numbers('allocation', 'Alloc. no.', 84, 'Number of its allocation.', number, String),
    numbers('offset', 'Address', 104, 'Its first byte in its allocation.', (row) => dataset.offset[row]!, hex),
    texts('aliased', 'Aliased', 76, 'Whether an output reuses its memory.', (row) => yes(dataset.isAliased(row))),
    texts('id', 'Id', 84, 'Number of the logical buffer.', (row) => dataset.id[row]!),
  ];
}

function yes(is: boolean): string {
  return is ? 'yes' : '';
}

function texts(key: string, label: string, width: number, help: string, text: Texts): TableColumn {
  return { key, label, help, width, align: 'start', shown: true, text, sortKey: text, csv: text };
}

function numbers(
  key: string,
  label: string,
  width: number,
  help: string,
  value: Numbers,
  format: (value: number) => string,
): TableColumn {
  const text: Texts = (row) => {
    const known = value(row);
    return known === null ? '' : format(known);
  };
  return { key, label, help, width, align: 'end', shown: true, text, sortKey: value, csv: value };
}

function bytes(key: string, label: string, help: string, value: (row: number) => number): TableColumn {
  return { ...numbers(key, label, 92, help, value, formatBytes), least: 84 };
}

/** Type and dimensions are what tells shapes apart at a glance; the whole text is in the tooltip and in the CSV. */
function withoutLayouts(shape: string): string {
  return shape.replaceAll(/\{[^{}]*\}/g, '');
}

function textOf(text: (place: Place) => string, place: Place | null): string {
  return place === null ? '' : text(place);
}
