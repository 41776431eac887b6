// A buffer as plain text, to be pasted into a message. Pure.

import { exactBytes, formatBytes } from '../lib/bytes';
import type { Dataset } from './dataset';

/** One fact a line. */
export function cardText(dataset: Dataset, row: number): string {
  const source = dataset.source(row);
  const readers = dataset.readersOf(row);
  const last = readers.length > 0 ? readers[readers.length - 1]! : null;
  const explained = dataset.paddingExplained(row);
  const facts: [string, string][] = [
    ['buffer', dataset.name(row)],
    ['module', `${dataset.answer.module}, ${dataset.answer.space}`],
    ['size', `${formatBytes(dataset.size[row]!)} (${exactBytes(dataset.size[row]!)})`],
    ['unpadded', `${formatBytes(dataset.unpaddedSize[row]!)} (${exactBytes(dataset.unpaddedSize[row]!)})`],
    ['shape', dataset.shapeText(row)],
    ['stored as', explained && dataset.padding(row) > 0 ? explained.stored : ''],
    ['op name', dataset.op(row)],
    ['source', source ? `${source.file}${source.line === null ? '' : `:${source.line}`}` : ''],
    ['allocation type', dataset.type(row) + (dataset.isAliased(row) ? ', aliased' : '')],
    ['alive', `points ${dataset.start[row]} to ${dataset.end[row]! - 1} of ${dataset.points}`],
    ['last reader', last === null ? '' : `${last} ${dataset.instructionName(dataset.instructionAt(last))}`],
    ['allocation', `${dataset.allocationIndex[dataset.allocation[row]!]} at offset ${dataset.offset[row]}`],
  ];
  return facts
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name}: ${text}`)
    .join('\n');
}
