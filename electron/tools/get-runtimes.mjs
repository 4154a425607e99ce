// Lays the Node with npm, and the uv, that packages carry into resources/runtimes/<platform>-<arch>/{node,uv}: from the
// npm registry, which has Node's own binaries for every platform in one version, and from uv's releases. Each archive has
// to be the one whose digest is written down in runtimes.json.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const runtimesDir = path.resolve(here, '../../resources/runtimes');
const downloadTimeoutMs = 10 * 60_000;
const maxArchiveBytes = 200 * 1024 * 1024;
const uvReleases = 'https://github.com/astral-sh/uv/releases/download';
const uvLicences = 'https://raw.githubusercontent.com/astral-sh/uv';

/** What is written down of the runtimes: versions, where each is from, and the digest of each archive. */
export async function readPins() {
  return JSON.parse(await readFile(path.join(here, 'runtimes.json'), 'utf8'));
}

/** Where the runtimes of a platform lie in a checkout. */
export function runtimesFor(platform, arch) {
  return path.join(runtimesDir, `${platform}-${arch}`);
}

/** What the archives leave on disk, for the platform they are of: Node's own layouts, so that npm finds itself. */
export function layoutOf(platform) {
  const isWindows = platform === 'win32';
  return {
    node: isWindows ? 'node/node.exe' : 'node/bin/node',
    npm: isWindows ? 'node/node_modules/npm' : 'node/lib/node_modules/npm',
    uv: isWindows ? ['uv/uv.exe', 'uv/uvx.exe'] : ['uv/uv', 'uv/uvx'],
  };
}

/** @throws Error where the bytes are not those that were written down. */
export function checkDigest(bytes, { algorithm, encoding, expected, name }) {
  const actual = createHash(algorithm).update(bytes).digest(encoding);
  if (expected === '' || actual !== expected) throw new Error(`${name} is not the expected file (${actual}).`);
}

function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const isBatch = process.platform === 'win32' && command === 'npm';
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], shell: isBatch, ...options });
    let said = '';
    child.stdout.on('data', (chunk) => (said += chunk));
    child.on('error', reject);
    child.on('close', (status) => (status === 0 ? resolve(said.trim()) : reject(new Error(`${command}: ${status}`))));
  });
}

async function packed(work, spec, sha512) {
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', work, spec];
  const name = (await run('npm', pack, { cwd: work })).split('\n').at(-1).trim();
  const archive = path.join(work, name);
  checkDigest(await readFile(archive), { algorithm: 'sha512', encoding: 'base64', expected: sha512, name: spec });
  return archive;
}

async function unpacked(archive, into, ...members) {
  await mkdir(into, { recursive: true });
  if (archive.endsWith('.zip') && process.platform === 'linux') await run('unzip', ['-q', archive, '-d', into]);
  else await run('tar', ['-xf', archive, '-C', into, ...members]);
  return into;
}

async function layNode(work, pins, platform, arch, dest) {
  const pin = pins.node.packages[`${platform}-${arch}`];
  const layout = layoutOf(platform);
  const archive = await packed(work, `${pin.package}@${pins.node.version}`, pin.sha512);
  const binary = platform === 'win32' ? 'package/bin/node.exe' : 'package/bin/node';
  const from = await unpacked(archive, path.join(work, 'node'), binary, 'package/LICENSE');
  const file = path.join(dest, layout.node);
  await mkdir(path.dirname(file), { recursive: true });
  await rename(path.join(from, binary), file);
  await chmod(file, 0o755);
  await rename(path.join(from, 'package/LICENSE'), path.join(dest, 'node/LICENSE'));
}

async function layNpm(work, pins, platform, dest) {
  const archive = await packed(work, `npm@${pins.npm.version}`, pins.npm.sha512);
  const from = await unpacked(archive, path.join(work, 'npm'));
  // Its pages are for people at a terminal.
  for (const part of ['docs', 'man']) await rm(path.join(from, 'package', part), { recursive: true, force: true });
  await cp(path.join(from, 'package'), path.join(dest, layoutOf(platform).npm), { recursive: true });
}

