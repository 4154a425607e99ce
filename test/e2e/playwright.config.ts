import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';

const here = path.dirname(fileURLToPath(import.meta.url));

export default defineConfig({
  testDir: here,
  outputDir: path.join(here, '../.results/e2e'),
  // One display, one session bus, one single-instance lock per run: tests take turns.
  workers: 1,
  retries: 0,
  timeout: 120_000,
  globalTimeout: 40 * 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: process.env['CI'] === 'true',
  reporter: [['list']],
});
