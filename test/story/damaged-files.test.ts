import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { endpointFor } from '../../electron/bridge/endpoint.ts';
import { readLaunch } from '../../electron/bridge/start-gateway.ts';
import type { Snapshot } from '../../electron/control/snapshot.ts';
import { Installation, ROOT, until } from '../support/holdfast.ts';

/*
 * One data folder is prepared once: `search` is approved, `write` was turned off, and the last commit took `fetch` away
 * again. Each case copies it, damages one sort of file, and starts the real gateway on it twice.
 */
const UPSTREAM = path.join(ROOT, 'test/fixtures/upstream.mjs');
const APPROVED = ['search', 'translate'];
const KEY = 'a-key-for-the-test';
let prepared: Installation;
let installation: Installation;

const tool = (name: string) => ({ name, description: `Does ${name}.`, inputSchema: { type: 'object' } });
const control = (): string => path.join(prepared.home, 'control.json');

beforeAll(async () => {
  prepared = new Installation();
  const tools = ['search', 'fetch', 'write', 'translate'].map(tool);
  writeFileSync(control(), JSON.stringify({ log: path.join(prepared.home, 'calls.log'), tools }));
  await prepared.ok('apps', 'add', 'cursor');
  const launch = ['--env', `DEMO_KEY=${KEY}`, '--', process.execPath, UPSTREAM, control()];
  await prepared.ok('servers', 'add', 'Demo', ...launch);
  await prepared.ok('expose', 'cursor', 'Demo');
  await prepared.ok('hide', 'cursor', 'Demo', 'tool', 'write');
  await prepared.serve();
  expect(await toolsOf(prepared.data)).toEqual(['fetch', ...APPROVED]);
  await call(prepared.data, 'search');
  await prepared.stop();
  await prepared.ok('hide', 'cursor', 'Demo', 'tool', 'fetch');
});
afterEach(() => installation.dispose());
afterAll(() => prepared.dispose());

type Answer = Readonly<Record<string, unknown>>;
type Said = Answer & { readonly id?: number };

/** Says some lines to the gateway, and waits for the answer with the last id. */
function talk(data: string, hello: object, messages: readonly Said[]): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(endpointFor(data));
    const token = readFileSync(path.join(data, 'token'), 'utf8');
    const last = messages.at(-1)?.id;
    let text = '';
    socket.once('error', reject);
    socket.once('close', () => reject(new Error(`closed after ${text}`)));
    for (const message of [{ holdfast: 1, token, ...hello }, ...messages]) socket.write(`${JSON.stringify(message)}\n`);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const lines = text.split('\n').slice(0, -1);
      const answers = lines.map((line) => JSON.parse(line) as Answer); // the gateway sends objects
      const answer = answers.find(({ id, error }) => id === last || (id === undefined && error !== undefined));
      if (answer === undefined) return;
      resolve(answer);
      socket.destroy();
    });
  });
}

async function command<T>(name: string, input: object = {}): Promise<T> {
  const answer = await talk(installation.data, { role: 'control' }, [{ id: 1, command: name, input }]);
  if (answer['result'] === undefined) throw new Error(JSON.stringify(answer));
  return answer['result'] as T; // the caller names the command's shape
}

const snapshot = (): Promise<Snapshot> => command<Snapshot>('snapshot');

function asApp(data: string, method: string, params: object): Promise<Answer> {
  const about = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  return talk(data, { role: 'bridge', consumer: 'cursor', pid: process.pid }, [
    { id: 1, jsonrpc: '2.0', method: 'initialize', params: about },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { id: 2, jsonrpc: '2.0', method, params },
  ]);
}

/** Names of the tools that an app is given. */
async function toolsOf(data: string): Promise<string[]> {
  const { result } = (await asApp(data, 'tools/list', {})) as { result: { tools: { name: string }[] } }; // the protocol's
  return result.tools.map(({ name }) => name).sort();
}

/** What calling a tool says. */
async function call(data: string, name: string): Promise<string> {
  return JSON.stringify(await asApp(data, 'tools/call', { name, arguments: {} }));
}

const DAMAGES: readonly (readonly [name: string, damage: (file: string) => void])[] = [
  ['emptied', (file) => writeFileSync(file, '')],
  ['cut in half', (file) => writeFileSync(file, readFileSync(file).subarray(0, readFileSync(file).length / 2))],
  ['filled with zeros', (file) => writeFileSync(file, Buffer.alloc(readFileSync(file).length))],
  ['random bytes', (file) => writeFileSync(file, randomBytes(readFileSync(file).length + 1))],
  ['a folder', (file) => (rmSync(file), mkdirSync(file), writeFileSync(path.join(file, 'inside'), 'x'))],
  ['JSON that breaks off', (file) => writeFileSync(file, '{"holdfast":2,"sequence":[1,{"a":"ü')],
  ['removed', (file) => rmSync(file)],
];
type Damage = (typeof DAMAGES)[number][0];

const inData = (...names: readonly string[]): string => path.join(installation.data, ...names);
const allIn = (folder: string): string[] => readdirSync(inData(folder)).map((name) => inData(folder, name));

