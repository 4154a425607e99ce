import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Snapshot } from '../../electron/control/snapshot.ts';
import { Installation, ROOT, until, type HostApp, type Ran } from '../support/holdfast.ts';
import { DISKS, readOnly, type Disk } from '../support/small-disk.ts';

const UPSTREAM = path.join(ROOT, 'test/fixtures/upstream.mjs');
let installation: Installation;
const afterwards: (() => void)[] = [];

beforeEach(() => {
  installation = new Installation();
});
afterEach(async () => {
  await installation.dispose().finally(() => {
    for (const end of afterwards.splice(0)) end();
  });
});

const tool = (name: string, description: string) => ({ name, description, inputSchema: { type: 'object' } });
const file = (name: string): string => path.join(installation.home, name);

/** What the server lists from now on. */
function offer(...tools: readonly object[]): void {
  writeFileSync(file('control.new'), JSON.stringify({ log: file('calls.log'), tools }));
  renameSync(file('control.new'), file('control.json'));
}

/** Names of the tools that were really called. */
function called(): string[] {
  const lines = readFileSync(file('calls.log'), 'utf8').split('\n').slice(0, -1);
  const messages = lines.map((line) => JSON.parse(line) as { method?: string; params?: { name?: string } }); // the fixture's
  return messages.flatMap(({ method, params }) => (method === 'tools/call' ? (params?.name ?? []) : []));
}

async function exposeDemo(): Promise<void> {
  offer(tool('search', 'Searches.'), tool('fetch', 'Fetches.'));
  await installation.ok('apps', 'add', 'cursor');
  await installation.ok('servers', 'add', 'Demo', '--', process.execPath, UPSTREAM, file('control.json'));
  await installation.ok('expose', 'cursor', 'Demo');
}

interface Surface {
  readonly epoch: number;
  readonly entries: readonly { readonly originKey: string; readonly id: string }[];
}
const surface = (): Promise<Surface> => installation.ok<Surface>('surface', 'cursor');
const namesOf = ({ entries }: Surface): string[] => entries.map(({ originKey }) => originKey).sort();

function refusalOf({ status, stdout }: Ran): unknown[] {
  const { error } = JSON.parse(stdout) as { error: { code: string; message: string } }; // the documented shape
  return [status, error.code, error.message];
}

/** What the window would be shown. */
function snapshot(disk: Disk): Promise<Snapshot> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(disk.reach('gateway.sock'));
    const token = readFileSync(disk.reach('token'), 'utf8');
    let text = '';
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.write(`${JSON.stringify({ holdfast: 1, role: 'control', token })}\n`);
      socket.write(`${JSON.stringify({ id: 1, command: 'snapshot', input: {} })}\n`);
    });
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const [, answer, rest] = text.split('\n');
      if (answer === undefined || rest === undefined) return;
      socket.destroy();
      resolve((JSON.parse(answer) as { result: Snapshot }).result); // the command's own shape
    });
  });
}

const isSearchOff = ({ isError, content }: Awaited<ReturnType<HostApp['client']['callTool']>>): boolean =>
  isError === true && JSON.stringify(content).includes('Nothing was run');

/** Every file of the data folder with its content. */
function folder(): Record<string, string> {
  const names = readdirSync(installation.data, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => statSync(path.join(installation.data, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(path.join(installation.data, name), 'latin1')]));
}

