// `npm test`: builds, then runs every check and every test, and counts them. `npm test -- lint unit` runs only those.
// `npm run test:dist` makes packages, installs them and uses what is installed, which `npm test` does at its end.
import { spawn, spawnSync } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { electronExecutable } from './support/get-runtime.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '..');
const results = path.join(here, '.results');
const isCI = process.env['CI'] === 'true';
const isWindows = process.platform === 'win32';
const env = { ...process.env, PATH: [path.join(root, 'node_modules/.bin'), process.env['PATH']].join(path.delimiter) };

/** Where nothing can be counted, a step counts as one. */
const one = (ok) => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 });

function run(command, args, extraEnv = {}) {
  return new Promise((resolve) => {
    const options = { cwd: root, env: { ...env, ...extraEnv }, stdio: 'inherit', shell: isWindows };
    const child = spawn(command, args, options);
    child.on('error', (error) => {
      console.error(`holdfast: ${command} cannot be started: ${error.message}`);
      resolve(false);
    });
    child.on('close', (status) => resolve(status === 0));
  });
}

function has(command) {
  return spawnSync(isWindows ? 'where' : 'which', [command], { stdio: 'ignore' }).status === 0;
}

/** Checks that only read: two at a time, each with its words together. */
const check =
  (command, ...args) =>
  () =>
    new Promise((resolve) => {
      const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], shell: isWindows });
      const words = [];
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => words.push(bytes));
      child.on('error', (error) =>
        words.push(Buffer.from(`holdfast: ${command} cannot be started: ${error.message}\n`)),
      );
      child.on('close', (status) => {
        process.stdout.write(Buffer.concat(words));
        resolve(one(status === 0));
      });
    });

/** A runner's report, or a single failure where it died before it could write one or failed outside its tests. */
async function counted(ok, file, count) {
  const report = await readFile(file, 'utf8').then(JSON.parse, () => undefined);
  if (report === undefined) return one(false);
  const counts = count(report);
  return ok || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}

