// Builds the window with a gateway that is played into a folder of the test results; no release has it.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = path.dirname(fileURLToPath(import.meta.url));
const outDir = path.resolve(here, '../.results/gallery');

/** Resolves to the built page. */
export async function buildGallery() {
  await build({
    configFile: path.resolve(here, '../../renderer/vite.config.ts'),
    root: here,
    logLevel: 'error',
    build: { outDir, target: 'chrome114', sourcemap: false },
  });
  return path.join(outDir, 'index.html');
}
