// Which room of the page may call which: a wrong arrow fails here. The tables allow; what they do not name is forbidden.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SOURCE = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'src');

/** Room → rooms that it may import, beside itself. A room is a folder of src/, or a file in it. */
const ROOMS: Record<string, readonly string[]> = {
  lib: [],
  // Written from the vocabulary of the Python package.
  generated: [],
  contract: ['lib'],
  api: ['contract'],
  // What a person chose, and the named changes of it.
  state: ['lib', 'generated', 'contract'],
  model: ['lib', 'generated', 'contract', 'state'],
  // Searches run in a worker; what they find goes into the store.
  matching: ['lib', 'model', 'state'],
  views: ['lib', 'generated', 'contract', 'model', 'state'],
  // Asks for what the choice needs.
  loader: ['lib', 'contract', 'api', 'model', 'state', 'loader_beside', 'loader_modules'],
  loader_beside: ['lib', 'contract', 'api', 'model', 'state', 'loader_modules'],
  loader_modules: ['lib', 'contract', 'api', 'model', 'state'],
  // The two doors to the world around the page: its address, and the Profile tab that it may be a guest of.
  address: ['lib', 'model', 'state', 'profile_tab'],
  guest: ['profile_tab'],
  // Where all of it meets.
  page: [
    'lib',
    'contract',
    'api',
    'model',
    'state',
    'matching',
    'loader',
    'loader_modules',
    'address',
    'guest',
    'views',
    'styles',
  ],
  index: [],
  matcher: ['lib'],
  profile_tab: ['lib'],
};

interface Import {
  readonly from: string;
  readonly to: string;
}

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.ts'));

const texts = new Map(files.map((name) => [name, readFileSync(join(SOURCE, name), 'utf8')]));

const imports: Import[] = files.flatMap((name) =>
  [...(texts.get(name) ?? '').matchAll(/\bfrom '([^']+)'|\bimport\('([^']+)'\)|^import '([^']+)'/gm)]
    .map((match) => match[1] ?? match[2] ?? match[3] ?? '')
    .filter((target) => target.startsWith('.'))
    .map((target) => ({
      from: name,
      to: relative(SOURCE, normalize(join(SOURCE, dirname(name), target))).replaceAll('\\', '/'),
    })),
);

const roomOf = (name: string): string => name.replace(/\.ts$/, '').split('/')[0] ?? '';
const viewOf = (name: string): string => name.split('/')[1] ?? '';

describe('rooms', () => {
  it('import only what their table allows', () => {
    const wrong = imports.filter(
      ({ from, to }) => roomOf(from) !== roomOf(to) && !ROOMS[roomOf(from)]?.includes(roomOf(to)),
    );
    expect(wrong).toEqual([]);
  });

  it('are all in the table', () => {
    expect([...new Set(files.map(roomOf))].filter((room) => !(room in ROOMS))).toEqual([]);
  });
});

describe('views', () => {
  it('import only their own folder and what all views share; the page imports them all', () => {
    const wrong = imports.filter(({ from, to }) => {
      if (roomOf(from) !== 'views' || roomOf(to) !== 'views' || viewOf(from) === 'page') return false;
      return viewOf(to) !== viewOf(from) && viewOf(to) !== 'shared';
    });
    expect(wrong).toEqual([]);
  });

  it('are folders', () => {
    expect(files.filter((name) => /^views\/[^/]+$/.test(name))).toEqual([]);
  });
});

describe('the world outside', () => {
  const code = (name: string): string => (texts.get(name) ?? '').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  const using = (pattern: RegExp): string[] => files.filter((name) => pattern.test(code(name)));

  it('is asked by api alone', () => {
    const asking = using(/\bfetch\(|\bXMLHttpRequest\b|\bEventSource\b|\bWebSocket\b/);
    expect(asking.filter((name) => roomOf(name) !== 'profile_tab')).toEqual(['api.ts']);
  });

  it('has a document for views and pages only', () => {
    const drawing = using(/\bdocument\.|\bHTMLElement\b|\bSVGElement\b/);
    expect(
      drawing.filter((name) => !['views', 'page', 'index', 'profile_tab', 'address', 'guest'].includes(roomOf(name))),
    ).toEqual([]);
  });

  it('is never told of another run, module, space or point but by an action, which resets what does not belong there', () => {
    const field = 'run|host|module|space|capacity|point|shown';
    const raw = using(new RegExp(`\\bset\\(\\{\\s*(?:[^{}]*,\\s*)?(?:${field})\\b`));
    expect(raw.filter((name) => roomOf(name) === 'views')).toEqual([]);
  });

  it('never has its text parsed as HTML', () => {
    expect(using(/\binnerHTML\b|\bouterHTML\b|\binsertAdjacentHTML\b|\bdocument\.write\b|\.html\(/)).toEqual([]);
  });
});
