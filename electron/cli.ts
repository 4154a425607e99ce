import path from 'node:path';
import { existsSync } from 'node:fs';
import { runBridge } from './bridge/bridge.ts';
import { launchFile } from './bridge/endpoint.ts';
import { writeLaunch } from './bridge-files.ts';
import { badInput, helpFor, parseCall, ROWS, type Call } from './cli/arguments.ts';
import { connectToGateway, RemoteError, runRemotely } from './cli/client.ts';
import { readable } from './cli/readable.ts';
import { errorWords } from './core/error-sentences.ts';
import { asHoldfastError, HoldfastError } from './core/errors.ts';
import { redactor, type Mask } from './core/redact.ts';
import { ignoreClosedOutput, onCrash } from './crash.ts';
import { dataDir } from './data-dir.ts';
import { LOCAL_COMMANDS } from './doctor-commands.ts';
import { RESTORE_HOSTS, restoredWords, restoreHostsNow } from './restore-hosts.ts';
import { nodeStarts, openHoldfast, type Holdfast, type HoldfastOptions } from './headless.ts';
import { PUBLISH_COMMANDS } from './publish-commands.ts';

const CLI_FILE = path.resolve(process.argv[1] ?? '');
/** A gateway that is starting holds the lock before it listens. */
const STARTING_WAIT_MS = 10_000;
// The handler of the exit ends the servers' process trees.
const crashes = onCrash((status) => process.exit(status));
ignoreClosedOutput();

interface Global {
  readonly args: readonly string[];
  readonly json: boolean;
  readonly home: string;
}

/** Takes `--json` and `--home DIR` out, wherever they stand before `--`. */
function globals(argv: readonly string[]): Global {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const own = argv.slice(0, end);
  const at = own.indexOf('--home');
  const home = at < 0 ? undefined : own[at + 1];
  if (at >= 0 && (home === undefined || home === '')) throw badInput('--home takes a folder');
  const args = own.filter((arg, index) => arg !== '--json' && !(at >= 0 && (index === at || index === at + 1)));
  return { args: [...args, ...argv.slice(end)], json: own.includes('--json'), home: dataDir(home) };
}

function optionsFor(home: string): HoldfastOptions {
  const complain = (error: HoldfastError): void => {
    const { message, next } = errorWords(error);
    process.stderr.write(`${message} ${next}\n`);
  };
  // Without the app there is no key store to ask.
  return { dataDir: home, ...nodeStarts(home, CLI_FILE), box: null, onProblem: complain };
}

async function openMasked(home: string): Promise<Holdfast> {
  const holdfast = await openHoldfast(optionsFor(home));
  crashes.mask = holdfast.mask;
  return holdfast;
}

/** Asked twice it goes on ending: what it started must not be left behind. */
function onSignals(end: () => void): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
}

async function serve({ home, json }: Global): Promise<number> {
  const holdfast = await openMasked(home);
  const ended = new Promise<void>((resolve) => {
    onSignals(() => resolve());
  });
  await holdfast.listen();
  process.stdout.write(
    json ? `${JSON.stringify({ ready: true, home, pid: process.pid })}\n` : `Holdfast is ready (${home}).\n`,
  );
  await ended;
  await holdfast.close();
  return 0;
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
async function perform(call: Call, home: string): Promise<unknown> {
  const deadline = Date.now() + STARTING_WAIT_MS;
  for (;;) {
    const socket = await connectToGateway(home);
    if (socket !== undefined) return runRemotely(socket, home, call.name, call.input);
    try {
      return await performHere(call, home);
    } catch (error) {
      const isStarting = error instanceof HoldfastError && error.code === 'STORE_LOCKED' && Date.now() < deadline;
      if (!isStarting) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function performHere(call: Call, home: string): Promise<unknown> {
  // Ending by itself, the process takes the servers it started along.
  onSignals(() => process.exit(130));
  const holdfast = await openMasked(home);
  try {
    return await holdfast.run(call.name, call.input);
  } finally {
    await holdfast.close();
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
  return isIncomplete || isLeft || hasProblem || isNotOk ? 1 : 0;
}

/** For uninstallers, which must not be held up: the answer is always 0, and what happened is in a file. */
function restore({ args, json, home }: Global): number {
  const restored = restoreHostsNow(home);
  if (json) process.stdout.write(`${JSON.stringify({ apps: restored }, null, 2)}\n`);
  else if (!args.includes('--quiet')) process.stdout.write(restoredWords(restored));
  return 0;
}

async function runCommandLine(global: Global): Promise<number> {
  const [first] = global.args;
  if (first === RESTORE_HOSTS || (first === '--quiet' && global.args[1] === RESTORE_HOSTS)) return restore(global);
  if (first === 'serve') return serve(global);
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
  const publish = Object.hasOwn(PUBLISH_COMMANDS, call.name) ? PUBLISH_COMMANDS[call.name] : undefined;
  if (publish !== undefined) return runPublish(publish, call, global.json);
  // These look at the files themselves, in whatever state they are.
  const local = Object.hasOwn(LOCAL_COMMANDS, call.name) ? LOCAL_COMMANDS[call.name] : undefined;
  const { bridgeSource } = nodeStarts(global.home, CLI_FILE);
  const result = await (local?.({ home: global.home, bridgeSource }, call.input) ?? perform(call, global.home));
  process.stdout.write(global.json ? `${JSON.stringify(result, null, 2)}\n` : readable(call.name, result));
  return statusOf(call.name, result);
}

/** Ends by itself on a signal, and takes the server it started along. */
async function runPublish(run: (typeof PUBLISH_COMMANDS)[string], call: Call, json: boolean): Promise<number> {
  onSignals(() => process.exit(130));
  const useMask = (mask: Mask): void => {
    crashes.mask = mask;
  };
  const { stdout, stderr = '', status } = await run(call.input, { cwd: process.cwd(), json, useMask });
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  return status;
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
