/**
 * What the command line needs the whole program for. It is bundled by itself and loaded only where no gateway runs that
 * could answer, because taking it in takes longer than most commands. The two bundles share no classes: what
 * cannot be done crosses as words.
 */
import type { Call } from './cli/arguments.ts';
import type { Words } from './cli/client.ts';
import { readable } from './cli/readable.ts';
import { errorWords } from './core/error-sentences.ts';
import { asHoldfastError, type HoldfastError } from './core/errors.ts';
import type { Crashes } from './crash.ts';
import { LOCAL_COMMANDS } from './doctor-commands.ts';
import { openHoldfast, type Holdfast } from './headless.ts';
import { nodeStarts } from './starts.ts';
import { PUBLISH_COMMANDS } from './publish-commands.ts';
import { restoreHostsNow } from './restore-hosts.ts';

/** Where a command was typed. */
export interface Typed {
  readonly home: string;
  readonly json: boolean;
  readonly cliFile: string;
  /** Gets what a crash is masked with, once the keys are known. */
  readonly crashes: Crashes;
}

/** What came of it, or why it cannot be done. */
export type Outcome<T> = { readonly value: T } | { readonly words: Words };

async function outcome<T>(work: () => T | Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    return { words: errorWords(asHoldfastError(error)) };
  }
}

/** Runs the gateway until a signal ends it. */
export function serve(typed: Typed): Promise<Outcome<void>> {
  return outcome(async () => {
    const holdfast = await openMasked(typed);
    const ended = new Promise<void>((resolve) => {
      onSignals(() => resolve());
    });
    await holdfast.listen();
    const { json, home } = typed;
    process.stdout.write(
      json ? `${JSON.stringify({ ready: true, home, pid: process.pid })}\n` : `Holdfast is ready (${home}).\n`,
    );
    await ended;
    await holdfast.close();
  });
}

/** Does here what the gateway would do. */
export function perform(typed: Typed, call: Call): Promise<Outcome<unknown>> {
  return outcome(async () => {
    // Ending by itself, the process takes the servers it started along.
    onSignals(() => process.exit(130));
    const holdfast = await openMasked(typed);
    try {
      return await holdfast.run(call.name, call.input);
    } finally {
      await holdfast.close();
    }
  });
}

/** Runs a command that looks at the files themselves, in whatever state they are. */
export function look({ home, cliFile }: Typed, call: Call): Promise<Outcome<unknown>> {
  return outcome(() => {
    const { bridgeSource } = nodeStarts(home, cliFile);
    return named(LOCAL_COMMANDS, call)({ home, bridgeSource }, call.input);
  });
}

/** Runs a command for publishers, which prints by itself, and gives its exit status. */
export function publish({ json, crashes }: Typed, call: Call): Promise<Outcome<number>> {
  return outcome(async () => {
    // Ends by itself on a signal, and takes the server it started along.
    onSignals(() => process.exit(130));
    const useMask = (mask: Crashes['mask']): void => {
      crashes.mask = mask;
    };
    const place = { cwd: process.cwd(), json, useMask };
    const { stdout, stderr = '', status } = await named(PUBLISH_COMMANDS, call)(call.input, place);
    process.stdout.write(stdout);
    process.stderr.write(stderr);
    return status;
  });
}

function named<T>(table: Readonly<Record<string, T>>, { name }: Call): T {
  const found = Object.hasOwn(table, name) ? table[name] : undefined;
  if (found === undefined) throw new Error(`there is no “${name}” here`);
  return found;
}

/** Gives every app its settings back, for uninstallers, which must not be held up: what happened is in a file. */
export function restore({ json, home }: Typed, isQuiet: boolean): void {
  const restored = restoreHostsNow(home);
  if (json) process.stdout.write(`${JSON.stringify({ apps: restored }, null, 2)}\n`);
  else if (!isQuiet) process.stdout.write(readable('apps.disconnect-all', { files: restored }));
}

async function openMasked({ home, cliFile, crashes }: Typed): Promise<Holdfast> {
  const onProblem = (error: HoldfastError): void => {
    const { message, next } = errorWords(error);
    process.stderr.write(`${message} ${next}\n`);
  };
  // Without the app there is no key store to ask.
  const holdfast = await openHoldfast({ dataDir: home, ...nodeStarts(home, cliFile), box: null, onProblem });
  crashes.mask = holdfast.mask;
  return holdfast;
}

/** Asked twice it goes on ending: what it started must not be left behind. */
function onSignals(end: () => void): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
}
