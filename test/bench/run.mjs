// `npm run bench`: figures of the gateway as ratios to the same server spoken to directly, then of the app. No limits.
// `npm run bench -- gateway` or `-- app` gives one part. HOLDFAST_BENCH_ROUNDS (default 5) is how often each is measured.
import { spawnSync } from 'node:child_process';
import { importBundled } from '../support/run-bundled.mjs';

const PARTS = ['gateway', 'app'];
const wanted = process.argv.slice(2);
const unknown = wanted.filter((part) => !PARTS.includes(part));
if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}; there are ${PARTS.join(' and ')}.`);
const isWanted = (part) => wanted.length === 0 || wanted.includes(part);

function app() {
  const playwright = ['npx', 'playwright', 'test', '--config=test/bench/playwright.config.ts'];
  const session = ['dbus-run-session', '--config-file=test/support/session.conf', '--', 'xvfb-run', '--auto-servernum'];
  const [command, ...args] = process.platform === 'linux' ? [...session, ...playwright] : playwright;
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (error !== undefined) console.error(`holdfast: ${error.message}`);
  return status ?? 1;
}

if (isWanted('gateway')) await (await importBundled('test/bench/gateway.ts', 'bench')).main();
if (isWanted('app')) process.exitCode = app();
