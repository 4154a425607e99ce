import { writeSync } from 'node:fs';
import { redactor, type Mask } from './core/redact.ts';

const STDERR = 2;
const MAX_MESSAGE = 2_000;
const MAX_FRAMES = 20;

/** The handlers of a crash. */
export interface Crashes {
  /** What the line of a crash is masked with. Until the keys are known, only what looks like one is. */
  mask: Mask;
}

/**
 * Ends the program when something is thrown that nobody catches: one masked line on stderr instead of Node's own print,
 * which would repeat whatever the message holds. What the program started is ended by its handler of the exit.
 */
export function onCrash(end: (status: 1) => void): Crashes {
  const crashes: Crashes = { mask: redactor([]) };
  let isEnding = false;
  const crash = (thrown: unknown): void => {
    // A second one on the way out must not keep the program from ending.
    if (isEnding) return;
    isEnding = true;
    try {
      writeSync(STDERR, `${crashLine(thrown, crashes.mask)}\n`);
    } catch {
      // nobody reads it any more
    }
    end(1);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  return crashes;
}

/** Whoever read what this program prints may leave, which is no reason to end. */
export function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

/** Class, message and stack in one line, without keys. Masked before it is cut, so that no half of a key is left. */
export function crashLine(thrown: unknown, mask: Mask): string {
  const { name, message, frames } = partsOf(thrown);
  const said = mask(message).slice(0, MAX_MESSAGE);
  const at = frames.map((frame) => mask(frame));
  return [`Holdfast stopped unexpectedly: ${mask(name)}: ${said}`, ...at]
    .join(' | ')
    .replaceAll(/[\r\n\u2028\u2029]+/g, ' ');
}

/** Anything can be thrown, also what cannot be read. */
function partsOf(thrown: unknown): { name: string; message: string; frames: readonly string[] } {
  try {
    if (!(thrown instanceof Error)) return { name: typeof thrown, message: String(thrown), frames: [] };
    // Whoever made it may have put anything there.
    const { name, message, stack = '' }: { name: unknown; message: unknown; stack?: unknown } = thrown;
    const frames = String(stack)
      .split('\n')
      .filter((line) => /^\s{1,8}at /.test(line));
    return {
      name: String(name),
      message: String(message),
      frames: frames.slice(0, MAX_FRAMES).map((line) => line.trim()),
    };
  } catch {
    return { name: 'unknown', message: 'it cannot be read', frames: [] };
  }
}
