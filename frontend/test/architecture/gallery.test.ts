// Every view has its pictures in the gallery, in both themes, and the gallery stays small enough to keep.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const VIEWS = join(import.meta.dirname, '../../src/views');
const GALLERY = join(import.meta.dirname, '../gallery');
const MOST_BYTES = 1_500_000;
/** A file that makes something for the page: a view, or an object with an element. */
const MAKES =
  /^export (const make\w+: MakeView|function make\w+\(.*\): (View|Overview|LineChart|AllocationMap|BufferTable|ModulesTable|\{ element)|class (ModulePicker|Controls)\b)/m;

const views = readdirSync(VIEWS, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && MAKES.test(readFileSync(join(VIEWS, file), 'utf8')))
  .map(
    (file) =>
      file
        .replace(/(\/index)?\.ts$/, '')
        .split('/')
        .pop() ?? '',
  );
const index = readFileSync(join(GALLERY, 'index.html'), 'utf8');

test('views are found', () => {
  expect(views).toEqual(
    expect.arrayContaining(['line_chart', 'overview', 'card', 'modules_table', 'compare_picker', 'controls']),
  );
});

test.each(views.flatMap((view) => [`${view}.light.png`, `${view}.dark.png`]))('%s is in the gallery', (picture) => {
  expect(index).toContain(`src="${picture}"`);
  const start = readFileSync(join(GALLERY, picture)).subarray(1, 4).toString('latin1');
  expect(start).toBe('PNG');
});

test('the gallery shows what it holds and stays small', () => {
  const pictures = readdirSync(GALLERY).filter((file) => file.endsWith('.png'));
  const shown = [...index.matchAll(/src="([^"]+)"/g)].map((match) => match[1]);
  expect(shown.slice().sort()).toEqual(pictures.slice().sort());
  expect(pictures.reduce((sum, file) => sum + statSync(join(GALLERY, file)).size, 0)).toBeLessThan(MOST_BYTES);
});
