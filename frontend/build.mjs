// Builds the page into the Python package. With --check builds elsewhere and compares with what is committed.

import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { publish } from './publish.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const committed = join(here, '..', 'tensorboard_plugin_memviewer', 'static');

function options(outdir) {
  return {
    absWorkingDir: here,
    entryPoints: { page: 'src/page.ts', index: 'src/index.ts' },
    outdir,
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['es2022'],
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    loader: { '.svg': 'text' },
  };
}

async function build(outdir) {
  await esbuild.build(options(outdir));
  // Classic scripts: the worker, and the guest in a page that is not ours, which must not leak names.
  await esbuild.build({
    ...options(outdir),
    entryPoints: { matcher: 'src/matcher.ts', profile_tab: 'src/profile_tab/profile_tab.ts' },
    format: 'iife',
  });
  await cp(join(here, 'src', 'page.html'), join(outdir, 'page.html'));
}

async function differences(one, other) {
  const names = new Set([...(await readdir(one)), ...(await readdir(other))]);
  const different = [];
  for (const name of [...names].sort()) {
    const [a, b] = await Promise.all([one, other].map((folder) => readFile(join(folder, name)).catch(() => null)));
    if (a === null || b === null || !a.equals(b)) different.push(name);
  }
  return different;
}

async function watch() {
  const again = {
    name: 'publish',
    setup: ({ onEnd }) => onEnd(async ({ errors }) => errors.length > 0 || publish(build, committed)),
  };
  const context = await esbuild.context({
    ...options(committed),
    entryPoints: ['src/page.ts', 'src/index.ts', 'src/matcher.ts', 'src/profile_tab/profile_tab.ts'],
    write: false,
    logLevel: 'info',
    plugins: [again],
  });
  await context.watch();
}

if (process.argv.includes('--watch')) {
  await watch();
} else if (process.argv.includes('--check')) {
  const fresh = await mkdtemp(join(tmpdir(), 'memviewer-page-'));
  await build(fresh);
  const different = await differences(fresh, committed);
  await rm(fresh, { recursive: true, force: true });
  if (different.length > 0) {
    process.stderr.write(`The committed page is not what frontend/ builds: ${different.join(', ')}. Run: make page\n`);
    process.exit(1);
  }
} else {
  await publish(build, committed);
}
