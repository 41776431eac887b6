// The buffers of one group side by side, largest first. Pure layout.

import type { Dataset } from '../dataset';

/** A buffer's share [left, right) of the width; row null gathers those too narrow to draw. */
export interface BufferCell {
  readonly row: number | null;
  readonly left: number;
  readonly right: number;
  readonly gathered: number;
  readonly bytes: number;
}

export function layoutBuffers(dataset: Dataset, rows: Int32Array, least: number): BufferCell[] {
  const total = rows.reduce((sum, row) => sum + dataset.size[row]!, 0);
  const cells: BufferCell[] = [];
  let left = 0;
  let gathered = 0;
  let gatheredBytes = 0;
  for (const row of rows.slice().sort((a, b) => dataset.size[b]! - dataset.size[a]! || a - b)) {
    const bytes = dataset.size[row]!;
    const width = total > 0 ? bytes / total : 0;
    if (width < least) {
      gathered += 1;
      gatheredBytes += bytes;
      continue;
    }
    cells.push({ row, left, right: left + width, gathered: 0, bytes });
    left += width;
  }
  if (gathered > 0) cells.push({ row: null, left, right: 1, gathered, bytes: gatheredBytes });
  return cells;
}
