import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectHost } from '../../electron/hosts/config-file.ts';
import { ENTRY, HostFolder, OWNER, refusal } from './host-folder.ts';

const OTHER = '{\n  "mcpServers": {\n    "notes": { "command": "notes", "env": { "TOKEN": "s3cret" } }\n  }\n}\n';

describe('connecting', () => {
  it('adds our entry and says what it did', () => {
    const host = new HostFolder(OTHER);
    const result = host.connect();
    expect(JSON.parse(host.text()).mcpServers).toEqual({
      notes: { command: 'notes', env: { TOKEN: 's3cret' } },
      holdfast: ENTRY,
    });
    expect(result).toEqual({
      app: 'claude-desktop',
      file: host.file,
      changed: true,
      backup: path.join(host.data, 'backups', 'claude-desktop', host.backups()[0] ?? ''),
      entry: 'holdfast',
      needsRestart: true,
      dryRun: false,
      notes: [],
    });
  });

  it('writes nothing the second time', () => {
    const host = new HostFolder(OTHER);
    host.connect();
    const before = host.everything();
    expect(host.connect({ now: '2026-12-01T00:00:00.000Z' })).toMatchObject({ changed: false, needsRestart: false });
    expect(host.everything()).toEqual(before);
  });

  it('makes the file, and the folder of the app, private and removes both again', () => {
    const host = new HostFolder();
    fs.rmdirSync(host.claude);
    expect(host.connect()).not.toHaveProperty('backup');
    expect(fs.statSync(host.file).mode & 0o777).toBe(0o600);
    expect(fs.statSync(host.claude).mode & 0o777).toBe(0o700);
    expect(host.disconnect()).toMatchObject({ changed: true, entry: 'holdfast' });
    expect(fs.readdirSync(host.config)).toEqual([]);
  });

  it('keeps the folder it made where something else is in it by now', () => {
    const host = new HostFolder();
    fs.rmdirSync(host.claude);
    host.connect();
    fs.writeFileSync(path.join(host.claude, 'window-state.json'), '{}');
    host.disconnect();
    expect(fs.readdirSync(host.claude)).toEqual(['window-state.json']);
  });

  it('does not make up a home for an app that is not installed', () => {
    const host = new HostFolder();
    fs.rmSync(host.config, { recursive: true });
    expect(refusal(() => host.connect())).toMatchObject({ code: 'HOST_CONFIG_UNREADABLE', problem: 'NO_DIR' });
    expect(fs.existsSync(host.config)).toBe(false);
  });

  it('leaves an entry of the same name that is not ours alone and takes the next name', () => {
    const theirs = '{"mcpServers":{"holdfast":{"command":"other"}}}';
    const host = new HostFolder(theirs);
    expect(host.connect().entry).toBe('holdfast-2');
    expect(JSON.parse(host.text()).mcpServers.holdfast).toEqual({ command: 'other' });
    expect(host.disconnect().entry).toBe('holdfast-2');
    expect(host.text()).toBe(theirs);
  });

  it('brings our entry up to date in place, and disconnecting still gives the first bytes back', () => {
    const host = new HostFolder('{"a":1}');
    host.connect();
    const before = host.text();
    const moved = { ...ENTRY, command: '/new/bridge', args: [...ENTRY.args, '--quiet'] };
    expect(host.connect({ entry: moved })).toMatchObject({ changed: true, entry: 'holdfast' });
    expect(host.text()).toBe(
      before.replace(ENTRY.command, '/new/bridge').replace(`"${OWNER}"]`, `"${OWNER}","--quiet"]`),
    );
    host.disconnect();
    expect(host.text()).toBe('{"a":1}');
  });

  it('is refused where the entry does not carry its owner token', () => {
    const host = new HostFolder(OTHER);
    expect(refusal(() => host.connect({ owner: 'gw-other' }))).toMatchObject({ code: 'INTERNAL' });
    expect(host.text()).toBe(OTHER);
  });

  it('is refused for an app without a writer', () => {
    const host = new HostFolder(OTHER);
    expect(refusal(() => host.connect({ hostId: 'amp' }))).toMatchObject({
      code: 'HOST_UNSUPPORTED',
      app: 'amp',
    });
  });

  it('serves two owners in one file without mixing them up', () => {
    const host = new HostFolder(OTHER);
    host.connect();
    const second = { ...ENTRY, args: ['--owner', 'gw-2222'] };
    expect(host.connect({ owner: 'gw-2222', entry: second }).entry).toBe('holdfast-2');
    host.disconnect();
    expect(Object.keys(JSON.parse(host.text()).mcpServers)).toEqual(['notes', 'holdfast-2']);
  });
});

