import fs from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { hostApp } from '../../electron/hosts/host-apps.ts';
import { groupServers } from '../../electron/hosts/import-groups.ts';
import { findServers, type FoundServers } from '../../electron/hosts/import-look.ts';
import { fixture, UserHome } from './host-folder.ts';

const TOKEN = 'secret of this installation';

function look(user: UserHome, platform: NodeJS.Platform = 'linux'): FoundServers {
  return findServers({ home: user.home, env: user.env, platform, token: TOKEN });
}

/** A home in which these apps have these settings. */
function homeWith(files: Readonly<Record<string, string | Buffer | object>>): UserHome {
  const user = new UserHome();
  for (const [app, content] of Object.entries(files)) {
    const file = app.includes('/') ? `${user.home}/${app}` : user.fileOf(hostApp(app)!);
    user.write(file, typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content));
  }
  return user;
}

function found(user: UserHome): Record<string, unknown> {
  return Object.fromEntries(
    look(user).servers.map(({ source, start, isDisabled, tools, blanks }) => [
      source.entry,
      {
        ...start,
        ...(isDisabled && { isDisabled }),
        ...(tools.only !== null && { only: tools.only }),
        ...(tools.without.length > 0 && { without: tools.without }),
        ...(blanks.length > 0 && { blanks: blanks.map(({ token, label, isSecret }) => [token, label, isSecret]) }),
      },
    ]),
  );
}

function skipped(user: UserHome): Record<string, string> {
  return Object.fromEntries(look(user).skipped.map(({ source, reason }) => [source.entry, reason.code]));
}

const program = (command: string, rest: object = {}) => ({
  ...{ kind: 'program', command, args: [], env: {}, cwd: null },
  ...rest,
});

describe('recorded settings', () => {
  test('24: four of five servers can be taken over, with pin, folder, disabled flag and variables as they are', () => {
    const user = homeWith({ 'claude-desktop': fixture('24-import-mixed.claude_desktop_config.json') });
    expect(found(user)).toEqual({
      notes: program('npx', { args: ['-y', '@example/notes@1.4.2'], env: { NOTES_TOKEN: 'FAKE-TOKEN-000' } }),
      weather: program('uvx', { args: ['weather-mcp'], isDisabled: true }),
      remote: program('npx', {
        args: ['mcp-remote', 'https://example.invalid/mcp', '--header', 'Authorization:${AUTH}'],
        env: { AUTH: 'Bearer FAKE' },
      }),
      docker: program('docker', { args: ['run', '-i', '--rm', '-e', 'KEY', 'example/img'], cwd: '/tmp' }),
    });
    expect(skipped(user)).toEqual({ broken: 'empty' });
  });

  test('12: the command, each argument and an empty value are kept as they are', () => {
    const user = homeWith({ 'claude-desktop': fixture('12-windows-paths-escapes.claude_desktop_config.json') });
    expect(found(user)).toEqual({
      files: program('C:\\Program Files\\nodejs\\npx.cmd', {
        args: ['-y', '@example/files', 'C:\\Users\\Ada\\Müller — Docs\\', '🌱'],
        env: { PATHEXT: '.COM;.EXE;.BAT;.CMD', EMPTY: '' },
      }),
    });
  });

  test('13: six servers with odd names, twins among them, and names of their own for people', () => {
    const user = homeWith({ cursor: fixture('13-unicode-names.cursor-mcp.json') });
    const { servers } = look(user);
    expect(servers).toHaveLength(6);
    expect(Object.prototype).not.toHaveProperty('command');
    const names = groupServers(servers, TOKEN, []).map(({ name }) => name.normalize('NFC'));
    expect(names).toEqual(['天气 查询', 'café', 'café (Cursor)', '🌱 garden/bed~1', '__proto__', 'a.b']);
  });

  test('23: Continue is read in both of its places', () => {
    const user = homeWith({
      '.continue/config.yaml': fixture('23-continue-list.config.yaml'),
      '.continue/mcpServers/own.json': { mcpServers: { beta: { command: 'beta' } } },
      '.continue/mcpServers/more.yaml': 'name: M\nmcpServers:\n  - name: gamma\n    command: gamma\n    args: [1]\n',
    });
    expect(found(user)).toEqual({
      alpha: program('alpha'),
      beta: program('beta'),
      gamma: program('gamma', { args: ['1'] }),
    });
    expect(look(user).servers.every(({ source }) => !source.canMove)).toBe(true);
  });

  test('27: a server in a place that VS Code does not read is offered, and stays there', () => {
    const user = homeWith({ vscode: fixture('27-vscode-wrong-key.vscode-mcp.json') });
    expect(look(user).servers).toMatchObject([
      { start: { command: 'alpha' }, source: { entry: 'alpha', scope: 'misplaced', canMove: false } },
    ]);
  });

  it.each([
    ['03-comment-in-strict-host.claude_desktop_config.json', 'claude-desktop', 'comments are not allowed'],
    ['10-broken.gemini-settings.json', 'gemini-cli', 'a comma is missing'],
    ['25-utf16.claude_desktop_config.json', 'claude-desktop', 'UTF-16'],
  ])('%s: a file that cannot be read is told about, and nothing is taken from it', (name, app, words) => {
    const { servers, unread } = look(homeWith({ [app]: fixture(name) }));
    expect(servers).toEqual([]);
    expect(unread).toMatchObject([{ app, hint: expect.stringContaining(words) }]);
  });
});

