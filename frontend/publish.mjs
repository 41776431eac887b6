// Puts new files where a server may be reading the old ones: each takes the old one's place in one step.

import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Has `fill` make the files in a folder beside `folder`, then makes them its whole content. Where `fill` fails,
 * nothing changes.
 * @param {(fresh: string) => Promise<unknown>} fill
 * @param {string} folder
 */
export async function publish(fill, folder) {
  const fresh = await mkdtemp(`${folder}.new-`);
  try {
    await fill(fresh);
    await mkdir(folder, { recursive: true });
    const names = await readdir(fresh);
    for (const name of names) await rename(join(fresh, name), join(folder, name));
    const left = (await readdir(folder)).filter((name) => !names.includes(name));
    for (const name of left) await rm(join(folder, name), { recursive: true });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}
