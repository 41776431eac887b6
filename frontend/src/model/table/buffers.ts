// The columns of the table of buffers. Pure; rows are those of the data set.

import { CSV_COLUMNS, type CsvColumn } from '../../generated/contract';
import { BUFFER_COLUMNS, type BufferColumnKey, KNOWN_BY } from '../../generated/vocabulary';
import { formatBytes, groupDigits } from '../../lib/bytes';
import type { Dataset, Place } from '../dataset';
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
  const name = texts('name', 200, (row) => dataset.name(row));
  const factor: Numbers = (row) =>
    dataset.unpaddedSize[row]! > 0 ? dataset.size[row]! / dataset.unpaddedSize[row]! : null;
  const times = (value: number): string => `${value.toFixed(2)} ×`;
  return [
    { ...name, stretch: true, least: 126 },
    bytes('bytes', (row) => dataset.size[row]!),
    bytes('unpadded_bytes', (row) => dataset.unpaddedSize[row]!),
    bytes('padding_bytes', (row) => dataset.padding(row)),
    numbers('factor', 72, factor, times),
  ];
}

function originColumns(dataset: Dataset): TableColumn[] {
  const source = texts('source', 140, (row) => textOf(placeText, dataset.source(row)));
  const shape = texts('shape', 160, (row) => dataset.shapeText(row));
  return [
    { ...source, stretch: true, least: 94, cut: 'start', text: (row) => textOf(shortPlaceText, dataset.source(row)) },
    { ...texts('op_name', 240, (row) => dataset.op(row)), stretch: true, least: 118, cut: 'start' },
    { ...shape, stretch: true, least: 134, mono: true, text: (row) => withoutLayouts(dataset.shapeText(row)) },
    texts('dtype', 84, (row) => dataset.dtype(row)),
    { ...texts('type', 104, (row) => dataset.type(row)), least: 88 },
    texts('opcode', 116, (row) => dataset.opcode(row)),
  ];
}

function lifeColumns(dataset: Dataset): TableColumn[] {
  const { start, end } = dataset;
  const point = (key: BufferColumnKey, value: Numbers): TableColumn => numbers(key, 84, value, groupDigits);
  // A number is never cut: the last point has the most digits.
  const least = Math.max(60, 18 + 7 * groupDigits(dataset.points).length);
  return [
    { ...point('start', (row) => start[row]!), least },
    // The file has the end of the half-open span, as all data do.
    {
      ...point('end', (row) => end[row]! - 1),
      least,
      csv: (row) => end[row]!,
    },
    point('points', (row) => end[row]! - start[row]!),
    point('last_read', (row) => lastReadOf(dataset, row)?.point ?? null),
    point('readers', (row) => dataset.readersOf(row).length),
    texts('known_by', 104, (row) => KNOWN_BY[dataset.lifeKind(row)]),
  ];
}

function placeColumns(dataset: Dataset): TableColumn[] {
  const number: Numbers = (row) => dataset.allocationIndex[dataset.allocation[row]!]!;
  const hex = (value: number): string => `0x${value.toString(16)}`;
  return [
    numbers('allocation', 84, number, String),
    numbers('offset', 104, (row) => dataset.offset[row]!, hex),
    texts('aliased', 76, (row) => yes(dataset.isAliased(row))),
    texts('id', 84, (row) => dataset.id[row]!),
  ];
}

function yes(is: boolean): string {
  return is ? 'yes' : '';
}

function texts(key: BufferColumnKey, width: number, text: Texts): TableColumn {
  return { ...named(key), width, align: 'start', shown: true, text, sortKey: text, csv: text };
}

function numbers(key: BufferColumnKey, width: number, value: Numbers, format: (value: number) => string): TableColumn {
  const text: Texts = (row) => {
    const known = value(row);
    return known === null ? '' : format(known);
  };
  return { ...named(key), width, align: 'end', shown: true, text, sortKey: value, csv: value };
}

function named(key: BufferColumnKey): Pick<TableColumn, 'key' | 'label' | 'help'> {
  const { word, help } = BUFFER_COLUMNS[key];
  return { key, label: word, help };
}

function bytes(key: BufferColumnKey, value: (row: number) => number): TableColumn {
  return { ...numbers(key, 92, value, formatBytes), least: 84 };
}

/** Type and dimensions are what tells shapes apart at a glance; the whole text is in the tooltip and in the CSV. */
function withoutLayouts(shape: string): string {
  return shape.replaceAll(/\{[^{}]*\}/g, '');
}

function textOf(text: (place: Place) => string, place: Place | null): string {
  return place === null ? '' : text(place);
}