describe('each app in its own words', () => {
  const CASES: readonly (readonly [app: string, content: string | object, expected: object])[] = [
    [
      'vscode',
      '{"inputs":[{"id":"key","type":"promptString","description":"The key","password":true}],\n// mine\n"servers":{"a":{"type":"stdio","command":"a","args":["${workspaceFolder}","${userHome}/x"],"env":{"K":"${input:key}","Z":null}}}}',
      {
        a: program('a', {
          args: ['${workspaceFolder}', '{home}/x'],
          env: { K: '${input:key}' },
          blanks: [
            ['${workspaceFolder}', 'workspaceFolder', false],
            ['${input:key}', 'The key', true],
          ],
        }),
      },
    ],
    [
      'zed',
      '{ /* mine */ "context_servers": {"a":{"command":{"path":"a","args":["b"],"env":{"C":"d"}}},"x":{"source":"extension"},} }',
      { a: program('a', { args: ['b'], env: { C: 'd' } }) },
    ],
    [
      'codex',
      '[mcp_servers.a]\ncommand = "a"\nenv_vars = ["TOKEN_A"]\nenabled_tools = ["one"]\ncwd = "/srv"\n[mcp_servers.b]\nurl = "https://b.invalid/mcp"\nbearer_token_env_var = "B"\nenabled = false\n',
      {
        a: program('a', {
          env: { TOKEN_A: '${TOKEN_A}' },
          cwd: '/srv',
          only: ['one'],
          blanks: [['${TOKEN_A}', 'TOKEN_A', false]],
        }),
        b: {
          ...{ kind: 'address', url: 'https://b.invalid/mcp', headers: { Authorization: 'Bearer ${B}' } },
          ...{ isDisabled: true, blanks: [['${B}', 'B', true]] },
        },
      },
    ],
    [
      'gemini-cli',
      { mcpServers: { a: { command: 'a', env: { K: '$KEY', L: '${OTHER:-none}' }, excludeTools: ['bad'] } } },
      {
        a: program('a', {
          env: { K: '$KEY', L: '${OTHER:-none}' },
          without: ['bad'],
          blanks: [
            ['$KEY', 'KEY', true],
            ['${OTHER:-none}', 'OTHER', false],
          ],
        }),
      },
    ],
    [
      'opencode',
      { mcp: { a: { type: 'local', command: ['a', 'b'], environment: { C: '{env:C}' }, enabled: false } } },
      { a: program('a', { args: ['b'], env: { C: '{env:C}' }, isDisabled: true, blanks: [['{env:C}', 'C', false]] }) },
    ],
    [
      'goose',
      'extensions:\n  a:\n    type: stdio\n    cmd: a\n    args: [b]\n    envs: {}\n    env_keys: [KEY]\n    enabled: true\n  d:\n    type: builtin\n    name: d\n',
      { a: program('a', { args: ['b'], env: { KEY: '${KEY}' }, blanks: [['${KEY}', 'KEY', true]] }) },
    ],
    [
      'windsurf',
      { mcpServers: { a: { serverUrl: 'https://a.invalid/sse', headers: { 'X-Key': 'k' }, disabledTools: ['t'] } } },
      { a: { kind: 'address', url: 'https://a.invalid/sse', headers: { 'X-Key': 'k' }, without: ['t'] } },
    ],
    [
      'claude-code',
      {
        mcpServers: { a: { command: 'a', args: ['--header', 'X:${K}'], env: { K: 'k' } } },
        projects: { '/work/p': { mcpServers: { own: { command: 'own' } } } },
      },
      { a: program('a', { args: ['--header', 'X:${K}'], env: { K: 'k' } }), own: program('own') },
    ],
  ];

  it.each(CASES)('%s', (app, content, expected) => {
    const user = homeWith({ [app]: content });
    expect(found(user)).toEqual(JSON.parse(JSON.stringify(expected).replaceAll('{home}', user.home)));
  });

  test('a server for one project of Claude Code says so, and is not taken out of it', () => {
    const user = homeWith({ 'claude-code': { projects: { '/work/p': { mcpServers: { own: { command: 'own' } } } } } });
    expect(look(user).servers[0]?.source).toMatchObject({ scope: 'project', folder: '/work/p', canMove: false });
  });

  test('other profiles of VS Code are read, too', () => {
    const user = homeWith({ '.config/Code/User/profiles/-1a2b/mcp.json': '{"servers":{"p":{"command":"p"},}}' });
    expect(found(user)).toEqual({ p: program('p') });
  });
});

