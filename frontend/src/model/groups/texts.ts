// What searches look at: a text for each instruction and for each shape. Built when first asked for, kept with the data set. Pure.

import type { Dataset } from '../dataset';
import { placeText } from '../place_text';

const texts = new WeakMap<Dataset, { instructions: readonly string[]; shapes: readonly string[] }>();

/** By instruction row: name, framework op, source and opcode, each on its own line, so that `^` and `$` work on each. */
export function searchTexts(dataset: Dataset): { instructions: readonly string[]; shapes: readonly string[] } {
  let known = texts.get(dataset);
  if (known === undefined) {
    const instructions = Array.from({ length: dataset.instructionCount }, (_, row) => {
      const place = dataset.instructionSource(row);
      const source = place === null ? '' : placeText(place);
      return `${dataset.instructionName(row)}\n${dataset.instructionOp(row)}\n${source}\n${dataset.instructionOpcode(row)}`;
    });
    known = { instructions, shapes: dataset.answer.strings.shapes };
    texts.set(dataset, known);
  }
  return known;
}

/** By buffer row, 1 where its instruction or its shape was found. */
export function rowsFound(
  dataset: Dataset,
  inInstructions: readonly (string | null)[],
  inShapes: readonly (string | null)[],
): Uint8Array {
  const rows = new Uint8Array(dataset.count);
  for (let row = 0; row < dataset.count; row++) {
    const instruction = dataset.instruction[row]!;
    const shape = dataset.shape[row]!;
    if ((inInstructions[instruction] ?? null) !== null || (inShapes[shape] ?? null) !== null) rows[row] = 1;
  }
  return rows;
}
