import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';

const here = path.dirname(fileURLToPath(import.meta.url));

export default defineConfig({
  testDir: here,
  outputDir: path.join(here, '../.results/pictures-run'),
  workers: 1,
  retries: 0,
  reporter: [['line']],
});
