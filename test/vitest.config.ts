import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

export default defineConfig({
  root,
  test: {
    // Many tests start real server processes: more workers only make them wait for each other.
    maxWorkers: 2,
    testTimeout: 90_000,
    hookTimeout: 90_000,
    projects: [
      {
        root,
        test: {
          name: 'node',
          environment: 'node',
          setupFiles: ['test/support/seed.ts'],
          include: ['test/**/*.test.ts'],
          exclude: ['test/renderer/**', 'test/e2e/**', 'test/.runtime/**'],
          testTimeout: 90_000,
          hookTimeout: 90_000,
        },
      },
      {
        root,
        plugins: [svelte({ configFile: false })],
        // Svelte's server build is the default outside a browser and cannot mount a component.
        resolve: { conditions: ['browser'] },
        test: {
          name: 'renderer',
          environment: 'happy-dom',
          include: ['test/renderer/**/*.test.ts'],
          testTimeout: 90_000,
        },
      },
    ],
  },
});
