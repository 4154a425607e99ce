import { spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CLI, Installation, ROOT, until } from '../support/holdfast.ts';

const UPSTREAM = path.join(ROOT, 'test/fixtures/upstream.mjs');
let installation: Installation;

beforeEach(() => {
  installation = new Installation();
});
afterEach(() => installation.dispose());

/** Everything the gateway could read anew is damaged, so that it has something to complain of. */
function damageDefinitions(): number {
  const folder = path.join(installation.data, 'definitions');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { parentPath, name } of files) writeFileSync(path.join(parentPath, name), '{');
  return files.length;
}

test('a gateway goes on serving when nobody reads what it complains of', async () => {
  const control = path.join(installation.home, 'control.json');
  writeFileSync(control, JSON.stringify({ tools: [{ name: 'ask', inputSchema: { type: 'object' } }] }));
  await installation.ok('apps', 'add', 'cursor');
  await installation.ok('servers', 'add', 'Demo', '--', process.execPath, UPSTREAM, control);
  await installation.ok('expose', 'cursor', 'Demo');
  expect(damageDefinitions()).toBeGreaterThan(0);
  const gateway = await installation.serve();
  gateway.stderr?.destroy();
  gateway.stdout?.destroy();
  // Both of these have it complain; the second answer shows that it is the same one.
  for (const words of [
    ['surface', 'cursor'],
    ['review', 'list'],
  ])
    await installation.run('--json', ...words);
  await installation.ok('apps', 'add', 'other');
  const { checks } = JSON.parse((await installation.run('--json', 'doctor')).stdout) as {
    checks: { id: string; found: string }[];
  };
  expect(checks.find(({ id }) => id === 'gateway')?.found).toBe('ok');
  expect([gateway.exitCode, gateway.signalCode]).toEqual([null, null]);
  expect(await installation.stop()).toBe(0);
});

test('a command whose reader has left ends quietly', async () => {
  const command = spawn(process.execPath, [CLI, '--home', installation.data, 'help'], { env: installation.env });
  command.stdout.destroy();
  let said = '';
  command.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await until(
    () => command.exitCode,
    (code) => code !== null,
  );
  expect([command.exitCode, said]).toEqual([0, '']);
});
