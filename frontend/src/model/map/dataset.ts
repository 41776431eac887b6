// The Temporary allocations of a data set as sources of the map. Pure; each is laid out once.

import type { Dataset } from '../dataset';
import { buildMapSource, type MapSource } from './layout';

export interface MapChoice {
  /** Row of the allocation. */
  readonly allocation: number;
  readonly size: number;
  readonly buffers: number;
}

/** Temporary allocations that hold buffers, largest first. */
export function mapChoices(dataset: Dataset): MapChoice[] {
  const counts = new Map<number, number>();
  for (let row = 0; row < dataset.count; row++)
    if (isMapped(dataset, row)) counts.set(dataset.allocation[row]!, (counts.get(dataset.allocation[row]!) ?? 0) + 1);
  return [...counts]
    .map(([allocation, buffers]) => ({ allocation, size: dataset.allocationSize[allocation]!, buffers }))
    .sort((a, b) => b.size - a.size || a.allocation - b.allocation);
}

/** Whether the compiler's trace leaves any of them out. */
export function hasUnlisted(dataset: Dataset): boolean {
  return dataset.knownBy.some((known, row) => known !== 0 && isMapped(dataset, row));
}

const sources = new WeakMap<Dataset, Map<number, MapSource>>();

export function mapSourceOf(dataset: Dataset, allocation: number): MapSource {
  let known = sources.get(dataset);
  if (known === undefined) {
    known = new Map();
    sources.set(dataset, known);
  }
  let source = known.get(allocation);
  if (source === undefined) {
    const rows = Int32Array.from({ length: dataset.count }, (_, row) => row).filter(
      (row) => dataset.allocation[row] === allocation && isMapped(dataset, row),
    );
    source = buildMapSource(rows, dataset, dataset.allocationSize[allocation]!, dataset.points);
    known.set(allocation, source);
  }
  return source;
}

function isMapped(dataset: Dataset, row: number): boolean {
  return dataset.represents[row] === 1 && dataset.isTemporary(row);
}
