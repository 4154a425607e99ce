// Run by run.mjs, once for each area.
import { AREAS, currentArea, globOf } from './areas.mjs';

const area = currentArea();

export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  mutate: AREAS[area].map(globOf),
  concurrency: 2,
  // A run that stops at its first failure may stop the next one too, before it has run anything: the runner then says
  // that the mutant survived (stryker-js issues 6073 and 6146).
  disableBail: true,
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
