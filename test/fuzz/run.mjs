// `npm run fuzz`: the claims of this folder with HOLDFAST_FUZZ_RUNS inputs each (default 100,000). The inputs are other
// ones each time, except in CI or where HOLDFAST_SEED says which.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
const seed = process.env['CI'] === 'true' ? {} : { HOLDFAST_SEED: String(Date.now() % 2 ** 31) };
const env = { HOLDFAST_FUZZ_RUNS: '100000', ...seed, ...process.env };
console.log(`${env.HOLDFAST_FUZZ_RUNS} inputs for each claim, seed ${env.HOLDFAST_SEED ?? 'of the tests'}.`);
const args = [vitest, 'run', '--config=test/vitest.config.ts', '--project=node', 'test/fuzz', ...process.argv.slice(2)];
const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
child.on('close', (status) => {
  process.exitCode = status ?? 1;
});