interface Target {
  readonly name: string;
  readonly files: () => string[];
  /** The notice at the first start, where something of the person's may be lost; several words say the same. */
  readonly tells?: (damage: Damage) => RegExp | undefined;
  /** Nothing can be known of the choices: nothing is on until the person confirms. */
  readonly isLost?: boolean;
  /** What can be seen of it after the first start. */
  readonly then?: () => void;
}

const RESTORED = /restored your settings from the last good copy/;
const HISTORY = /your history was damaged/;

const TARGETS: readonly Target[] = [
  { name: 'state.json', files: () => [inData('state.json')], tells: () => RESTORED },
  { name: 'state.previous.json', files: () => [inData('state.previous.json')] },
  {
    name: 'both state files',
    files: () => [inData('state.json'), inData('state.previous.json')],
    tells: () => /started with nothing turned on/,
    isLost: true,
  },
  { name: 'every definition', files: () => allIn('definitions') },
  { name: 'every manifest', files: () => allIn('manifests') },
  {
    name: 'the journal file',
    files: () => allIn('journal'),
    // Of a file that is gone, empty, or ends like one that a crash cut off, nothing can be said.
    tells: (damage) => (['emptied', 'removed', 'cut in half'].includes(damage) ? undefined : HISTORY),
  },
  {
    name: 'everything that is made anew: traces, token, bridge, what a bridge starts, and what a crash left',
    files: () => [
      ...allIn('traces'),
      inData('token'),
      inData('launch.json'),
      inData('bin', 'bridge.cjs'),
      leave('lock-0000000001-00000000000000aa.json'),
      leave('state.json.0123456789ab.tmp'),
    ],
    then() {
      expect(readFileSync(inData('token'), 'utf8')).toMatch(/^[0-9a-f]{64}$/);
      expect(readLaunch(installation.data)?.args).toContain('serve');
      expect(readFileSync(inData('bin', 'bridge.cjs'))).toEqual(readFileSync(path.join(ROOT, 'dist/bridge.cjs')));
      const lines = allIn('traces').filter(
        (file) => statSync(file).isFile() && readFileSync(file).includes('"search"'),
      );
      expect(lines).not.toEqual([]);
    },
  },
];

function leave(name: string): string {
  writeFileSync(inData(name), JSON.stringify({ pid: 2 ** 30, startedAt: null }));
  return inData(name);
}

function copyPrepared(): void {
  installation = new Installation();
  cpSync(prepared.data, installation.data, { recursive: true, filter: (file) => !file.endsWith('gateway.sock') });
}

/** Starts, looks, and ends as the system would end it. */
async function startOnce<T>(look: () => Promise<T>): Promise<T> {
  await installation.serve();
  const seen = await look();
  expect(await installation.stop()).toBe(0);
  return seen;
}

describe.each(TARGETS)('$name', ({ files, tells, isLost = false, then }) => {
  test.each(DAMAGES)(
    '%s: the gateway starts, turns nothing on, keeps what can be had, and starts again',
    async (name, damage) => {
      copyPrepared();
      for (const file of files()) damage(file);
      const expected = isLost ? [] : APPROVED;

      const first = await startOnce(async () => {
        const told = await snapshot();
        if (!isLost)
          await until(
            () => toolsOf(installation.data),
            (tools) => tools.length === expected.length,
          );
        expect(isLost ? told.apps : await toolsOf(installation.data)).toEqual(expected);
        if (!isLost) expect(await call(installation.data, 'search')).toContain('search of demo');
        return told;
      });
      expect(first.tray === 'paused').toBe(isLost);
      const words = tells?.(name);
      expect(first.notices).toEqual([
        ...(words === undefined ? [] : [expect.stringMatching(words)]),
        ...(isLost ? [expect.stringMatching(/paused because we can’t be sure/)] : []),
      ]);
      then?.();

      const second = await startOnce(snapshot);
      expect(second.notices).toEqual(isLost ? [expect.stringMatching(/paused because we can’t be sure/)] : []);
      expect(second.servers.map((server) => server.name)).toEqual(isLost ? [] : ['Demo']);
      expect(second.apps.map(({ entries }) => entries)).toEqual(isLost ? [] : [APPROVED.length]);
    },
  );
});

describe('the file with the keys', () => {
  test.each(DAMAGES.filter(([name]) => name !== 'removed'))(
    '%s: the gateway starts, the choices stay, the person is told, and the damaged file is kept',
    async (_, damage) => {
      copyPrepared();
      damage(inData('secrets.json'));
      const { notices } = await startOnce(async () => {
        expect(await toolsOf(installation.data)).toEqual(APPROVED);
        // Without its key the server could be another one, so it is not started.
        expect(await call(installation.data, 'search')).not.toContain('search of demo');
        return snapshot();
      });
      expect(notices).toEqual([expect.stringMatching(/servers’ keys was damaged/)]);
      expect(readdirSync(installation.data).filter((name) => name.startsWith('secrets.damaged-'))).toHaveLength(1);
      const second = await startOnce(snapshot);
      expect(second.apps.map(({ entries }) => entries)).toEqual([APPROVED.length]);
    },
  );
});
