/** Lines of the user's and of libraries, as groups, card and table show them. */
import { describe, expect, it } from 'vitest';
import { placeFacts } from '../../src/model/card';
import { Dataset } from '../../src/model/dataset';
import { placeText, shortened, shortPlaceText } from '../../src/model/place_text';
import { bufferColumns } from '../../src/model/table/buffers';
import { golden } from '../golden';

const LIBRARY = '/v/lib/python3.11/site-packages/tensorflow/python/framework/ops.py';

/** An answer whose sources are all in a library, and one whose stacks begin in a library. */
function dataset(framework: boolean): Dataset {
  const answer = golden('UsageAnswer', 'usage_padding_hbm.json');
  const file = answer.strings.files.length;
  return new Dataset({
    ...answer,
    strings: { ...answer.strings, files: [...answer.strings.files, LIBRARY] },
    sources: answer.sources.map((source) => (source && framework ? { file, line: 7, framework } : source)),
    frames: answer.frames.map((frame) => frame && { ...frame, file, line: 7 }),
  });
}

const rowsWithSource = (set: Dataset): number[] =>
  Array.from({ length: set.count }, (_, row) => row).filter((row) => set.source(row) !== null);

describe('a place', () => {
  it('is marked where it is a library’s', () => {
    const place = { file: LIBRARY, line: 7, framework: true };
    expect(placeText(place)).toBe(`framework code: ${LIBRARY}:7`);
    expect(shortPlaceText(place)).toBe('framework code: framework/ops.py:7');
    expect(shortened(placeText(place))).toBe(shortPlaceText(place));
    expect(shortened('/home/u/project/model.py:4')).toBe('project/model.py:4');
  });

  it('is in the card with the library’s line second', () => {
    const set = dataset(false);
    const facts = placeFacts(set, rowsWithSource(set)[0]!).map(({ name, text }) => [name, text]);
    expect(facts).toContainEqual(['In the library', `${LIBRARY}:7`]);
    const own = dataset(true);
    const names = placeFacts(own, rowsWithSource(own)[0]!).map(({ name }) => name);
    expect(names).toContain('Source');
    expect(names).not.toContain('In the library');
  });

  it('is whole in the CSV of the table', () => {
    const set = dataset(true);
    const source = bufferColumns(set).find(({ key }) => key === 'source')!;
    expect(source.csv(rowsWithSource(set)[0]!)).toBe(`framework code: ${LIBRARY}:7`);
  });
});
