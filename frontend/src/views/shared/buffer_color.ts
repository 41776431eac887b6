// The color of a buffer, the same in every view.

import type { Dataset } from '../../model/dataset';

/** The CSS color of a buffer row. */
export function bufferColor(dataset: Dataset, row: number): string {
  return dataset.color(row);
}
