import fs from 'node:fs';
import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, it, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { hostApp } from '../../electron/hosts/host-apps.ts';
import type { HostMove } from '../../electron/hosts/host-request.ts';
import { findServers } from '../../electron/hosts/import-look.ts';
import { restoreHosts } from '../../electron/hosts/restore-hosts.ts';
import { fixture, UserHome } from './host-folder.ts';

const TOKEN = 'secret of this installation';

type Entries = Record<string, unknown>;
const READERS: Record<string, (text: string) => Entries> = {
  'claude-desktop': (text) => JSON.parse(text).mcpServers,
  cursor: (text) => JSON.parse(text).mcpServers,
  vscode: (text) => parseJsonc(text, [], { allowTrailingComma: true }).servers,
  codex: (text) => parseToml(text)['mcp_servers'] as Entries, // the section
  goose: (text) => parseYaml(text).extensions,
};

/** An app with settings, as a person has them. */
class Settings {
  readonly user = new UserHome();
  readonly app: string;
  readonly file: string;

  constructor(app: string, content: string | Buffer) {
    this.app = app;
    this.file = this.user.fileOf(hostApp(app)!);
    this.user.write(this.file, content);
  }

  get text(): string {
    return fs.readFileSync(this.file, 'utf8');
  }

  get entries(): Entries {
    return READERS[this.app]!(this.text);
  }

  /** What a person who takes these over asks for. */
  moves(...names: string[]): HostMove[] {
    const { servers } = findServers({ home: this.user.home, env: this.user.env, platform: 'linux', token: TOKEN });
    return servers
      .filter(({ source }) => source.canMove && names.includes(source.entry))
      .map(({ source: { file, entry: name, print } }) => ({ file, name, print }));
  }

  move(moves: readonly HostMove[], dryRun = false) {
    return this.user.access().connect(this.app, { dryRun, moves });
  }

  restoreAll() {
    const { home, env, data } = this.user;
    const now = (): string => this.user.now;
    return restoreHosts({ home, env, platform: 'linux', token: TOKEN, dataDir: data, now, isTimeUp: () => false });
  }
}

const FILES: readonly (readonly [app: string, text: string])[] = [
  [
    'cursor',
    '{\n\t"mcpServers": {\n\t\t"a": { "command": "a", "n": 1.10 },\n\t\t"b": {"command":"b"}\n\t},\n\t"x": 1\n}',
  ],
  [
    'vscode',
    '{\r\n  // mine\r\n  "servers": {\r\n    "a": { "command": "a" }, // first\r\n    /* b */ "b": { "command": "b", },\r\n  },\r\n}\r\n',
  ],
  [
    'codex',
    '# mine\n[mcp_servers.a]\ncommand = "a" # first\n\n[mcp_servers.a.env]\nK = "v"\n\n[mcp_servers.b]\ncommand = "b"\n\n[other]\nx = 1\n',
  ],
  [
    'goose',
    '# mine\nextensions:\n  a:\n    type: stdio\n    cmd: a # first\n    args: []\n    envs: {}\n  b:\n    type: stdio\n    cmd: b\nother: 1\n',
  ],
];

describe.each(FILES)('%s', (app, before) => {
  test('one server is moved in a single write, the rest stays, and the very bytes come back', () => {
    const settings = new Settings(app, before);
    const shown = settings.move(settings.moves('a'), true);
    expect(shown).toMatchObject({ changed: true, moved: ['a'], diff: expect.stringMatching(/^-.*a/m) });
    expect(settings.text).toBe(before);
    expect(settings.move(settings.moves('a'))).toMatchObject({ changed: true, moved: ['a'] });
    expect(Object.keys(settings.entries).sort()).toEqual(['b', 'holdfast']);
    expect(settings.user.connect(app).changed).toBe(false);
    expect(settings.user.disconnect(app).changed).toBe(true);
    expect(settings.text).toBe(before);
  });

  test('all of them moved, one after the other, come back to the byte', () => {
    const settings = new Settings(app, before);
    settings.user.connect(app);
    settings.move(settings.moves('b'));
    settings.move(settings.moves('a'));
    expect(Object.keys(settings.entries)).toEqual(['holdfast']);
    expect(settings.restoreAll()).toEqual([{ app, file: settings.file, outcome: 'restored' }]);
    expect(settings.text).toBe(before);
  });

  test('after other changes to the file, what was moved is given back with what it said', () => {
    const settings = new Settings(app, before);
    const own = settings.entries['a'];
    settings.move(settings.moves('a', 'b'));
    fs.writeFileSync(settings.file, settings.text.replace(/mine|"x": 1/, '$&2'));
    settings.user.connect(app);
    settings.user.disconnect(app);
    expect(settings.entries['a']).toEqual(own);
    expect(Object.keys(settings.entries).sort()).toEqual(['a', 'b']);
    expect(settings.text).toMatch(/mine2|"x": 12/);
  });
});

