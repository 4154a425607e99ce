import { createHmac } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Control } from '../../electron/control/control.ts';
import type { Server, ServerId } from '../../electron/core/model.ts';
import { realFiles, type Files } from '../../electron/store/files.ts';
import { Secrets, type KeyStore } from '../../electron/store/secrets.ts';
import { Store } from '../../electron/store/store.ts';
import { controlOn } from './control.ts';
import { faultyFiles, type Fault } from './faulty-files.ts';
import { AT } from './sample.ts';
import { codeOf, temporaryFolder } from './support.ts';

/** A key store with one key: what another key sealed does not open. */
const keyStore = (key: string): KeyStore => ({
  kind: 'system',
  seal: (text) => Buffer.from(`${key}:${text}`),
  open: (bytes) => {
    const [found, ...text] = bytes.toString().split(':');
    if (found !== key) throw new Error('wrong key');
    return text.join(':');
  },
});

interface Opened {
  readonly control: Control;
  readonly secrets: Secrets;
  readonly close: () => Promise<void>;
}

async function open(dir: string, files: Files, box: KeyStore = null, onSnapshot?: () => void): Promise<Opened> {
  const { store } = await Store.open({ dir, files, now: () => AT, version: '1.0.0' });
  const { secrets } = await Secrets.open(files, dir, AT, box);
  let made = 0;
  const random = (length: number): string => String((made += 1)).padStart(length, '0');
  const control = controlOn(store, { secrets, random, ...(onSnapshot && { onSnapshot }) });
  return { control, secrets, close: () => store.close() };
}

function serverNamed({ state }: Control, name: string): Server | undefined {
  return Object.values(state.servers).find((server) => server.name === name);
}

/** What would be started, and with which keys. */
function started(control: Control, name: string): unknown {
  const server = serverNamed(control, name);
  if (server === undefined || server.archivedAt !== null) return null;
  const { command, args, env, digest, locked } = control.upstream(server.id) ?? {};
  return { command, args, env, digest, locked };
}

const OLD = { name: 'Keyed', command: 'program', args: ['one'], env: { A: 'old-a', B: 'old-b' } };
type Call = readonly [name: string, input: object];
const CHANGES: Readonly<Record<string, Call>> = {
  'another program': ['servers.set', { name: 'Keyed', command: 'other' }],
  'another program with a key of the same name': [
    'servers.set',
    { name: 'Keyed', command: 'other', env: { A: 'new' } },
  ],
  'other arguments and another value': ['servers.set', { name: 'Keyed', args: ['two'], env: { A: 'new', C: 'more' } }],
  'another value': ['servers.set', { name: 'Keyed', env: { A: 'new' } }],
  'one key less': ['servers.set', { name: 'Keyed', env: { A: '' } }],
  'a new server': ['servers.add', { name: 'New', command: 'program', env: { A: 'new' } }],
};
const NAMES = ['Keyed', 'New'];

/** Makes one change while the disk fails at one operation. Returns what was before, whether it went well, and what is then. */
async function changeOn(fault: Fault | null, [name, input]: Call) {
  const dir = temporaryFolder();
  const files = faultyFiles(realFiles);
  const { control, close } = await open(dir, files);
  await control.run('servers.add', OLD);
  const all = (of: Control): unknown[] => NAMES.map((each) => started(of, each));
  const before = all(control);
  if (fault) files.arm(fault);
  const wentWell = await control.run(name, input).then(
    () => true,
    () => false,
  );
  const { operations } = files;
  const now = all(control);
  files.disarm();
  await close();
  const again = await open(dir, realFiles);
  const later = all(again.control);
  await again.close();
  return { before, wentWell, now, later, operations };
}

