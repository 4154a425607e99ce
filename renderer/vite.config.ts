import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';
import { EN } from './words/en.ts';
import { wordProblems } from './words/problems.ts';
import { ZH_CN } from './words/zh-cn.ts';

const rendererDir = path.dirname(fileURLToPath(import.meta.url));

/** No window is built in which a language lacks a string or a placeholder. */
function checkedWords(): Plugin {
  return {
    name: 'holdfast-words',
    buildStart() {
      const problems = wordProblems(EN, ZH_CN);
      if (problems.length > 0) this.error(`The Chinese words do not fit the English ones: ${problems.join('; ')}.`);
    },
  };
}

export default defineConfig({
  root: rendererDir,
  // The window loads the page from a file inside the app archive.
  base: './',
  plugins: [checkedWords(), svelte({ configFile: false })],
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
