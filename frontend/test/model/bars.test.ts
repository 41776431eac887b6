/** Segments of the bars, on an answer of the server. */
import { describe, expect, it } from 'vitest';
import { layoutBar, SMALL } from '../../src/model/bars';
import { shownRows } from '../../src/model/selection';
import { DATASETS, state } from '../golden';

describe.each(DATASETS)('the bars of %s', (_, dataset) => {
  const rows = shownRows(dataset, state());
  const sizes = Array.from(rows, (row) => dataset.size[row]!);
  const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
  const largest = Math.max(0, ...sizes);

  it('gather what is small where that is the lesser part', () => {
    for (const threshold of [1, 1024, 16 * 1024, largest]) {
      const below = sizes.filter((bytes) => bytes < threshold).reduce((sum, bytes) => sum + bytes, 0);
      const bar = layoutBar(dataset, rows, 'size', 100, threshold);
      expect(bar.smallBytes).toBe(2 * below > total ? 0 : below);
      expect(bar.rows.includes(SMALL)).toBe(bar.smallBytes > 0);
      expect(bar.totalBytes).toBe(total);
    }
  });

  it('show every buffer with bytes where all are small', () => {
    const bar = layoutBar(dataset, rows, 'size', 100, largest + 1);
    expect([...bar.rows].sort((a, b) => a - b)).toEqual([...rows].filter((row) => dataset.size[row]! > 0));
  });
});