describe('disconnecting', () => {
  it.each([
    ['a final line break that is missing', '{\n  "a": 1\n}'],
    ['a zero-byte file', ''],
    ['white space', ' \n\t\n'],
    ['a BOM and CRLF', '\uFEFF{\r\n  "a": 1\r\n}\r\n'],
    ['a BOM and nothing else', '\uFEFF'],
    ['a section that is null', '{\n  "mcpServers": null\n}\n'],
    ['a section that is empty', '{ "mcpServers": { } }'],
    ['an empty object', '{\n}\n'],
    ['odd spacing', '{"a" :1\t,\r\n\r\n\t "mcpServers"\n:\n{ "b":{}\n,"c" : 1e5}}\n\n'],
  ])('gives back %s', (_, text) => {
    const host = new HostFolder(text);
    expect(host.connect().changed).toBe(true);
    expect(host.text()).not.toMatch(/^\uFEFF/);
    expect(host.disconnect()).toMatchObject({ changed: true, needsRestart: true });
    expect(host.text()).toBe(text);
    expect(host.records()).toEqual([]);
  });

  it('says so where nothing is connected, and writes nothing', () => {
    const host = new HostFolder(OTHER);
    const before = host.everything();
    expect(host.disconnect()).toMatchObject({ changed: false, needsRestart: false });
    expect(host.everything()).toEqual(before);
    fs.rmSync(host.file);
    expect(host.disconnect()).toMatchObject({ changed: false });
  });

  it('forgets a connection that the app itself has thrown away', () => {
    const host = new HostFolder(OTHER);
    host.connect();
    host.write('{}');
    expect(host.disconnect()).toMatchObject({ changed: false });
    expect(host.text()).toBe('{}');
    expect(host.records()).toEqual([]);
  });

  it('cuts only our entry where the file was changed since', () => {
    const host = new HostFolder('{\n  "a": 1\n}\n');
    host.connect();
    host.write(host.text().replace('"a": 1', '"a": 2'));
    expect(host.disconnect().changed).toBe(true);
    expect(host.text()).toBe('{\n  "a": 2\n}\n');
  });

  it('finds our entry after the app wrote the whole file anew and the entry was renamed', () => {
    const host = new HostFolder(OTHER);
    host.connect();
    const config = JSON.parse(host.text());
    const { holdfast, ...others } = config.mcpServers;
    host.write(JSON.stringify({ preferences: {}, mcpServers: { mine: holdfast, ...others, later: {} } }));
    expect(host.disconnect()).toMatchObject({ changed: true, entry: 'mine' });
    expect(JSON.parse(host.text())).toEqual({ preferences: {}, mcpServers: { ...others, later: {} } });
  });

  it('keeps the section where it was there before us or holds others by now', () => {
    const host = new HostFolder('{"mcpServers":{}}');
    host.connect();
    host.write(host.text().replace('{', '{ '));
    host.disconnect();
    expect(JSON.parse(host.text())).toEqual({ mcpServers: {} });
    host.write('{}');
    host.connect();
    host.write(host.text().replace('"holdfast"', '"b":{},"holdfast"'));
    host.disconnect();
    expect(JSON.parse(host.text())).toEqual({ mcpServers: { b: {} } });
  });

  it('works without its record, and with a damaged one', () => {
    for (const damage of ['', '{"format":1}', undefined]) {
      const host = new HostFolder(OTHER);
      host.connect();
      const record = path.join(host.data, 'hosts', host.records()[0] ?? '');
      if (damage === undefined) fs.rmSync(record);
      else fs.writeFileSync(record, damage);
      expect(host.disconnect()).toMatchObject({ changed: true, entry: 'holdfast' });
      expect(host.text()).toBe(OTHER);
    }
  });

  it('falls back to a cut where the record does not lead back to the bytes it names', () => {
    const host = new HostFolder(OTHER);
    host.connect();
    const record = path.join(host.data, 'hosts', host.records()[0] ?? '');
    const wrong = { ...JSON.parse(fs.readFileSync(record, 'utf8')), inserts: [] };
    fs.writeFileSync(record, JSON.stringify(wrong));
    expect(host.disconnect().changed).toBe(true);
    expect(host.text()).toBe(OTHER);
  });

  it('does not touch a file that cannot be read now, and names the line of our entry', () => {
    const host = new HostFolder(OTHER);
    host.connect();
    host.write(host.text().replace('"notes": {', '"notes": { // mine'));
    const before = host.everything();
    expect(refusal(() => host.disconnect())).toMatchObject({
      code: 'HOST_CONFIG_UNREADABLE',
      problem: 'SYNTAX',
      line:
        host
          .text()
          .split('\n')
          .findIndex((line) => line.includes(OWNER)) + 1,
      hint: expect.stringContaining('by hand'),
    });
    expect(host.everything()).toEqual(before);
  });

  it('has nothing to do in a file that cannot be read and has nothing of ours', () => {
    const host = new HostFolder('{ broken');
    expect(host.disconnect()).toMatchObject({ changed: false });
    expect(host.text()).toBe('{ broken');
  });

  it('gives back the bytes from before an update that followed a change by someone else', () => {
    const host = new HostFolder('{\n  "a": 1\n}\n');
    host.connect();
    host.write(host.text().replace('"a": 1', '"a": 2'));
    host.connect({ entry: { ...ENTRY, command: '/new' } });
    host.disconnect();
    expect(host.text()).toBe('{\n  "a": 2\n}\n');
  });

  it('puts our entry back after the app lost it, and still leaves cleanly', () => {
    const host = new HostFolder(OTHER);
    host.connect();
    host.write('{"preferences":{}}');
    expect(host.connect()).toMatchObject({ changed: true, entry: 'holdfast' });
    host.disconnect();
    expect(host.text()).toBe('{"preferences":{}}');
  });
});

