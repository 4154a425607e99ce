import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectToGateway, runRemotely } from '../../electron/cli/client.ts';
import type { CommandInput, CommandName, CommandOutput } from '../../electron/control/commands.ts';
import type { SetupView } from '../../electron/control/snapshot.ts';
import { Installation, until } from '../support/holdfast.ts';

let installation: Installation;
let settings: string;

beforeEach(async () => {
  installation = new Installation();
  // No app of this machine but those that are put there.
  installation.env['PATH'] = path.dirname(process.execPath);
  settings = path.join(installation.home, 'user', '.cursor', 'mcp.json');
  mkdirSync(path.dirname(settings), { recursive: true });
});
afterEach(() => installation.dispose());

/** Asks the running gateway as the window does. */
async function ask<N extends CommandName>(name: N, input: CommandInput<N>): Promise<CommandOutput<N>> {
  const socket = await connectToGateway(installation.data);
  if (socket === undefined) throw new Error('no gateway');
  try {
    return (await runRemotely(socket, installation.data, name, input)) as CommandOutput<N>; // the command's own
  } finally {
    socket.destroy();
  }
}

const setup = async (): Promise<SetupView | undefined> => (await ask('snapshot', {})).setup;

async function reviewOf(app: string, change: 'small' | 'careful') {
  const isAsked = (one: { app: string; state: string }): boolean => one.app === app && one.state === 'pending';
  await until(setup, (now) => now?.story?.change === change && now.story.state === 'waiting');
  const { reviews } = await ask('review.list', {});
  return reviews.find(isAsked)!;
}

test('first run: an app is set up, its clock works, changes, is withdrawn, approved and on again', async () => {
  const before = '{"mcpServers": {"notes": {"command": "notes-server"}}}\n';
  writeFileSync(settings, before);
  await installation.serve();
  expect(await setup()).toMatchObject({
    step: 'found',
    apps: [{ id: 'cursor', name: 'Cursor', servers: 1, isReadable: true }],
  });

  expect(await ask('setup.go', { apps: ['cursor'] })).toMatchObject({
    connected: ['cursor'],
    backups: 1,
    problems: [],
  });
  expect(Object.keys((JSON.parse(readFileSync(settings, 'utf8')) as { mcpServers: object }).mcpServers)).toEqual([
    'notes',
    'holdfast',
  ]);
  expect(await setup()).toMatchObject({ step: 'done', apps: [{ id: 'cursor' }], working: 1, all: 1 });
  // It is no program that anybody would have to install.
  expect((await installation.run('doctor', '--json')).stdout).not.toContain('holdfast-demo');
  await ask('setup.next', { to: 'try' });

  const { client, seen } = await installation.hostApp('cursor');
  const call = async (): Promise<string> =>
    JSON.stringify((await client.callTool({ name: 'clock', arguments: { city: 'Tokyo' } })).content);
  const names = async (): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name);
  expect(await names()).toEqual(['clock']);
  expect(await call()).toMatch(/It is \d\d:\d\d in Tokyo/);
  await until(setup, (now) => now?.usedBy === 'Cursor');

  await ask('setup.next', { to: 'story' });
  const small = await reviewOf('cursor', 'small');
  expect(small).toMatchObject({ serverName: 'Demo', title: 'Clock', severity: 'compatible', quiet: false });
  await until(
    () => seen.toolListChanges,
    (times) => times === 1,
  );
  expect(await names()).toEqual([]);
  expect(await call()).toContain('has changed and is off');
  await ask('review.approve', { id: small.id, target: small.targetId });
  expect(await names()).toEqual(['clock']);
  expect(await call()).toContain('Tokyo');
  expect((await setup())?.story).toEqual({ change: 'small', state: 'decided' });

  await ask('demo.change', { change: 'careful' });
  const careful = await reviewOf('cursor', 'careful');
  expect(careful).toMatchObject({ severity: 'security' });
  expect(careful.change.sentences.en).toContain('Can now delete or overwrite things.');
  expect(await names()).toEqual([]);

  // From the beginning: nothing of the earlier one is decided, and what is removed is gone.
  await ask('demo.reset', {});
  expect(await names()).toEqual([expect.stringMatching(/_clock$/)]);
  await ask('demo.change', { change: 'small' });
  await reviewOf('cursor', 'small');
  const { servers } = await ask('snapshot', {});
  expect(servers).toMatchObject([{ name: 'Demo', isExample: true, policy: 'review' }]);
  await ask('setup.next', { to: 'done' });
  expect(await setup()).toBeUndefined();
  await ask('servers.remove', { name: 'Demo' });
  expect(await names()).toEqual([]);
});

test('where there is no app, an example app makes real calls, and is told no while the clock is off', async () => {
  await installation.serve();
  expect(await setup()).toMatchObject({ step: 'found', apps: [] });
  await ask('setup.next', { to: 'demo' });
  expect(await setup()).toMatchObject({ step: 'try', usedBy: null, apps: [{ id: 'example', isExample: true }] });
  expect(await ask('demo.ask', {})).toEqual({
    text: expect.stringMatching(/^It is \d\d:\d\d in Tokyo\.$/) as string,
    isError: false,
  });
  await until(setup, (now) => now?.usedBy === 'Example app');
  await ask('setup.next', { to: 'story' });
  await reviewOf('example', 'small');
  expect(await ask('demo.ask', {})).toMatchObject({ isError: true });

  // Where one left off is remembered.
  await installation.stop();
  await installation.serve();
  expect(await setup()).toMatchObject({ step: 'story', story: { change: 'small', state: 'waiting' } });
  await ask('demo.reset', {});
  expect(await ask('demo.ask', {})).toMatchObject({ isError: false });
});

test('damaged settings are left as they are, and do not keep the other apps from being set up', async () => {
  writeFileSync(settings, '{"mcpServers": ');
  const claude = path.join(installation.home, 'config', 'Claude', 'claude_desktop_config.json');
  mkdirSync(path.dirname(claude), { recursive: true });
  writeFileSync(claude, '{}');
  await installation.serve();
  expect((await setup())?.apps).toEqual([
    { id: 'claude-desktop', name: 'Claude Desktop', servers: 0, isReadable: true },
    { id: 'cursor', name: 'Cursor', servers: 0, isReadable: false },
  ]);
  // Clicked twice, it is done once.
  const go = () => ask('setup.go', { apps: ['cursor', 'claude-desktop'] });
  const [done] = await Promise.all([go(), go()]);
  expect(done).toMatchObject({ connected: ['claude-desktop'], problems: [{ app: 'cursor' }] });
  expect(readFileSync(settings, 'utf8')).toBe('{"mcpServers": ');
  expect(await setup()).toMatchObject({ apps: [{ id: 'claude-desktop' }], all: 1 });
});
