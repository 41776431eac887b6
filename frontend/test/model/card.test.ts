/** What the card says of a buffer's life, on answers of the server. */
import { describe, expect, it } from 'vitest';
import { lifeFacts, lifeOf } from '../../src/model/card';
import { DATASETS } from '../golden';

describe.each(DATASETS)('the life of the buffers of %s', (_, dataset) => {
  it('names the last reader, or says that nobody reads it while it is alive', () => {
    for (let row = 0; row < dataset.count; row++) {
      const life = lifeOf(dataset, row);
      const said = lifeFacts(dataset, row, life).find(({ name }) => name === 'Last read at')!;
      expect(said.point).toBe(life.readers.at(-1) ?? null);
      if (said.point === null) expect(said.text.includes('while it is alive')).toBe(life.later.length > 0);
    }
  });
});
