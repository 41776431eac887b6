// The columns of the table of buffers. Pure; rows are those of the data set.

import { formatBytes, groupDigits } from '../lib/bytes';
import { shortPath } from '../lib/text';
import type { Dataset, Place } from './dataset';
import type { TableColumn } from './table';

type Numbers = (row: number) => number | null;
type Texts = (row: number) => string;

/** Every column there is, in the order shown; the first is the name. */
export function bufferColumns(dataset: Dataset): readonly TableColumn[] {
  const point = (value: number): string => groupDigits(value);
  return [
    {
      ...texts(
        'name',
        'Buffer',
        220,
        'The instruction that defines the buffer, with the index of a tuple element.',
        (row) => dataset.name(row),
      ),
      stretch: true,
    },
    bytes('size', 'Size', 92, 'Bytes as stored, tiles and padding included.', (row) => dataset.size[row]!),
    hidden(bytes('unpadded', 'Unpadded', 92, 'Bytes that the elements need.', (row) => dataset.unpaddedSize[row]!)),
    bytes('padding', 'Padding', 88, 'Bytes stored beyond what the elements need.', (row) => dataset.padding(row)),
    hidden(
      numbers(
        'factor',
        'Factor',
        72,
        'How many times as large as its elements the buffer is stored.',
        factorOf(dataset),
        (value) => `${value.toFixed(2)} ×`,
      ),
    ),
    {
      ...texts('shape', 'Shape', 200, 'Type, dimensions and layout, as XLA writes them.', (row) =>
        dataset.shapeText(row),
      ),
      mono: true,
    },
    hidden(texts('dtype', 'Data type', 84, 'Type of the elements.', (row) => dataset.dtype(row))),
    texts(
      'type',
      'Allocation',
      104,
      'Parameter, Output, Thread-local and Constant are held for the whole program; Temporary comes and goes.',
      (row) => dataset.type(row),
    ),
    texts('opcode', 'Opcode', 116, 'Operation of the instruction.', (row) => dataset.opcode(row)),
    texts(
      'op',
      'Framework op',
      240,
      'Name that the framework gave the operation: scopes of your code, outermost first.',
      (row) => dataset.op(row),
    ),
    {
      ...texts('source', 'Source', 170, 'Line of your code.', (row) => sourceText(dataset.source(row))),
      text: (row) => shortSource(dataset.source(row)),
    },
    numbers('start', 'From', 76, 'Program point that allocates the buffer.', (row) => dataset.start[row]!, point),
    numbers(
      'end',
      'Until',
      76,
      'First program point at which the buffer is no longer alive.',
      (row) => dataset.end[row]!,
      point,
    ),
    hidden(
      numbers(
        'points',
        'Points',
        76,
        'How many program points the buffer lives.',
        (row) => dataset.end[row]! - dataset.start[row]!,
        point,
      ),
    ),
    hidden(
      numbers(
        'last_reader',
        'Last read',
        84,
        'Program point of the last instruction that reads the buffer.',
        (row) => dataset.readersOf(row).at(-1) ?? null,
        point,
      ),
    ),
    hidden(
      numbers(
        'readers',
        'Readers',
        76,
        'How many program points read the buffer.',
        (row) => dataset.readersOf(row).length,
        point,
      ),
    ),
    hidden(
      numbers(
        'allocation',
        'Alloc. no.',
        84,
        'Number of the allocation that the buffer is part of.',
        (row) => dataset.allocationIndex[dataset.allocation[row]!]!,
        String,
      ),
    ),
    hidden(
      numbers(
        'offset',
        'Address',
        100,
        'First byte of the buffer in its allocation.',
        (row) => dataset.offset[row]!,
        hex,
      ),
    ),
    hidden(
      texts('aliased', 'Aliased', 76, 'Whether an output reuses the memory of this argument.', (row) =>
        dataset.isAliased(row) ? 'yes' : '',
      ),
    ),
    hidden(texts('id', 'Id', 84, 'Number of the logical buffer.', (row) => dataset.id[row]!)),
  ];
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

function bytes(key: string, label: string, width: number, help: string, value: (row: number) => number): TableColumn {
  return { ...numbers(key, label, width, help, value, formatBytes), key: `${key}_bytes` };
}

function hidden(column: TableColumn): TableColumn {
  return { ...column, shown: false };
}

function factorOf(dataset: Dataset): Numbers {
  return (row) => (dataset.unpaddedSize[row]! > 0 ? dataset.size[row]! / dataset.unpaddedSize[row]! : null);
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}

function sourceText(place: Place | null): string {
  return place === null ? '' : `${place.file}${place.line === null ? '' : `:${place.line}`}`;
}

function shortSource(place: Place | null): string {
  return place === null ? '' : sourceText({ file: shortPath(place.file), line: place.line });
}
