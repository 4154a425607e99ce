import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * Bundles a TypeScript entry and gives what it exports.
 *
 * @param {string} entry from the project's root
 * @param {string} name of the bundle
 */
export async function importBundled(entry, name) {
  // Two folders below the root, as the sources are: they look for the built program from where they are.
  const outfile = path.join(root, `test/.results/${name}.mjs`);
  await build({
    entryPoints: [path.join(root, entry)],
    absWorkingDir: root,
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  return import(pathToFileURL(outfile).href);
}
