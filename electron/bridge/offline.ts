import type { Readable, Writable } from 'node:stream';
import type { HostApp } from './host-app.ts';
import type { HeldInput } from './held-input.ts';

const LATEST_PROTOCOL_VERSION = '2025-11-25';
const METHOD_NOT_FOUND = -32601;
const REFUSED = -32000;

/** What a host app's model is told where the gateway cannot be reached. */
export const NOT_REACHABLE = 'Holdfast isn’t running, so its tools can’t be used. Ask the user to open Holdfast.';

/** The same where the host app is one that cannot start it, because of the wall that its system has put around it. */
export const WALLED =
  'Holdfast isn’t running, and this app can’t open it by itself. Ask the user to open Holdfast, and then to restart this app.';

/** The same where what is started is gone: uninstalled, or moved. */
export const REMOVED =
  'Holdfast is no longer on this computer, or was moved. Ask the user to install or open Holdfast again, or to remove “holdfast” from the settings of this app.';

/** The same where a host app sends more than the bridge holds for a gateway that is still starting. */
export const TOO_MUCH =
  'Holdfast is still starting and can’t take this much yet; nothing was done. Ask the user to restart “holdfast” in this app.';

/** Bytes of one line; there is no gateway that could take more. */
const MAX_LINE_BYTES = 1024 * 1024;
const NEWLINE = 10;

const EMPTY_LISTS: Readonly<Record<string, string>> = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
};

export interface OfflineEnds {
  readonly input: HeldInput;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly hostApp: HostApp;
}

/** Answers a host app until it leaves. */
export function answerOffline(text: string, { input, stdin, stdout, hostApp }: OfflineEnds): Promise<void> {
  return new Promise((resolve) => {
    const lines = new Lines((line) => {
      const answer = offlineAnswer(line, text);
      if (answer === null || stdout.write(`${answer}\n`)) return;
      stdin.pause();
      stdout.once('drain', () => stdin.resume());
    });
    const finish = (): void => void stdout.write('', () => resolve());
    hostApp.signal.addEventListener('abort', () => resolve());
    lines.push(input.release());
    if (hostApp.isGone) return resolve();
    if (input.isEnded) return finish();
    stdin.on('data', (chunk: Buffer | string) => lines.push(Buffer.from(chunk)));
    stdin.once('end', finish);
    stdin.once('error', finish);
    stdin.resume();
  });
}

/** Cuts bytes into lines and leaves out those that are too long. */
class Lines {
  readonly #onLine: (line: string) => void;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#add(chunk.subarray(start, end));
      start = end + 1;
      if (this.#size <= MAX_LINE_BYTES) this.#onLine(Buffer.concat(this.#parts).toString('utf8'));
      this.#parts = [];
      this.#size = 0;
    }
    this.#add(chunk.subarray(start));
  }

  #add(part: Buffer): void {
    this.#size += part.length;
    if (this.#size <= MAX_LINE_BYTES) this.#parts.push(part);
    else this.#parts = [];
  }
}

/**
 * Answers one line of a host app in place of the gateway, so that the app shows a server with no tools and a
 * reason instead of one that crashes again and again. `null` where nothing is to be answered.
 */
function offlineAnswer(line: string, text: string): string | null {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof message !== 'object' || message === null) return null;
  const { id, method, params } = message as Record<string, unknown>; // an object, checked above
  if ((typeof id !== 'string' && typeof id !== 'number') || typeof method !== 'string') return null;
  return JSON.stringify({ jsonrpc: '2.0', id, ...answerTo(method, params, text) });
}

function answerTo(method: string, params: unknown, text: string): object {
  // A method may be named like something that every object has.
  const list = Object.hasOwn(EMPTY_LISTS, method) ? EMPTY_LISTS[method] : undefined;
  if (list !== undefined) return { result: { [list]: [] } };
  if (method === 'initialize') return { result: introduction(params, text) };
  if (method === 'ping' || method === 'logging/setLevel') return { result: {} };
  if (method === 'tools/call') return { result: { content: [{ type: 'text', text }], isError: true } };
  if (/^(prompts|resources|completion)\//.test(method)) return { error: { code: REFUSED, message: text } };
  return { error: { code: METHOD_NOT_FOUND, message: 'Method not found' } };
}

function introduction(params: unknown, text: string): object {
  const asked = typeof params === 'object' && params !== null && 'protocolVersion' in params && params.protocolVersion;
  return {
    protocolVersion: typeof asked === 'string' && asked <= LATEST_PROTOCOL_VERSION ? asked : LATEST_PROTOCOL_VERSION,
    capabilities: { tools: {}, prompts: {}, resources: {} },
    serverInfo: { name: 'holdfast', version: '0' },
    instructions: text,
  };
}