describe.each(DISKS)('with %s', (_, make) => {
  async function disk(): Promise<Disk> {
    const made = await make(installation);
    afterwards.push(() => made.dispose());
    return made;
  }

  test('a running gateway goes on serving, turns nothing on, says so, and catches up by itself', async () => {
    const full = await disk();
    await exposeDemo();
    const gateway = await installation.serve();
    const { client, seen } = await installation.hostApp('cursor');
    await client.listTools();
    expect((await client.callTool({ name: 'search' })).isError).not.toBe(true);
    const before = await surface();

    full.fill(gateway.pid);
    expect((await client.callTool({ name: 'search' })).isError).not.toBe(true);
    offer(tool('search', 'Searches, and sends what it finds elsewhere.'), tool('fetch', 'Fetches.'));
    const trouble = await until(
      () => snapshot(full),
      ({ notices }) => notices.length > 0,
    );
    expect(trouble.tray).toBe('error');
    expect(trouble.notices.join()).toMatch(/^Changes can’t be saved right now: (the disk is full|the system lets no)/);

    // What is in force stays so, but the tool that is another one now is not called.
    expect(await surface()).toEqual(before);
    const calls = called().length;
    expect(isSearchOff(await client.callTool({ name: 'search' }).catch(refused))).toBe(true);
    expect((await client.callTool({ name: 'fetch' })).isError).not.toBe(true);
    expect(called().slice(calls)).toEqual(['fetch']);

    const hiding = await installation.run('--json', 'hide', 'cursor', 'Demo', 'tool', 'fetch');
    expect(refusalOf(hiding)).toEqual([1, 'STORE_WRITE_FAILED', expect.stringMatching(/Nothing was changed\.$/)]);
    expect(await surface()).toEqual(before);

    full.free();
    const after = await until(surface, (now) => now.epoch > before.epoch);
    expect(namesOf(after)).toEqual(['fetch']);
    const { reviews } = await installation.ok<{ reviews: { originKey: string }[] }>('review', 'list');
    expect(reviews.map(({ originKey }) => originKey)).toEqual(['search']);
    const calm = await until(
      () => snapshot(full),
      ({ notices }) => notices.length === 0,
    );
    expect(calm.tray).toBe('attention');
    await until(
      () => seen.toolListChanges,
      (changes) => changes > 0,
    );
    await installation.stop();
    expect(await surface()).toEqual(after);
  });

  test('a start ends with a sentence and changes nothing', async () => {
    const full = await disk();
    await exposeDemo();
    const before = await surface();
    full.fill(undefined);
    for (const words of [['serve'], ['--json', 'apps', 'list'], ['--json', 'surface', 'cursor']]) {
      const ran = await installation.run(...words);
      expect([ran.status, ran.stderr]).toEqual([1, expect.stringMatching(SENTENCE)]);
      expect(readdirSync(full.reach('.')).filter((name) => /^lock-|\.tmp$/.test(name))).toEqual([]);
    }
    full.free();
    expect(await surface()).toEqual(before);
  });

  test('a first start ends with a sentence, and the next one is a first start again', async () => {
    const full = await disk();
    full.fill(undefined);
    const ran = await installation.run('apps', 'add', 'cursor');
    expect([ran.status, ran.stderr]).toEqual([1, expect.stringMatching(SENTENCE)]);
    full.free();
    const { apps } = await installation.ok<{ apps: unknown[] }>('apps', 'list');
    expect(apps).toEqual([]);
    await installation.serve();
    expect((await snapshot(full)).notices).toEqual([]);
  });
});

const SENTENCE =
  /^Holdfast could not save to its data folder: (the disk is full|the system lets no file grow so large|the folder is read-only|the folder may not be written)\. Nothing was changed\. /;

/** A refusal in the protocol's own form reads like one in the tool's. */
function refused(error: unknown): Awaited<ReturnType<HostApp['client']['callTool']>> {
  return { isError: true, content: [{ type: 'text', text: error instanceof Error ? error.message : String(error) }] };
}

test('a folder that may not be written ends every start with a sentence, and nothing in it is changed', async () => {
  await exposeDemo();
  const before = folder();
  afterwards.push(await readOnly(installation));
  for (const words of [['serve'], ['--json', 'surface', 'cursor'], ['hide', 'cursor', 'Demo']]) {
    const ran = await installation.run(...words);
    expect([ran.status, ran.stderr]).toEqual([1, expect.stringMatching(SENTENCE)]);
  }
  expect(folder()).toEqual(before);
});

describe('a data folder of a newer Holdfast', () => {
  const newer = '{"holdfast":7,"writtenBy":"4.5.6","everything":"else"}';

  test.each(['state.json', 'state.previous.json'])(
    'in %s is refused in one sentence and left as it is',
    async (name) => {
      await exposeDemo();
      if (name !== 'state.json') writeFileSync(path.join(installation.data, 'state.json'), '');
      writeFileSync(path.join(installation.data, name), newer);
      const before = folder();
      for (const words of [['serve'], ['surface', 'cursor'], ['servers', 'remove', 'Demo']]) {
        const ran = await installation.run(...words);
        expect([ran.status, ran.stderr.trim()]).toEqual([
          1,
          'The data folder was written by Holdfast 4.5.6, which is newer than this one (format 7; this one knows 4). ' +
            'It was not touched. Install Holdfast 4.5.6 or a newer one again.',
        ]);
      }
      expect(folder()).toEqual(before);
    },
  );
});
