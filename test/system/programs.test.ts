import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Programs } from '../../electron/system/programs.ts';
import { packagedRuntimes, runtimesAtHand, type Runtimes } from '../../electron/system/runtimes.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'holdfast-programs-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** A program that says who it is, and what it was given. */
function put(name: string, text = `echo "${path.basename(name)}: $*"`): string {
  const file = path.join(home, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
}

function programs(runtimes: readonly Runtimes[], more: NodeJS.ProcessEnv = {}): Programs {
  const env = { HOME: home, PATH: '/usr/bin:/bin', SHELL: '/bin/false', ...more };
  return new Programs({ dataDir: path.join(home, 'data'), runtimes, env, home });
}

/** What comes of starting a command line. */
async function said(from: Programs, words: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const [command = '', ...args] = words;
  const cwd = path.join(home, 'data/servers/s');
  mkdirSync(cwd, { recursive: true });
  const plan = await from.plan({ command, args, env, cwd, server: 's' });
  const ran = spawnSync(plan.command, [...plan.args], { cwd, env: { HOME: home, ...plan.env }, encoding: 'utf8' });
  return ran.error ? ran.error.message : ran.stdout.trim();
}

function brought(): Runtimes[] {
  const { platform, arch } = process;
  for (const file of ['node/bin/node', 'uv/uv', 'node/lib/node_modules/npm/bin/npx-cli.js'])
    put(`package/runtimes/${platform}-${arch}/${file}`);
  const found = packagedRuntimes({ roots: [path.join(home, 'package')], platform, arch });
  return found ? [found] : [];
}

describe.runIf(process.platform !== 'win32')('a program', () => {
  test('of a package runner is the one that Holdfast brings along, whatever else there is', async () => {
    for (const name of ['npx', 'uvx', 'node']) put(`theirs/${name}`, 'echo theirs');
    const from = programs(brought(), { PATH: `${home}/theirs:/usr/bin:/bin` });
    expect(await said(from, ['npx', '-y', 'pkg'])).toMatch(/^node: .*npx-cli\.js -y pkg$/);
    expect(await said(from, ['uvx', 'pkg', 'a'])).toBe('uv: tool run pkg a');
    expect(await said(from, ['node', 'x.js'])).toBe('theirs');
  });

  test('is found in the folders where people’s programs are, and in those of their shell before them', async () => {
    put('.local/bin/tool');
    expect(await said(programs([]), ['tool', 'x'])).toBe('tool: x');
    put('shell/tool', 'echo of the shell');
    const shell = put('sh', `PATH=${home}/shell:$PATH; for last; do :; done; eval "$last"`);
    expect(await said(programs([], { SHELL: shell }), ['tool'])).toBe('of the shell');
    // From a terminal the shell has had its say already, and is not asked.
    expect(await said(programs([], { SHELL: shell, SHLVL: '1', TERM: 'xterm' }), ['tool', 'x'])).toBe('tool: x');
  });

  test('is looked for where the person says, and nowhere else', async () => {
    put('.local/bin/tool', 'echo theirs');
    const own = path.dirname(put('own/tool', 'echo own'));
    expect(await said(programs([]), ['tool'], { PATH: own })).toBe('own');
    expect(await said(programs([]), ['tool'], { PATH: home })).toContain('ENOENT');
  });

  test('finds the others that it needs, the Node that started it first', async () => {
    put('.local/bin/helper');
    put('.local/bin/tool', 'helper x');
    expect(await said(programs([]), ['tool'])).toBe('helper: x');
    const atHand = runtimesAtHand(process.execPath, false);
    expect(await said(programs([atHand], { PATH: home }), ['node', '-p', 'process.env.PATH'])).toContain(
      `${path.dirname(process.execPath)}:`,
    );
  });
});

test('a shell is asked once, however many programs are started', async () => {
  const count = path.join(home, 'count');
  const shell = put('sh', `echo x >> ${count}; for last; do :; done; eval "$last"`);
  const from = programs([], { SHELL: shell });
  await Promise.all([from.folders(), from.folders(), said(from, ['true'])]);
  expect(readFileSync(count, 'utf8')).toBe('x\n');
});

test('a program that was installed meanwhile is found, after a while in which nothing is asked anew', async () => {
  const make = (askAgainMs: number): Programs =>
    new Programs({ dataDir: home, runtimes: [], env: { PATH: '/bin', SHELL: '/bin/false' }, home, askAgainMs });
  const [patient, eager] = [make(600_000), make(0)];
  for (const from of [patient, eager]) expect(await said(from, ['late'])).toContain('ENOENT');
  put('.cargo/bin/late');
  expect(await said(patient, ['late'])).toContain('ENOENT');
  expect(await said(eager, ['late', 'x'])).toBe('late: x');
});

test('a package runner finds an end of the folders that it looks through, and what is there is left alone', async () => {
  const manifest = path.join(home, 'data/servers/s/package.json');
  await said(programs(brought()), ['npx', 'x']);
  expect(readFileSync(manifest, 'utf8')).toBe('{ "private": true }\n');
  writeFileSync(manifest, '{"mine":1}');
  await said(programs(brought()), ['npx', 'x']);
  expect(readFileSync(manifest, 'utf8')).toBe('{"mine":1}');
});
