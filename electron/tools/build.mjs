// Bundles everything that runs into dist/. The bundles need no node_modules, so the packages ship none.
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build as esbuild } from 'esbuild';
import { build as vite } from 'vite';
import { notices } from './licences.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

// CommonJS has no import.meta; the sources, which the tests load as ES modules, may use its `url` all the same.
const importMetaUrl = 'const __importMetaUrl = require("node:url").pathToFileURL(__filename).href;';

/** zod brings its messages in fifty languages, which nobody sees: they are most of what a short command has to read. */
const oneLanguage = {
  name: 'one-language',
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: 'export {};' }));
  },
};

const nodeBundle = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node18',
  // jsonc-parser's CommonJS file hides its requires from a bundler.
  mainFields: ['module', 'main'],
  // usocket and x11 are optional parts of dbus-next, which works without them.
  external: ['electron', 'usocket', 'x11'],
  sourcemap: true,
  legalComments: 'none',
  logLevel: 'warning',
  logOverride: { 'empty-import-meta': 'error' },
  define: { 'import.meta.url': '__importMetaUrl' },
  plugins: [oneLanguage],
  banner: { js: importMetaUrl },
};

const preloadBundle = {
  ...nodeBundle,
  platform: 'browser',
  target: 'chrome114',
  define: {},
  banner: {},
};

/** The command line takes the whole program in only where it needs it. */
const apart = {
  name: 'apart',
  setup(build) {
    build.onResolve({ filter: /^\.\/engine\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './engine.cjs', external: true } : undefined,
    );
  },
};

const bundles = [
  { entry: 'electron/main.ts', outfile: 'main.cjs', options: nodeBundle },
  {
    entry: 'electron/cli.ts',
    outfile: 'cli.cjs',
    options: { ...nodeBundle, plugins: [oneLanguage, apart], banner: { js: `#!/usr/bin/env node\n${importMetaUrl}` } },
    isExecutable: true,
  },
  { entry: 'electron/engine.ts', outfile: 'engine.cjs', options: nodeBundle },
  { entry: 'electron/bridge/bridge.ts', outfile: 'bridge.cjs', options: nodeBundle },
  { entry: 'electron/demo/demo.ts', outfile: 'demo.cjs', options: nodeBundle },
  { entry: 'electron/ipc/preload.ts', outfile: 'preload.cjs', options: preloadBundle },
];

async function bundle({ entry, outfile, options, isExecutable }, into) {
  const file = path.join(into, outfile);
  const made = await esbuild({ ...options, absWorkingDir: root, entryPoints: [entry], outfile: file, metafile: true });
  if (isExecutable) await chmod(file, 0o755);
  return Object.keys(made.metafile.inputs);
}

async function buildInto(folder) {
  const missing = [...bundles.map((b) => b.entry), 'renderer/index.html'].filter(
    (entry) => !existsSync(path.join(root, entry)),
  );
  if (missing.length > 0) throw new Error(`These entry files are missing: ${missing.join(', ')}.`);
  await mkdir(folder);
  const inputs = (await Promise.all(bundles.map((one) => bundle(one, folder)))).flat();
  const outDir = path.join(folder, 'renderer');
  await vite({
    configFile: path.join(root, 'renderer/vite.config.ts'),
    logLevel: 'warn',
    build: { outDir, license: { fileName: 'licences.md' } },
  });
  await writeFile(path.join(folder, 'licences.txt'), await notices(root, inputs));
}

/** Builds dist/ from scratch, beside the old one until it is whole; rejects when an entry is missing or does not compile. */
export async function build() {
  const [dist, fresh, old] = ['dist', `dist.new-${process.pid}`, `dist.old-${process.pid}`].map((name) =>
    path.join(root, name),
  );
  try {
    await buildInto(fresh);
  } catch (error) {
    // A build that fails must not leave an older program behind for the tests to run.
    for (const folder of [fresh, dist]) await rm(folder, { recursive: true, force: true });
    throw error;
  }
  if (existsSync(dist)) await rename(dist, old);
  await rename(fresh, dist);
  await rm(old, { recursive: true, force: true });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  build().catch((error) => {
    console.error(`holdfast: the build failed. ${error.message}`);
    process.exitCode = 1;
  });
}
