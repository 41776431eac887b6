import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { publish } from '../publish.mjs';

let root: string;
let folder: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'memviewer-publish-'));
  folder = join(root, 'static');
  await mkdir(folder);
  await writeFile(join(folder, 'page.html'), 'old');
  await writeFile(join(folder, 'dropped.js'), 'old');
});

afterEach(() => rm(root, { recursive: true }));

function write(text: string) {
  return (fresh: string) => writeFile(join(fresh, 'page.html'), text);
}

describe('publish', () => {
  it('replaces what was there, and leaves nothing beside it', async () => {
    await publish(write('new'), folder);
    expect(await readFile(join(folder, 'page.html'), 'utf8')).toBe('new');
    expect(await readdir(folder)).toEqual(['page.html']);
    expect(await readdir(root)).toEqual(['static']);
  });

  it('leaves the old page where the new one cannot be made', async () => {
    const fails = async (fresh: string) => {
      await write('half')(fresh);
      throw new Error('broken source');
    };
    await expect(publish(fails, folder)).rejects.toThrow('broken source');
    expect(await readFile(join(folder, 'page.html'), 'utf8')).toBe('old');
    expect((await readdir(folder)).sort()).toEqual(['dropped.js', 'page.html']);
    expect(await readdir(root)).toEqual(['static']);
  });

  it('has a page there at every moment', async () => {
    let working = true;
    let missing = 0;
    let looks = 0;
    const look = () => {
      looks += 1;
      if (!existsSync(join(folder, 'page.html'))) missing += 1;
      if (working) setImmediate(look);
    };
    look();
    for (let turn = 0; turn < 20; turn += 1) await publish(write(`${turn}`), folder);
    working = false;
    expect(missing).toBe(0);
    expect(looks).toBeGreaterThan(20);
    expect(await readFile(join(folder, 'page.html'), 'utf8')).toBe('19');
  });

  it('makes the folder where there is none', async () => {
    await rm(folder, { recursive: true });
    await publish(write('first'), folder);
    expect(await readFile(join(folder, 'page.html'), 'utf8')).toBe('first');
  });
});
