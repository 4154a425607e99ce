import { expect, it } from 'vitest';
import { planConnect, planDisconnect } from '../../electron/hosts/config-plan.ts';
import { entryFor } from '../../electron/hosts/entry-template.ts';
import { hostApp } from '../../electron/hosts/host-apps.ts';
import { HostConfigProblem } from '../../electron/hosts/problem.ts';
import { sha256 } from '../../electron/hosts/sha256.ts';
import type { TargetFile } from '../../electron/hosts/target-file.ts';

/** Files as some people have them, and what comes of connecting: the name of our entry, or why not and in which line. */
const CASES: readonly (readonly [about: string, app: string, text: string, outcome: string])[] = [
  ['deep, CRLF, tabs', 'cursor', '{\r\n\t"a": [[{"b": [1E+2]}]],\r\n\t"mcpServers"\r\n\t: { }\r\n}', 'holdfast'],
  ['a section name with an escape', 'cursor', '{"mcp\\u0053ervers":{"a":{"command":"x"}}}', 'holdfast'],
  ['the section twice, once with an escape', 'cursor', '{"mcp\\u0053ervers":{},\n"mcpServers":{}}', 'DUP_SECTION 2'],
  ['our name with an escape', 'cursor', '{"mcpServers":{"hold\\u0066ast":{"command":"x"}}}', 'holdfast-2'],
  [
    'a section in a project',
    'claude-code',
    '{"projects":{"/a":{"mcpServers":{"q":{}}}},"n":12345678901234567890}',
    'holdfast',
  ],
  ['a zero byte behind', 'cursor', '{}\n\0', 'SYNTAX 2'],
  ['two values', 'cursor', '{}\n{}', 'SYNTAX 2'],
  ['comments around everything', 'vscode', '{"servers"/*a*/:/*b*/{/*c*/"a"/*d*/:/*e*/{}/*f*/,/*g*/}/*h*/}', 'holdfast'],
  ['a comment behind the last of them', 'vscode', '{\r "servers": {\r  "a": {} // b\r  // c\r }\r}', 'holdfast'],
  ['comments in texts', 'zed', '{"u":"http://x /* no */", "context_servers": {"a": {"args":["//"]}},}', 'holdfast'],
  ['comments only', 'vscode', '// nothing here\r\n/* yet */', 'holdfast'],
  ['a comment without an end', 'vscode', '{"servers":{}}\n/* open', 'SYNTAX 2'],
  ['dotted keys', 'codex', 'mcp_servers.a.command = "x"\n[other]\nx = 1', 'holdfast'],
  ['our name as a dotted key', 'codex', '[mcp_servers]\nholdfast.command = "theirs"\n', 'holdfast-2'],
  ['tables without their parents before them', 'codex', '[mcp_servers.a.env]\nK = "v"\n[mcp_servers.a]\n', 'holdfast'],
  ['a list of tables at the end', 'codex', '[[p]]\nn = 1\n [p.sub]\n x = 1\n# no end of line', 'holdfast'],
  ['a list of tables as the section', 'codex', 'a = 1\n[[mcp_servers]]\nname = "a"\n', 'SECTION_TYPE 2'],
  ['an inline table as the section', 'codex', 'a = 1\nmcp_servers = { a = { command = "x" } }\n', 'SHAPE 2'],
  ['our table in a text', 'codex', 'x = """\r\n[mcp_servers.holdfast]\r\n"""\r\n', 'holdfast'],
  [
    'merged anchors',
    'goose',
    'base: &b\n  type: stdio\nextensions:\n  a:\n    <<: *b\n    name: a\nz: 1\n',
    'holdfast',
  ],
  ['an anchor used as the section', 'goose', 'base: &b\n  a: {name: a}\nextensions: *b\n', 'SHAPE 3'],
  ['a flow map as the section', 'goose', 'z: 1\nextensions: {\n  a: {name: a},\n}\n', 'FLOW 2'],
  ['entries in flow style', 'goose', '---\nextensions:\n  a: {name: a,\n     cmd: x}\nz: 1\n', 'holdfast'],
  ['two documents', 'goose', 'extensions:\n  a: {name: a}\n---\nx: 1\n', 'SHAPE 3'],
  ['a text that keeps its line ends', 'goose', 'extensions:\n  a:\n    name: |+\n      x\n\n\nz: 1\n', 'holdfast'],
  ['such a text at the end', 'goose', 'extensions:\r\n    a:\r\n        name: |+\r\n            x\r\n\r\n', 'holdfast'],
  ['keys that other readers take for other types', 'goose', 'extensions:\n  no: {name: no}\n  1: {}\n', 'holdfast'],
  ['a tag of its own', 'goose', 'x: !secret abc\nextensions:\n  a:\n    name: a\n', 'holdfast'],
  ['a tab to indent', 'goose', 'extensions:\n\ta:\n', 'SYNTAX 2'],
];

const OWNER = 'hf-0123456789ab';

function target(text: string | Buffer): TargetFile {
  const bytes = Buffer.from(text);
  const content = { bytes, sha: sha256(bytes), identity: { mode: 0o600, uid: 0, gid: 0 }, hasOtherNames: false };
  return { file: '/settings', realPath: '/settings', content, missingFolders: [], lock: null };
}

it.each(CASES)('%s (%s)', (_, id, text, outcome) => {
  const app = hostApp(id)!; // each is in the table
  const { always: entry, atFirst: entryAtFirst } = entryFor(app, { command: '/b', args: ['--owner', OWNER], env: {} });
  const where = {
    hostId: id,
    file: '/settings',
    owner: OWNER,
    backupsDir: '',
    recordsDir: '',
    now: '2026-12-01T00:00:00Z',
  };
  const request = { ...where, entryName: 'holdfast', entry, entryAtFirst };
  const connected = (): string => {
    const { bytes, record, entryName } = planConnect(app, request, target(text), undefined);
    expect(planConnect(app, request, target(bytes!), record).changed).toBe(false);
    expect(planDisconnect(app, request, target(bytes!), record).bytes?.toString()).toBe(text);
    return entryName;
  };
  const said = (): string => {
    try {
      return connected();
    } catch (error) {
      if (!(error instanceof HostConfigProblem)) throw error;
      return `${error.code} ${error.line}`;
    }
  };
  expect(said()).toBe(outcome);
});
