// `npm run soak`: HOLDFAST_SOAK_SECONDS (default 600) of it, with HOLDFAST_SEED to repeat one. Ends with 1 where something broke.
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../..');
// Two folders below the root, as the sources are: they look for the built program from where they are.
const outfile = path.join(root, 'test/.results/soak.mjs');

await build({
  entryPoints: [path.join(here, 'command.ts')],
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
const { main } = await import(pathToFileURL(outfile).href);
process.exit(await main());
