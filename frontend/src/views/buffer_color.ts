// The color of a buffer, the same in every view: by what the framework calls it, else by its instruction.

import { colorOf } from '../lib/palette';
import type { Dataset } from '../model/dataset';

/** The CSS color of a buffer row. */
export function bufferColor(dataset: Dataset, row: number): string {
  return colorOf(`${dataset.op(row) || dataset.opcode(row)} ${dataset.shapeText(row)}`);
}