test('24: four servers of a recorded file are moved and given back', () => {
  const before = fixture('24-import-mixed.claude_desktop_config.json');
  const settings = new Settings('claude-desktop', before);
  settings.move(settings.moves('notes', 'weather', 'remote', 'docker'));
  expect(Object.keys(settings.entries)).toEqual(['broken', 'holdfast']);
  expect(JSON.parse(settings.text)).toMatchObject({
    isUsingBuiltInNodeForMcp: true,
    preferences: { coworkScheduledTasksEnabled: false },
  });
  settings.user.disconnect('claude-desktop');
  expect(fs.readFileSync(settings.file).equals(before)).toBe(true);
});

it('13: taking out "a.b" and "__proto__" touches nothing else', () => {
  const settings = new Settings('cursor', fixture('13-unicode-names.cursor-mcp.json'));
  settings.move(settings.moves('a.b', '__proto__'));
  expect(Object.keys(settings.entries)).toHaveLength(5);
  expect(settings.text).not.toMatch(/a\.b|proto/);
});

test('an entry that was changed since it was shown is left, and so is one that is gone', () => {
  const settings = new Settings('cursor', '{"mcpServers":{"a":{"command":"a"},"b":{"command":"b"}}}');
  const moves = settings.moves('a', 'b');
  settings.user.write(settings.file, '{"mcpServers":{"a":{"command":"other"}}}');
  expect(settings.move(moves).moved).toBeUndefined();
  expect(settings.entries).toMatchObject({ a: { command: 'other' }, holdfast: {} });
});

test('a name that somebody else has by now is not taken from them', () => {
  const settings = new Settings('cursor', '{"mcpServers":{"a":{"command":"a"}}}');
  settings.move(settings.moves('a'));
  const { holdfast } = settings.entries;
  settings.user.write(settings.file, JSON.stringify({ mcpServers: { holdfast, a: { command: 'new' } } }));
  settings.user.disconnect('cursor');
  expect(settings.entries).toEqual({ a: { command: 'new' }, 'a-2': { command: 'a' } });
});

test('what was moved is given back although somebody took our entry out', () => {
  const settings = new Settings('cursor', '{"mcpServers":{"a":{"command":"a"}}}');
  settings.move(settings.moves('a'));
  settings.user.write(settings.file, '{"mcpServers":{}}');
  expect(settings.user.disconnect('cursor').changed).toBe(true);
  expect(settings.entries).toEqual({ a: { command: 'a' } });
});

test('a file that cannot be read keeps what has to be given back on record until it can', () => {
  const settings = new Settings('cursor', '{"mcpServers":{"a":{"command":"a"}}}');
  settings.move(settings.moves('a'));
  settings.user.write(settings.file, '{"mcpServers":');
  expect(() => settings.user.disconnect('cursor')).toThrow('HOST_CONFIG_UNREADABLE');
  settings.user.write(settings.file, '{"mcpServers":{}}');
  settings.user.disconnect('cursor');
  expect(settings.entries).toEqual({ a: { command: 'a' } });
});

test('an app that runs and writes its own file loses its server only once it has quit', () => {
  const before = '{"mcpServers":{"a":{"command":"a"}}}';
  const settings = new Settings('claude-desktop', before);
  settings.user.programs = ['claude-desktop'];
  expect(settings.move(settings.moves('a'))).toMatchObject({ changed: false, queued: true });
  // Connected once more meanwhile: what waits is not forgotten.
  settings.user.connect('claude-desktop');
  expect(settings.text).toBe(before);
  settings.user.programs = [];
  settings.user.access().tend();
  expect(Object.keys(settings.entries)).toEqual(['holdfast']);
  settings.user.disconnect('claude-desktop');
  expect(settings.text).toBe(before);
});

test('an app that still runs keeps a server that was removed again, and loses another', () => {
  const settings = new Settings('claude-desktop', '{"mcpServers":{"a":{"command":"a"},"b":{"command":"b"}}}');
  settings.user.programs = ['claude-desktop'];
  settings.move(settings.moves('a').map((move) => ({ ...move, server: 'srv-a' })));
  settings.move(settings.moves('b').map((move) => ({ ...move, server: 'srv-b' })));
  settings.user.access().forgetMoves('srv-a');
  settings.user.programs = [];
  settings.user.access().tend();
  expect(Object.keys(settings.entries)).toEqual(['a', 'holdfast']);
});

test('the keys of what was moved are in files that only this user can read', () => {
  const settings = new Settings('cursor', '{"mcpServers":{"a":{"command":"a","env":{"K":"very-secret"}}}}');
  settings.move(settings.moves('a'));
  const names = fs
    .readdirSync(settings.user.data, { recursive: true })
    .map((name) => `${settings.user.data}/${String(name)}`);
  const holders = names.filter(
    (name) => fs.statSync(name).isFile() && fs.readFileSync(name, 'utf8').includes('very-secret'),
  );
  expect(holders.length).toBeGreaterThan(0);
  for (const name of holders) expect(fs.statSync(name).mode & 0o077).toBe(0);
});
