// Prints what packages are made of (CycloneDX): the npm packages of the lock file, as npm tells them, and the runtimes that
// are packed beside them, with the digests that their archives are checked against.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readPins } from './get-runtimes.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

const ofNpm = (name, version, hashes) => ({
  ...{
    type: 'application',
    name,
    version,
    purl: `pkg:npm/${name}@${version}`,
    'bom-ref': `pkg:npm/${name}@${version}`,
  },
  hashes,
});
const sha512 = (base64) => [{ alg: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex') }];

/** Node, npm and uv, one component for each archive. */
export function runtimeComponents({ node, npm, uv }) {
  const nodes = Object.values(node.packages).map((one) => ofNpm(one.package, node.version, sha512(one.sha512)));
  const uvs = Object.values(uv.archives).map(({ archive, sha256 }) => {
    const purl = `pkg:github/astral-sh/uv@${uv.version}#${archive}`;
    const about = { type: 'application', name: 'uv', version: uv.version, purl, 'bom-ref': purl };
    return { ...about, hashes: [{ alg: 'SHA-256', content: sha256 }] };
  });
  return [...nodes, ofNpm('npm', npm.version, sha512(npm.sha512)), ...uvs];
}

async function print() {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const told = spawnSync(npm, args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (told.status !== 0) throw new Error(`npm sbom ended with ${told.status}. ${told.stderr}`);
  const bill = JSON.parse(told.stdout);
  bill.components.push(...runtimeComponents(await readPins()));
  process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await print();
