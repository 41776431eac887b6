/** What the card says of a buffer's life, on answers of the server. */
import { describe, expect, it } from 'vitest';
import { lifeFacts, lifeOf } from '../../src/model/card';
import { DATASETS } from '../golden';

describe.each(DATASETS)('the life of the buffers of %s', (_, dataset) => {
  it('names the last reader, and says where that comes after the FREE', () => {
    for (let row = 0; row < dataset.count; row++) {
      const life = lifeOf(dataset, row);
      const said = lifeFacts(dataset, row, life).find(({ name }) => name === 'Last read at')!;
      expect(said.point).toBe(dataset.readersOf(row).at(-1) ?? null);
      expect(said.text.includes('after the compiler’s trace frees it')).toBe(life.later.length > 0);
    }
  });
});