describe('a change of a server’s launch and keys', () => {
  it.each(Object.entries(CHANGES))('to %s leaves all as it was where it could not be saved', async (_, call) => {
    const whole = await changeOn(null, call);
    expect([whole.wentWell, whole.later]).toEqual([true, whole.now]);
    expect(whole.now).not.toEqual(whole.before);
    const failures: boolean[] = [];
    for (const how of ['fail', 'stop'] as const) {
      for (let at = 1; ; at += 1) {
        const { before, wentWell, now, later, operations } = await changeOn({ at, how }, call);
        if (operations < at) break;
        failures.push(!wentWell);
        expect([how, at, now]).toEqual([how, at, wentWell ? whole.now : before]);
        // What the disk took before it failed may be in force at the next start, but never half of it.
        expect([before, whole.now]).toContainEqual(later);
      }
    }
    expect(failures).toContain(true);
  });

  it('gives a process what its launch names and nothing that was left over, with the same digest', async () => {
    const { control, secrets, close } = await open(temporaryFolder(), realFiles);
    await control.run('servers.add', OLD);
    const id = serverNamed(control, 'Keyed')?.id as ServerId; // just added
    await secrets.set(id, { ...OLD.env, LEFT: 'over', [`A@${'0'.repeat(32)}`]: 'over' });
    const config = '{"args":["one"],"command":"program","env":{"A":"old-a","B":"old-b"}}';
    const digest = createHmac('sha256', 'key').update(config).digest('hex').slice(0, 32);
    expect(started(control, 'Keyed')).toMatchObject({ env: OLD.env, digest });
    await close();
  });
});

describe('keys that the key store does not open', () => {
  it('are given up only when a person asks, and are then entered again', async () => {
    const dir = temporaryFolder();
    const first = await open(dir, realFiles, keyStore('former'));
    await first.control.run('servers.add', OLD);
    await first.close();
    const sealed = fs.readFileSync(path.join(dir, 'secrets.json'), 'utf8');

    let shown = 0;
    const { control, close } = await open(dir, realFiles, keyStore('present'), () => (shown += 1));
    const refused: readonly Call[] = [
      ['servers.set', { name: 'Keyed', env: { A: 'again' } }],
      ['servers.add', { name: 'New', command: 'new', env: { A: 'new' } }],
    ];
    for (const [name, input] of refused)
      expect(await codeOf(() => control.run(name, input))).toBe('SECRETS_UNOPENABLE');
    expect(control.snapshot().keys).toBe('unopenable');
    expect(started(control, 'Keyed')).toMatchObject({ locked: expect.stringContaining('cannot be opened') as string });
    expect(fs.readFileSync(path.join(dir, 'secrets.json'), 'utf8')).toBe(sealed);

    const before = shown;
    const { file, about } = (await control.run('servers.forget-keys', {})) as { file: string; about: string };
    expect([fs.readFileSync(file, 'utf8'), shown]).toEqual([sealed, before + 1]);
    expect(about).toContain(file);
    expect(started(control, 'Keyed')).toMatchObject({ locked: expect.stringContaining('are missing') as string });
    await control.run('servers.set', { name: 'Keyed', env: OLD.env });
    expect(started(control, 'Keyed')).toMatchObject({ env: OLD.env, locked: undefined });
    expect(await control.run('servers.forget-keys', {})).toMatchObject({ file: null });
    await close();
  });
});

describe('the route of a server', () => {
  it('shows no key that stands among its arguments, whichever command tells of it', async () => {
    const { control, close } = await open(temporaryFolder(), realFiles);
    const args = ['npx', '--token', 'canary-1', '--key=canary-2', 'plain'];
    const told = [
      await control.run('servers.add', { name: 'Keyed', command: 'env', args }),
      await control.run('servers.list', {}),
      await control.run('servers.show', { name: 'Keyed' }),
      await control.run('servers.set', { name: 'Keyed', args: [...args, 'more'] }),
      await control.run('servers.set', { name: 'Keyed', command: 'node', args: ['--key=canary-3', 'x.js'] }),
    ];
    const text = told.map((each) => JSON.stringify(each));
    expect(text.filter((each) => each.includes('canary'))).toEqual([]);
    expect(text.filter((each) => each.includes('cmdline:'))).toHaveLength(told.length);
    expect((told[0] as { route: string }).route).toBe('cmdline:["env","npx","--token","•••","--key=•••","plain"]');
    await close();
  });
});
