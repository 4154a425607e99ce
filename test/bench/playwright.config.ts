import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';

const here = path.dirname(fileURLToPath(import.meta.url));

export default defineConfig({
  testDir: here,
  testMatch: '*.figures.ts',
  outputDir: path.join(here, '../.results/bench-run'),
  workers: 1,
  retries: 0,
  timeout: 5 * 60_000,
  reporter: [['line']],
});