describe('a byte order mark', () => {
  it('is dropped with a word about it, because Claude Desktop would reset the file', () => {
    const host = new HostFolder('\uFEFF{}');
    expect(host.connect().droppedBom).toBe(true);
    expect(host.text()).toMatch(/^\{/);
  });

  it('is dropped also where our entry is there already', () => {
    const host = new HostFolder(OTHER);
    host.connect();
    const written = host.text();
    host.write(`\uFEFF${written}`);
    expect(host.connect()).toMatchObject({ changed: true, droppedBom: true });
    expect(host.text()).toBe(written);
    host.disconnect();
    expect(host.text()).toBe(`\uFEFF${OTHER}`);
  });
});

describe('a dry run', () => {
  it('shows the edit as a unified diff and writes nothing at all', () => {
    const host = new HostFolder('{\n  "a": 1,\n  "b": 2,\n  "c": 3,\n  "d": {}\n}');
    const before = host.everything();
    const { diff, ...result } = host.connect({ dryRun: true });
    expect(result).toMatchObject({ changed: true, dryRun: true, entry: 'holdfast' });
    expect(diff?.split('\n')).toEqual([
      `--- ${host.file}`,
      `+++ ${host.file}`,
      '@@ -2,5 +2,16 @@',
      '   "a": 1,',
      '   "b": 2,',
      '   "c": 3,',
      ...['-  "d": {}', '+  "d": {},', '+  "mcpServers": {', '+    "holdfast": {'],
      ...['+      "command": "/opt/holdfast/bin/holdfast-bridge",', '+      "args": [', '+        "--consumer",'],
      ...['+        "claude-desktop",', '+        "--owner",', '+        "gw-1f0c"', '+      ]', '+    }', '+  }'],
      ' }',
      '\\ No newline at end of file',
      '',
    ]);
    expect(host.everything()).toEqual(before);
  });

  it('shows a file that would be made, and the folder is not made', () => {
    const host = new HostFolder();
    fs.rmdirSync(host.claude);
    expect(host.connect({ dryRun: true }).diff).toMatch(/^--- \/dev\/null\n\+\+\+ .*\n@@ -0,0 \+1,13 @@\n\+\{\n/);
    expect(fs.readdirSync(host.root)).toEqual(['home']);
    expect(fs.readdirSync(host.config)).toEqual([]);
  });

  it('shows what disconnecting would do and keeps everything, the record too', () => {
    const host = new HostFolder(OTHER);
    host.connect();
    const before = host.everything();
    expect(host.disconnect({ dryRun: true }).diff).toContain('-    "holdfast": { "command"');
    expect(host.everything()).toEqual(before);
  });

  it('has no difference to show where nothing would change', () => {
    const host = new HostFolder(OTHER);
    host.connect();
    expect(host.connect({ dryRun: true })).toMatchObject({ changed: false, diff: '' });
  });
});

describe('an error', () => {
  it('names the file, the place and one sentence, and never the content', () => {
    const host = new HostFolder(OTHER.replace('"env"', '"env'));
    const found = refusal(() => host.connect());
    expect(found).toMatchObject({ code: 'HOST_CONFIG_UNREADABLE', file: host.file, problem: 'SYNTAX', line: 3 });
    expect(JSON.stringify(found)).not.toContain('s3cret');
  });

  it('keeps its cause', () => {
    const host = new HostFolder('[');
    expect(() => connectHost({ ...host.request(), entryName: 'holdfast', entry: ENTRY })).toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ code: 'SYNTAX' }) }),
    );
  });
});