describe('what stays where it is', () => {
  const ours = ['/x/bridge.cjs', 'connect', 'cursor', '--home', '/d', '--owner', 'hf-0123456789ab'];
  const ENTRIES: readonly (readonly [name: string, entry: unknown, code: string])[] = [
    ['holdfast', { command: '/node', args: ours }, 'ours'],
    ['list of ours', { command: ['/node', ...ours] }, 'ours'],
    ['remote to here', { command: 'npx', args: ['-y', 'mcp-remote@latest', 'http://localhost:7000/mcp'] }, 'bridge'],
    ['router', { command: 'npx', args: ['-y', '@mcp_router/cli', 'connect'] }, 'bridge'],
    ['docker gateway', { command: 'docker', args: ['mcp', 'gateway', 'run'] }, 'bridge'],
    ['nothing', {}, 'empty'],
    ['blank', { command: ' ' }, 'empty'],
    ['socket', { type: 'ws', url: 'wss://x.invalid' }, 'transport'],
    ['text', 'npx', 'malformed'],
    ['list', ['npx'], 'malformed'],
    ['wrong args', { command: 'a', args: 'b' }, 'malformed'],
    ['deep', { command: 'a', more: JSON.parse('['.repeat(100) + ']'.repeat(100)) }, 'malformed'],
    ['bad env', { command: 'a', env: { 'A B': 'c' } }, 'malformed'],
    ['env file', { command: 'a', envFile: '/x/.env' }, 'env-file'],
    ['hidden', { command: 'a', args: ['b\u202ec'] }, 'hidden'],
    ['hid\u200bden name', { command: 'a' }, 'hidden'],
    ['long', { command: 'a', args: ['x'.repeat(9_000)] }, 'malformed'],
  ];

  it.each(ENTRIES)('%s', (name, entry, code) => {
    expect(skipped(homeWith({ cursor: { mcpServers: { [name]: entry } } }))).toEqual({ [name]: code });
  });

  test('a name that reaches for the prototype, a name that is there twice, and more than a file may hold', () => {
    const user = homeWith({
      cursor:
        '{"mcpServers":{"p":{"command":"a","env":{"__proto__":{"x":1}}},"q":{"command":"1"},"q":{"command":"2"}}}',
      windsurf: { mcpServers: Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`s${n}`, { command: 'a' }])) },
    });
    expect(skipped(user)).toEqual({ p: 'malformed', q: 'twice', s200: 'many' });
    expect(Object.prototype).not.toHaveProperty('x');
  });

  test('a folder, a link to nowhere and a pipe in the place of settings end nothing', () => {
    const user = homeWith({ windsurf: { mcpServers: { a: { command: 'a' } } } });
    fs.mkdirSync(user.fileOf(hostApp('cursor')!), { recursive: true });
    fs.mkdirSync(`${user.home}/.kiro/settings`, { recursive: true });
    fs.symlinkSync('/nowhere/at/all', user.fileOf(hostApp('kiro')!));
    const { servers, unread } = look(user);
    expect(servers).toHaveLength(1);
    expect(unread.map(({ app }) => app).sort()).toEqual(['cursor', 'kiro']);
  });
});

describe('several apps', () => {
  test('the same server is one, whatever its name, and others of one name can be told apart', () => {
    const same = { command: 'npx', args: ['-y', 'a@1'], env: { K: 'v', L: 'w' } };
    const user = homeWith({
      cursor: { mcpServers: { a: same, b: { command: 'one' } } },
      windsurf: { mcpServers: { again: { ...same, env: { L: 'w', K: 'v' } }, b: { command: 'two' } } },
      kiro: { mcpServers: { a: { ...same, env: { K: 'other', L: 'w' } } } },
    });
    const groups = groupServers(look(user).servers, TOKEN, ['B']);
    expect(groups.map(({ name, sources }) => [name, sources.map(({ app }) => app)])).toEqual([
      ['a', ['cursor', 'windsurf']],
      ['b (Cursor)', ['cursor']],
      ['b (Windsurf (Devin Desktop))', ['windsurf']],
      ['a (Kiro)', ['kiro']],
    ]);
    expect(new Set(groups.map(({ id }) => id)).size).toBe(4);
  });

  test('looking writes nothing at all', () => {
    const user = homeWith({ cursor: fixture('13-unicode-names.cursor-mcp.json'), codex: 'a = 1\n' });
    const before = user.everything();
    look(user);
    expect(user.everything()).toEqual(before);
  });
});