async function unit() {
  if (!has('python3')) note('the tests with servers written in Python', 'python3 is missing');
  const file = path.join(results, 'vitest.json');
  const ok = await run('vitest', [
    'run',
    '--config=test/vitest.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]);
  return counted(ok, file, (report) => ({
    passed: report.numPassedTests,
    // A file that does not load has no tests to fail.
    failed:
      report.numFailedTests +
      report.testResults.filter((f) => f.status === 'failed' && f.assertionResults.length === 0).length,
    skipped: report.numPendingTests + report.numTodoTests,
  }));
}

const onLinuxDesktop = [
  'dbus-run-session',
  '--config-file=test/support/session.conf',
  '--',
  'xvfb-run',
  '--auto-servernum',
];

async function e2e() {
  const missing = process.platform === 'linux' ? ['dbus-run-session', 'xvfb-run'].filter((c) => !has(c)) : [];
  if (missing.length > 0) return skip('the tests of the app', `missing: ${missing.join(', ')}`);
  const electron = await electronExecutable().catch((error) => error);
  if (electron instanceof Error) return skip('the tests of the app', electron.message);
  const file = path.join(results, 'playwright.json');
  const playwright = ['playwright', 'test', '--config=test/e2e/playwright.config.ts', '--reporter=list,json'];
  const [command, ...args] = process.platform === 'linux' ? [...onLinuxDesktop, ...playwright] : playwright;
  const ok = await run(command, args, { PLAYWRIGHT_JSON_OUTPUT_FILE: file, ...override(electron) });
  return counted(ok, file, countsOf);
}

const forPackages = ['xvfb-run', '7za', 'dpkg', 'dpkg-deb', 'setpriv', 'useradd'];

/** What packages are made of, installed and used. */
async function dist(outcomes) {
  if (process.platform !== 'linux') return skip('the tests of the packages', 'they run on Linux only');
  const missing = forPackages.filter((command) => !has(command));
  if (missing.length > 0) return skip('the tests of the packages', `missing: ${missing.join(', ')}`);
  if (process.getuid() !== 0) note('installing the package for Debian', 'it needs root; the archive is used instead');
  const built = outcomes.has('build') ? ['--built'] : [];
  const what = ['--for-tests', '--without-uv', ...built, '--output', 'release/test', 'tar.gz', 'deb'];
  await rm(path.join(root, 'release/test'), { recursive: true, force: true });
  const make = ['electron/tools/dist.mjs', ...what];
  if (!(await run('node', make))) return one(false);
  const file = path.join(results, 'dist.json');
  const playwright = ['playwright', 'test', '--config=test/dist/playwright.config.ts', '--reporter=list,json'];
  const ok = await run('xvfb-run', ['--auto-servernum', ...playwright], { PLAYWRIGHT_JSON_OUTPUT_FILE: file });
  return counted(ok, file, countsOf);
}

const countsOf = ({ stats }) => ({
  passed: stats.expected + stats.flaky,
  failed: stats.unexpected,
  skipped: stats.skipped,
});

/** Spares each test file the search for Electron. On macOS the executable lies deeper than this variable can say. */
function override(electron) {
  return process.platform === 'darwin' ? {} : { ELECTRON_OVERRIDE_DIST_PATH: path.dirname(electron) };
}

const notes = [];
function note(what, why) {
  const line = `Skipped: ${what} (${why}).`;
  notes.push(line);
  console.log(`holdfast: ${line}`);
}
function skip(what, why) {
  note(what, why);
  return { passed: 0, failed: 0, skipped: 0 };
}

const steps = {
  build: async () => one(await run('node', ['electron/tools/build.mjs'])),
  types: check('tsc', '--project', 'tsconfig.json'),
  svelte: check('svelte-check', '--tsconfig', './tsconfig.json', '--fail-on-warnings'),
  lint: check('eslint', '--config', 'test/lint/eslint.config.mjs', '--max-warnings=0', '.'),
  format: check('prettier', '--check', '--log-level=warn', '.'),
  unused: check('knip'),
  unit,
  e2e,
  dist,
};
/** Each of these keeps one processor busy for a minute or two and changes nothing. */
const checks = ['types', 'svelte', 'lint', 'format', 'unused'];

function report(outcomes) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  console.log('');
  for (const name of Object.keys(steps).filter((each) => outcomes.has(each))) {
    const counts = outcomes.get(name);
    for (const key of Object.keys(total)) total[key] += counts[key];
    console.log(`${name.padEnd(8)} ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  }
  for (const line of notes) console.log(line);
  // In CI everything has to run, so what did not is a failure.
  if (isCI) total.failed += total.skipped + notes.length;
  const skipped = isCI ? 0 : total.skipped + notes.length;
  console.log(`\nholdfast: ${total.passed} passed, ${total.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return total;
}

async function main() {
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((name) => !(name in steps));
  if (unknown.length > 0) throw new Error(`There is no step ${unknown.join(', ')}; there are ${Object.keys(steps)}.`);
  await rm(results, { recursive: true, force: true });
  await mkdir(results, { recursive: true });
  const outcomes = new Map();
  const chosen = Object.keys(steps).filter((name) => wanted.length === 0 || wanted.includes(name));
  const take = async (name) => {
    // Without a build there is no app: each of its tests would only wait for its time limit.
    const isPointless = ['e2e', 'dist'].includes(name) && outcomes.get('build')?.failed > 0;
    if (isPointless) console.log('Not run, because the build failed.');
    const start = Date.now();
    outcomes.set(name, isPointless ? one(false) : await steps[name](outcomes));
    console.log(`== ${name}: ${Math.round((Date.now() - start) / 1000)} s`);
  };
  const lane = async (names) => {
    for (let name = names.shift(); name !== undefined; name = names.shift()) await take(name);
  };
  await lane(chosen.filter((name) => name === 'build'));
  const waiting = chosen.filter((name) => checks.includes(name));
  await Promise.all([lane(waiting), lane(waiting)]);
  await lane(chosen.filter((name) => name !== 'build' && !checks.includes(name)));
  process.exitCode = report(outcomes).failed > 0 ? 1 : 0;
}

main().catch((error) => {
  console.error(`holdfast: ${error.message}`);
  process.exitCode = 2;
});
