import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const rendererDir = path.dirname(fileURLToPath(import.meta.url));

export default defineConfig({
  root: rendererDir,
  // The window loads the page from a file inside the app archive.
  base: './',
  plugins: [svelte({ configFile: false })],
  build: {
    outDir: path.join(rendererDir, '../dist/renderer'),
    emptyOutDir: true,
    target: 'chrome114',
    sourcemap: true,
    // The page's content security policy allows no inline script, style or data URL.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
});