async function download(url) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(downloadTimeoutMs) });
  if (!answer.ok) throw new Error(`${url} answers with ${answer.status}.`);
  if (Number(answer.headers.get('content-length') ?? 0) > maxArchiveBytes) throw new Error(`${url} is too large.`);
  return Buffer.from(await answer.arrayBuffer());
}

async function layUv(work, pins, platform, arch, dest) {
  const { archive, sha256 } = pins.uv.archives[`${platform}-${arch}`];
  const bytes = await download(`${uvReleases}/${pins.uv.version}/${archive}`);
  checkDigest(bytes, { algorithm: 'sha256', encoding: 'hex', expected: sha256, name: archive });
  const file = path.join(work, archive);
  await writeFile(file, bytes);
  const from = await unpacked(file, path.join(work, 'uv'));
  // The archives for POSIX systems have a folder of their own name around the programs.
  const folder = path.join(from, archive.replace(/\.tar\.gz$/, ''));
  await mkdir(path.join(dest, 'uv'), { recursive: true });
  for (const program of layoutOf(platform).uv) {
    await rename(path.join(existsSync(folder) ? folder : from, path.basename(program)), path.join(dest, program));
    await chmod(path.join(dest, program), 0o755);
  }
  for (const name of ['LICENSE-MIT', 'LICENSE-APACHE'])
    await writeFile(path.join(dest, 'uv', name), await download(`${uvLicences}/${pins.uv.version}/${name}`));
}

/** Whether the runtimes of a platform are there, in the versions that are written down. */
export async function hasRuntimes(platform, arch, { withUv = true } = {}) {
  const file = path.join(runtimesFor(platform, arch), 'versions.json');
  const found = await readFile(file, 'utf8').then(JSON.parse, () => ({}));
  const wanted = await versions(withUv);
  return Object.entries(wanted).every(([name, version]) => found[name] === version);
}

async function versions(withUv) {
  const pins = await readPins();
  return { node: pins.node.version, npm: pins.npm.version, ...(withUv && { uv: pins.uv.version }) };
}

/** Lays the runtimes of one platform in place, whole or not at all; resolves to their folder. */
export async function getRuntimes(platform, arch, { withUv = true } = {}) {
  const pins = await readPins();
  const dest = runtimesFor(platform, arch);
  if (pins.node.packages[`${platform}-${arch}`] === undefined)
    throw new Error(`There is no Node to be packaged for ${platform}-${arch}.`);
  if (await hasRuntimes(platform, arch, { withUv })) return dest;
  await mkdir(runtimesDir, { recursive: true });
  // Beside the folder it becomes, so that it can be moved there in one step.
  const work = await mkdtemp(path.join(runtimesDir, 'unpacking-'));
  const fresh = `${dest}.new-${process.pid}`;
  try {
    await mkdir(fresh);
    if (withUv) await layUv(work, pins, platform, arch, fresh);
    await layNode(work, pins, platform, arch, fresh);
    await layNpm(work, pins, platform, fresh);
    await writeFile(path.join(fresh, 'versions.json'), `${JSON.stringify(await versions(withUv), null, 2)}\n`);
    await rm(dest, { recursive: true, force: true });
    await rename(fresh, dest);
  } finally {
    for (const folder of [work, fresh]) await rm(folder, { recursive: true, force: true });
  }
  return dest;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const args = process.argv.slice(2).filter((arg) => arg !== '--without-uv');
  const [platform = process.platform, arch = process.arch] = args;
  getRuntimes(platform, arch, { withUv: !process.argv.includes('--without-uv') }).then(console.log, (error) => {
    console.error(`holdfast: the runtimes for ${platform}-${arch} cannot be had. ${error.message}`);
    process.exitCode = 1;
  });
}
