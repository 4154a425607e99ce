// `npm run dist`: builds, and makes the packages that the machine at hand can make, as electron-builder.yml says.
//   --dir                 only the folder that the packages are made of
//   --for-tests           a package that Playwright can drive: with the fuse for inspect arguments on
//   --without-runtimes    no Node and no uv inside; Electron's executable carries the bridge
//   --without-uv          no uv inside
//   --built               of what is in dist/, which was built just now
//   --output DIR          instead of release/
//   --publish OWNER/REPO  packages that look for updates in that GitHub repository; nothing is uploaded
//   TARGET ...            instead of those of electron-builder.yml
// Where Electron's own download is out of reach, the tests' runtime stands in for it: such packages are not to be given away.
import { spawnSync } from 'node:child_process';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { electronExecutable } from '../../test/support/get-runtime.mjs';
import { build } from './build.mjs';
import { getRuntimes } from './get-runtimes.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const fpmStandIn = path.join(root, 'test/support/fpm-stand-in.mjs');
const sizeLimitBytes = 180 * 1000 * 1000;

function options(argv) {
  const flag = { type: 'boolean', default: false };
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      dir: flag,
      'for-tests': flag,
      'without-runtimes': flag,
      'without-uv': flag,
      built: flag,
      output: { type: 'string', default: 'release' },
      publish: { type: 'string' },
    },
  });
  return { ...values, targets: values.dir ? ['dir'] : positionals };
}

/** Electron as it is released, or what stands in for it here: then with its folder and version. */
async function electron() {
  const dist = path.dirname(await electronExecutable());
  const electronVersion = (await readFile(path.join(dist, 'version'), 'utf8')).trim().replace(/^v/, '');
  const released = JSON.parse(await readFile(path.join(root, 'node_modules/electron/package.json'), 'utf8'));
  if (electronVersion === released.version) return {};
  return { electronDist: dist, electronVersion };
}

function find(command) {
  const found = spawnSync(process.platform === 'win32' ? 'where' : 'which', [command], { encoding: 'utf8' });
  return found.status === 0 ? found.stdout.split(/\r?\n/)[0] : undefined;
}

/** Tools that electron-builder would download, where this machine has its own and cannot. */
function useOwnTools() {
  const sevenZip = find('7za');
  if (sevenZip !== undefined) process.env['ELECTRON_BUILDER_7ZIP_PATH'] ??= sevenZip;
  process.env['CUSTOM_FPM_PATH'] ??= fpmStandIn;
  const canMake = { 'tar.gz': sevenZip !== undefined, deb: find('dpkg-deb') !== undefined };
  return Object.keys(canMake).filter((target) => canMake[target]);
}

/** What differs from electron-builder.yml. */
function overrides(asked, standIn) {
  const [owner, repo] = asked.publish?.split('/') ?? [];
  const fuses = {
    ...(asked['for-tests'] && { enableNodeCliInspectArguments: true }),
    ...(asked['without-runtimes'] && { runAsNode: true }),
  };
  return {
    directories: { output: asked.output },
    ...standIn,
    electronFuses: fuses,
    // A test unpacks it once.
    ...(asked['for-tests'] && { compression: 'store' }),
    ...(owner && { publish: { provider: 'github', owner, repo } }),
    afterPack: ({ appOutDir }) => rm(path.join(appOutDir, 'resources/default_app.asar'), { force: true }),
  };
}

async function runtimes(asked) {
  if (asked['without-runtimes']) return;
  // On macOS both kinds of processor get packages, whichever this one is.
  const archs = process.platform === 'darwin' ? ['x64', 'arm64'] : [process.arch];
  for (const arch of archs) await getRuntimes(process.platform, arch, { withUv: !asked['without-uv'] });
}

async function report(output) {
  const folder = path.resolve(root, output);
  const files = (await readdir(folder)).filter((name) => /\.(exe|dmg|zip|AppImage|deb|rpm|tar\.gz)$/.test(name));
  for (const name of files) {
    const { size } = await stat(path.join(folder, name));
    const verdict = size > sizeLimitBytes ? 'more than is wanted' : 'within the limit';
    console.log(
      `${name.padEnd(44)} ${(size / 1e6).toFixed(1).padStart(6)} MB, ${verdict} of ${sizeLimitBytes / 1e6} MB`,
    );
  }
}

/** Makes the packages; rejects with why one could not be made. */
export async function dist(argv) {
  const asked = options(argv);
  const standIn = await electron();
  const isStandIn = standIn.electronDist !== undefined;
  const possible = isStandIn ? useOwnTools() : [];
  await runtimes(asked);
  if (!asked.built) await build();
  // electron-builder hands the paths of its settings on as they are.
  process.chdir(root);
  const { build: makePackages, Platform } = await import('electron-builder');
  const targets = asked.targets.length > 0 ? asked.targets : isStandIn ? possible : [];
  await makePackages({
    projectDir: root,
    targets: Platform.current().createTarget(targets),
    config: overrides(asked, standIn),
    publish: 'never',
  });
  await report(asked.output);
  const missing = asked['without-runtimes'] ? 'Node and uv' : asked['without-uv'] ? 'uv' : null;
  if (missing !== null) console.log(`Without ${missing}, which make a released package larger.`);
  if (isStandIn) console.log('Made of the tests’ Electron: for trying out here, not to be given away.');
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  dist(process.argv.slice(2)).catch((error) => {
    console.error(`holdfast: the packages were not made. ${error.message}`);
    process.exit(1);
  });
}
