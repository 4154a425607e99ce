// Run by run.mjs, once for each area.
import { fileURLToPath } from 'node:url';
import { AREAS, currentArea, globOf } from './areas.mjs';

const area = currentArea();

export default {
  testRunner: 'in-process',
  plugins: [fileURLToPath(new URL('in-process.mjs', import.meta.url))],
  coverageAnalysis: 'perTest',
  mutate: AREAS[area].mutate.map(globOf),
  concurrency: Number(process.env.HOLDFAST_MUTATION_WORKERS ?? 2),
  timeoutMS: 20_000,
  incremental: true,
  incrementalFile: `.mutation/${area}.incremental.json`,
  tempDirName: '.mutation/tmp',
  reporters: ['json', 'html'],
  jsonReporter: { fileName: `.mutation/${area}.json` },
  htmlReporter: { fileName: `.mutation/${area}.html` },
  allowConsoleColors: false,
  warnings: { slow: false },
  // What the tests of the core do not read need not be copied.
  ignorePatterns: [
    ...['.mutation', '.ci', 'dist', 'release', 'resources', 'renderer'],
    ...['test/.runtime', 'test/.results', 'test/fixtures', 'test/e2e', 'test/corpus', 'test/soak', 'test/fuzz'],
  ],
};
