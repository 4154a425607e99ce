import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: path.dirname(fileURLToPath(import.meta.url)),
  workers: 1,
  retries: 0,
  reporter: [['line']],
});
