import { existsSync, realpathSync } from 'node:fs';
import { runBridge } from './bridge/bridge.ts';
import { launchFile } from './bridge/endpoint.ts';
import { writeLaunch } from './bridge-files.ts';
import { helpFor, LOOKING, parseCall, PUBLISHING, ROWS, type Call } from './cli/arguments.ts';
import { badInput } from './cli/bad-input.ts';
import { connectToGateway, RemoteError, runRemotely } from './cli/client.ts';
import { readable } from './cli/readable.ts';
import { errorWords } from './core/error-sentences.ts';
import { asHoldfastError } from './core/errors.ts';
import { redactor } from './core/redact.ts';
import { ignoreClosedOutput, onCrash } from './crash.ts';
import { dataDir } from './data-dir.ts';
import type { Outcome, Typed } from './engine.ts';
import { nodeStarts, RESTORE_HOSTS } from './starts.ts';

// A package manager's link to it has no bridge beside it.
const CLI_FILE = realpathSync(process.argv[1] ?? '.');
/** A gateway that is starting holds the lock before it listens. */
const STARTING_WAIT_MS = 10_000;
// The handler of the exit ends the servers' process trees.
const crashes = onCrash((status) => process.exit(status));
ignoreClosedOutput();

interface Global extends Typed {
  readonly args: readonly string[];
}

/** The whole program, where it is needed. */
const engine = () => import('./engine.ts');

function valueOf<T>(outcome: Outcome<T>): T {
  if ('words' in outcome) throw new RemoteError(outcome.words);
  return outcome.value;
}

/** Takes `--json` and `--home DIR` out, wherever they stand before `--`. */
function globals(argv: readonly string[]): Global {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const own = argv.slice(0, end);
  const at = own.indexOf('--home');
  const home = at < 0 ? undefined : own[at + 1];
  if (at >= 0 && (home === undefined || home === '')) throw badInput('--home takes a folder');
  const args = own.filter((arg, index) => arg !== '--json' && !(at >= 0 && (index === at || index === at + 1)));
  const json = own.includes('--json');
  return { args: [...args, ...argv.slice(end)], json, home: dataDir(home), cliFile: CLI_FILE, crashes };
}

async function connect({ args, home }: Global): Promise<number> {
  const [, app] = args;
  if (app === undefined || app.startsWith('-')) throw badInput('usage: holdfast connect APP');
  // The bridge starts a gateway that does not run; where none ever ran, it learns here how.
  if (!existsSync(launchFile(home))) writeLaunch(home, nodeStarts(home, CLI_FILE).launch);
  const { stdin, stdout, stderr } = process;
  return runBridge({ app, home, stdin, stdout, stderr });
}

/** In the running gateway, or here where none runs. */
async function perform(call: Call, global: Global): Promise<unknown> {
  if (LOOKING.includes(call.name)) return valueOf(await (await engine()).look(global, call));
  const deadline = Date.now() + STARTING_WAIT_MS;
  for (;;) {
    const socket = await connectToGateway(global.home);
    if (socket !== undefined) return runRemotely(socket, global.home, call.name, call.input);
    const outcome = await (await engine()).perform(global, call);
    const isStarting = 'words' in outcome && outcome.words.code === 'STORE_LOCKED' && Date.now() < deadline;
    if (!isStarting) return valueOf(outcome);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Commands that try a server out: a problem of it is their answer. Elsewhere it is only shown. */
const TRYING: readonly string[] = ['servers.check', 'expose'];

/** 1 is a negative answer: the command ran, and what it found is not good. */
function statusOf(name: string, result: unknown): number {
  const isObject = typeof result === 'object' && result !== null;
  if (!isObject) return 0;
  const isIncomplete = 'complete' in result && result.complete === false;
  const isLeft = 'left' in result && Array.isArray(result.left) && result.left.length > 0;
  const hasProblem = TRYING.includes(name) && 'problem' in result && typeof result.problem === 'string';
  const isNotOk = 'ok' in result && result.ok === false;
  const isNotAdded = 'added' in result && result.added === false;
  return isNotAdded || isIncomplete || isLeft || hasProblem || isNotOk ? 1 : 0;
}

async function runCommandLine(global: Global): Promise<number> {
  const [first] = global.args;
  if (first === RESTORE_HOSTS || (first === '--quiet' && global.args[1] === RESTORE_HOSTS)) {
    (await engine()).restore(global, global.args.includes('--quiet'));
    return 0;
  }
  if (first === 'serve') {
    valueOf(await (await engine()).serve(global));
    return 0;
  }
  if (first === 'connect') return connect(global);
  if (first === undefined || first === 'help' || first === '--help') {
    process.stdout.write(help());
    return first === undefined ? 2 : 0;
  }
  const asked = helpFor(global.args);
  if (asked !== undefined) {
    process.stdout.write(asked);
    return 0;
  }
  const call = parseCall(global.args);
  if (PUBLISHING.includes(call.name)) return valueOf(await (await engine()).publish(global, call));
  const result = await perform(call, global);
  process.stdout.write(global.json ? `${JSON.stringify(result, null, 2)}\n` : readable(call.name, result));
  return statusOf(call.name, result);
}

function help(): string {
  const usages = [
    'serve',
    'connect APP',
    '--restore-hosts [--quiet]',
    ...Object.values(ROWS).map(({ usage }) => usage),
  ];
  return `holdfast [--json] [--home DIR] COMMAND\n\n${usages.map((usage) => `  holdfast ${usage}`).join('\n')}\n`;
}

/** What was asked for cannot be done as it was put, whatever there is to find out. */
const BAD_USAGE: readonly string[] = [
  'COMMAND_BAD_INPUT',
  'FILE_UNREADABLE',
  'FILE_NOT_SNAPSHOT',
  'SNAPSHOT_UNREADABLE',
  'SNAPSHOT_NEWER',
  'SAMPLES_UNREADABLE',
];

function fail(thrown: unknown, json: boolean): number {
  const words = thrown instanceof RemoteError ? thrown.words : errorWords(asHoldfastError(thrown));
  // What a running gateway says has been masked by it; what was typed here has not.
  const mask = redactor([]);
  const masked = { code: words.code, message: mask(words.message), next: mask(words.next) };
  if (json) process.stdout.write(`${JSON.stringify({ error: masked })}\n`);
  process.stderr.write(`${masked.message} ${masked.next}\n`);
  return BAD_USAGE.includes(words.code) ? 2 : 1;
}

async function main(): Promise<void> {
  const argv = process.argv.slice(2);
  try {
    process.exitCode = await runCommandLine(globals(argv));
  } catch (error) {
    process.exitCode = fail(error, argv.includes('--json'));
  }
  // Whatever a stranger's server left open must not keep a command from ending.
  process.stdout.write('', () => process.exit());
}

void main();
