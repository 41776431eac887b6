/** The map as a file: well-formed whatever buffers are called. */
import { expect, it } from 'vitest';
import { hatchOf } from '../../../src/model/map/colors';
import { buildMapSource, layoutMap, placeLabels } from '../../../src/model/map/layout';
import { mapSvg, xmlText } from '../../../src/model/map/svg';

it('escapes names and drops what XML cannot hold', () => {
  expect(xmlText('<img src=x onerror="a()">&\'')).toBe('&lt;img src=x onerror=&quot;a()&quot;&gt;&amp;&#39;');
  expect(xmlText('a\u0000b\u001bc\td')).toBe('a\ufffdb\ufffdc\td');
});

/** Two buffers, the second within the first, as a file. */
function fileOf(knownBy: readonly number[]): string {
  const columns = { start: [0, 2], end: [10, 8], offset: [0, 10], size: [60, 20], knownBy };
  const source = buildMapSource(Int32Array.of(0, 1), columns, 100, 10);
  const picture = layoutMap(source, { start: 0, end: 10, low: 0, high: 100 }, 400, 200);
  const colorOf = (row: number): string => ['#2f7fc1', '#e69f00'][row]!;
  const plain = { labels: [], width: 400, height: 200, caption: '', pointTicks: [], addressTicks: [] };
  return mapSvg({ ...plain, picture, colorOf, nameOf: String });
}

it('hatches what the trace does not list the other way', () => {
  const apart = (text: string): string[] => [...text.matchAll(/<pattern id="([^"]+)"/g)].map(([, id]) => id!);
  expect(apart(fileOf([0, 0]))).toEqual(['free', 'shared-2f7fc1', 'shared-e69f00']);
  expect(apart(fileOf([1, 0]))).toEqual(['free', 'shared-unlisted-2f7fc1', 'shared-e69f00']);
  const alone = { start: [0, 5], end: [5, 10], offset: [0, 0], size: [60, 60], knownBy: [2, 0] };
  const source = buildMapSource(Int32Array.of(0, 1), alone, 100, 10);
  const picture = layoutMap(source, { start: 0, end: 10, low: 0, high: 100 }, 400, 200);
  const item = (row: number): number => picture.rects.row.indexOf(row);
  expect([picture.rects.unlisted[item(0)], picture.rects.unlisted[item(1)]]).toEqual([1, 0]);
  expect(hatchOf('#000000', '#ffffff', false, true)).toMatchObject({ ground: '#000000', rises: false, falls: true });
  expect(hatchOf('#000000', '#ffffff', true, true)).toMatchObject({ rises: true, falls: true });
  expect(hatchOf('#000000', '#ffffff', false, false)).toBeNull();
});

it('draws labels, ticks and sharing', () => {
  const columns = { start: [0, 2], end: [10, 8], offset: [0, 10], size: [60, 20] };
  const source = buildMapSource(Int32Array.of(0, 1), columns, 100, 10);
  const picture = layoutMap(source, { start: 0, end: 10, low: 0, high: 100 }, 400, 200);
  const labels = placeLabels(picture.rects, 400, 200).map((label) => ({ ...label, text: '</svg>' }));
  const text = mapSvg({
    picture,
    labels,
    width: 400,
    height: 200,
    caption: 'a < b',
    pointTicks: [{ at: 0, label: '0' }],
    addressTicks: [{ at: 200, label: '0' }],
    colorOf: () => '#2f7fc1',
    nameOf: () => '<b>',
  });
  expect(text.match(/<\/svg>/g)).toHaveLength(1);
  expect(text).toContain('a &lt; b');
  expect(text).toContain('url(#shared-2f7fc1)');
  expect(text.match(/<title>&lt;b&gt;<\/title>/g)).toHaveLength(2);
});
