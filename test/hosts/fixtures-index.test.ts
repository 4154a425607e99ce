import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { hostApp } from '../../electron/hosts/host-apps.ts';
import type { HostApp } from '../../electron/hosts/host-apps.ts';
import { fixture, refusal, UserHome } from './host-folder.ts';

interface Case {
  file: string;
  host: string;
  op: string;
  outcome: string;
  code?: string;
  line?: number;
  column?: number;
  generated?: boolean;
  symlink?: boolean;
}

const CASES = (JSON.parse(fixture('INDEX.json').toString('utf8')) as Case[]).filter(
  ({ generated, symlink, op }) => !generated && !symlink && op !== 'update',
);

function app(id: string): HostApp {
  const found = hostApp(id);
  if (!found) throw new Error(`${id} has no writer`);
  return found;
}

function withFixture(name: string, host: string): { user: UserHome; file: string; before: Buffer } {
  const user = new UserHome();
  const before = fixture(name);
  // Continue's own settings are left alone: our entry goes into a folder beside them.
  const own = user.fileOf(app(host));
  const file = host === 'continue' ? path.join(user.home, '.continue', 'config.yaml') : own;
  user.write(file, before);
  return { user, file, before };
}

function sameStart(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  return at;
}

describe('recorded settings, each in the app they are of', () => {
  it.each(CASES.filter(({ outcome }) => outcome === 'ok').map((one) => [one.file, one.host]))(
    '%s: %s gets our entry once, and the very bytes back',
    (name, host) => {
      const { user, file, before } = withFixture(name, host);
      expect(user.connect(host)).toMatchObject({ changed: true, entry: 'holdfast' });
      const connected = user.everything();
      expect(user.connect(host).changed).toBe(false);
      expect(user.everything()).toEqual(connected);
      expect(user.disconnect(host).changed).toBe(true);
      expect(fs.readFileSync(file).equals(before)).toBe(true);
    },
  );

  it.each(CASES.filter(({ outcome }) => outcome === 'refuse').map((one) => [one.file, one] as const))(
    '%s: is refused as it should be, and nothing at all is written',
    (name, { host, code, line, column }) => {
      const { user } = withFixture(name, host);
      const before = user.everything();
      const found = refusal(() => user.connect(host));
      expect(found['problem']).toBe(code);
      if (line !== undefined) expect([found['line'], found['column']]).toEqual([line, column]);
      expect(user.everything()).toEqual(before);
    },
  );

  it('02: every line of VS Code stays, in order, and only our lines go after an edit by hand', () => {
    const { user, file, before } = withFixture('02-jsonc-comments-trailing.vscode-mcp.json', 'vscode');
    user.connect('vscode');
    const text = fs.readFileSync(file, 'utf8');
    const lines = before.toString('utf8').split('\n');
    expect(text.split('\n').filter((line) => !line.includes('holdfast'))).toEqual(lines);
    expect(parseJsonc(text, [], { allowTrailingComma: true }).servers.holdfast).toMatchObject({ type: 'stdio' });
    user.write(file, text.replace('weekdays', 'Sundays'));
    user.disconnect('vscode');
    expect(fs.readFileSync(file, 'utf8')).toBe(before.toString('utf8').replace('weekdays', 'Sundays'));
  });

  it.each([
    ['19-codex-inline-section.config.toml', 'codex', 'holdfast = { command = "'],
    ['22-goose-flow.config.yaml', 'goose', 'holdfast: { name: "holdfast"'],
  ])('%s: what to paste is said', (name, host, entry) => {
    const { user } = withFixture(name, host);
    expect(refusal(() => user.connect(host))['entry']).toContain(entry);
  });

  it('23: Continue gets a file of our own, which goes again', () => {
    const { user, file, before } = withFixture('23-continue-list.config.yaml', 'continue');
    const { file: own } = user.connect('continue');
    expect(path.relative(user.home, own)).toBe('.continue/mcpServers/holdfast.json');
    expect(fs.readFileSync(file).equals(before)).toBe(true);
    user.disconnect('continue');
    expect(fs.readdirSync(path.dirname(file))).toEqual(['config.yaml']);
  });

  it('27: a section that VS Code does not read is left alone and told about', () => {
    const { user, file } = withFixture('27-vscode-wrong-key.vscode-mcp.json', 'vscode');
    expect(user.connect('vscode').notes).toMatchObject([
      { code: 'misplaced', en: expect.stringContaining('mcpServers') },
    ]);
    expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toMatchObject({
      mcpServers: { alpha: { command: 'alpha' } },
      servers: { holdfast: { type: 'stdio' } },
    });
  });

  it('16: seven megabytes of Claude Code change in one place, among the servers of the user', () => {
    const user = new UserHome();
    const file = user.fileOf(app('claude-code'));
    const generator = path.join(import.meta.dirname, 'fixtures', '16-make-huge.mjs');
    execFileSync(process.execPath, [generator, file]);
    const before = fs.readFileSync(file, 'utf8');
    user.connect('claude-code');
    const after = fs.readFileSync(file, 'utf8');
    // One place: what is the same from the start and from the end is all that was there.
    const head = sameStart(before, after);
    const tail = before.slice(head);
    expect(after.endsWith(tail)).toBe(true);
    expect(JSON.parse(after)).toEqual({
      ...JSON.parse(before),
      mcpServers: { ...JSON.parse(before).mcpServers, holdfast: expect.objectContaining({ type: 'stdio' }) },
    });
    user.disconnect('claude-code');
    expect(fs.readFileSync(file, 'utf8') === before).toBe(true);
  });

  it('17: a link into a folder of dotfiles stays, and the file behind it is the one that changes', () => {
    const user = new UserHome();
    const target = path.join(user.home, 'dotfiles', 'cursor', 'mcp.json');
    user.write(target, '{"mcpServers":{"a":{}}}');
    fs.chmodSync(target, 0o640);
    const link = path.join(user.home, '.cursor', 'mcp.json');
    fs.mkdirSync(path.dirname(link));
    fs.symlinkSync('../dotfiles/cursor/mcp.json', link);
    user.connect('cursor');
    expect(fs.readlinkSync(link)).toBe('../dotfiles/cursor/mcp.json');
    expect(fs.statSync(target).mode & 0o777).toBe(0o640);
    expect(fs.readdirSync(path.dirname(target))).toEqual(['mcp.json']);
    user.disconnect('cursor');
    expect(fs.readFileSync(target, 'utf8')).toBe('{"mcpServers":{"a":{}}}');
  });
});
