import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Installation } from '../support/holdfast.ts';
import { canMount } from '../support/small-disk.ts';

const BEFORE = '{\n  "mcpServers": {\n    "notes": { "command": "notes" } \n  }\n}\n';
let installation: Installation;
let folder: string;
let file: string;

beforeEach(() => {
  installation = new Installation();
  // As people have them: a space and another script.
  folder = path.join(installation.home, '王 小明', '.cursor');
  installation.env['HOME'] = path.dirname(folder);
  file = path.join(folder, 'mcp.json');
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, BEFORE);
});
afterEach(() => installation.dispose());

/** Ends the process as the system would, at the first call of a function of `fs` that names this settings file. */
function killAt(name: string, when: 'before' | 'after'): void {
  const script = path.join(installation.home, 'kill.cjs');
  const call = when === 'before' ? 'die(); return real(...all);' : 'const done = real(...all); die(); return done;';
  writeFileSync(
    script,
    `const fs = require('node:fs'); const real = fs.${name};
     const die = () => process.kill(process.pid, 'SIGKILL');
     fs.${name} = (...all) => { if (!all.some((one) => String(one).includes('mcp.json'))) return real(...all); ${call} };`,
  );
  installation.env['NODE_OPTIONS'] = `--require ${JSON.stringify(script)}`;
}

describe('a Holdfast that is killed while it writes settings', () => {
  test.each([
    ['renameSync', 'before'],
    ['renameSync', 'after'],
    ['openSync', 'after'],
    ['rmSync', 'before'],
  ] as const)(
    'at %s, %s it is done, leaves the old file or the new one, and the next one cleans up',
    async (name, when) => {
      killAt(name, when);
      const killed = await installation.run('apps', 'connect', 'cursor');
      delete installation.env['NODE_OPTIONS'];
      const left = JSON.parse(readFileSync(file, 'utf8'));
      expect(left.mcpServers.notes).toEqual({ command: 'notes' });
      await installation.ok('apps', 'connect', 'cursor');
      expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).mcpServers)).toEqual(['notes', 'holdfast']);
      expect(readdirSync(folder)).toEqual(['mcp.json']);
      await installation.ok('apps', 'disconnect', 'cursor');
      expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(BEFORE));
      if (name !== 'rmSync') expect(killed.status).not.toBe(0);
    },
  );
});

test('two Holdfasts at once both have their entry, and both take it out again', async () => {
  const other = new Installation();
  try {
    other.env['HOME'] = path.dirname(folder);
    const both = [installation, other];
    await Promise.all(both.map((one) => one.ok('apps', 'connect', 'cursor')));
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).mcpServers).sort()).toEqual([
      'holdfast',
      'holdfast-2',
      'notes',
    ]);
    await Promise.all(both.map((one) => one.ok('apps', 'disconnect', 'cursor')));
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(BEFORE));
    expect(readdirSync(folder)).toEqual(['mcp.json']);
  } finally {
    await other.dispose();
  }
});

describe.runIf(canMount)('a place that takes nothing', () => {
  /** Runs a command where something else is mounted over the folder; what the folder holds afterwards is in `after`. */
  async function mounted(mount: string): Promise<{ error: unknown; after: string; names: string }> {
    const after = path.join(installation.home, 'after');
    const script = `saved=$(mktemp) && cp "$1/mcp.json" "$saved" && ${mount} && d="$1" && a="$2" && shift 2 && "$@"; code=$?; cat "$d/mcp.json" > "$a"; ls -A "$d" > "$a.names"; exit $code`;
    installation.wrap = (program) => ['unshare', '-m', 'sh', '-c', script, 'sh', folder, after, ...program];
    const ran = await installation.run('--json', 'apps', 'connect', 'cursor');
    return {
      error: JSON.parse(ran.stdout),
      after: readFileSync(after, 'utf8'),
      names: readFileSync(`${after}.names`, 'utf8'),
    };
  }

  test('because the folder is read-only: the file stays as it is, and it is said', async () => {
    const { error, after, names } = await mounted('mount --bind "$1" "$1" && mount -o remount,ro,bind "$1"');
    expect(error).toMatchObject({
      error: { code: 'HOST_CONFIG_CONFLICT', message: expect.stringContaining('not allowed') },
    });
    expect([after, names]).toEqual([BEFORE, 'mcp.json\n']);
  });

  test('because its disk is full: the file stays as it is, nothing is left beside it, and it is said', async () => {
    const { error, after, names } = await mounted(
      'mount -t tmpfs -o size=8k none "$1" && cp "$saved" "$1/mcp.json" && { cat /dev/zero > "$1/filler" 2>/dev/null || true; }',
    );
    expect(error).toMatchObject({
      error: { code: 'HOST_CONFIG_CONFLICT', message: expect.stringContaining('disk is full') },
    });
    expect([after, names]).toEqual([BEFORE, 'filler\nmcp.json\n']);
  });
});
