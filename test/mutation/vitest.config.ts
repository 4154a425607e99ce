import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { currentArea } from './areas.mjs';

export default defineConfig({
  root: path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..'),
  test: {
    environment: 'node',
    setupFiles: ['test/support/seed.ts'],
    include: [`test/mutation/entries/${currentArea()}.mjs`],
    testTimeout: 30_000,
  },
});
