import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { HostFolder, refusal } from './host-folder.ts';

const OTHER = '{\n  "mcpServers": {\n    "notes": { "command": "notes" }\n  }\n}\n';

afterEach(() => vi.restoreAllMocks());

/** Lets something happen between the moment a settings file was read and the moment it is replaced. */
function beforeReplacing(target: string, act: (count: number) => void): void {
  const open = fs.openSync;
  let count = 0;
  vi.spyOn(fs, 'openSync').mockImplementation((file, ...rest) => {
    const isOurTemporary = String(file).startsWith(path.join(path.dirname(target), `.${path.basename(target)}.`));
    if (isOurTemporary) act((count += 1));
    return open(file, ...rest);
  });
}

function failing(code: string): () => never {
  return () => {
    throw Object.assign(new Error(code), { code });
  };
}

describe('a file that is changed between reading and writing', () => {
  it('is read again, so that the change of the app is kept', () => {
    const host = new HostFolder(OTHER);
    const theirs = OTHER.replace('"notes" }', '"notes", "args": ["new"] }');
    beforeReplacing(host.file, (count) => count === 1 && host.write(theirs));
    expect(host.connect().changed).toBe(true);
    expect(JSON.parse(host.text()).mcpServers).toMatchObject({ notes: { args: ['new'] }, holdfast: {} });
    host.disconnect();
    expect(host.text()).toBe(theirs);
  });

  it('is not written where it appears in the meantime', () => {
    const host = new HostFolder();
    beforeReplacing(host.file, (count) => count === 1 && host.write('{"theirs":true}'));
    host.connect();
    expect(JSON.parse(host.text())).toMatchObject({ theirs: true, mcpServers: { holdfast: {} } });
    host.disconnect();
    expect(host.text()).toBe('{"theirs":true}');
  });

  it('is given up after five attempts, with the last word of the app in the file', () => {
    const host = new HostFolder(OTHER);
    let writes = 0;
    beforeReplacing(host.file, (count) => host.write(JSON.stringify({ count: (writes = count) })));
    expect(refusal(() => host.connect())).toMatchObject({ code: 'HOST_CONFIG_CONFLICT', problem: 'BUSY' });
    expect(writes).toBe(5);
    expect(host.text()).toBe('{"count":5}');
    expect(fs.readdirSync(host.claude)).toEqual(['claude_desktop_config.json']);
    expect(host.records()).toEqual([]);
  });

  it('is written again where the app overwrites it right after us', () => {
    const host = new HostFolder(OTHER);
    const rename = fs.renameSync;
    let isFirst = true;
    vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
      rename(from, to);
      if (to === host.file && isFirst) {
        isFirst = false;
        host.write('{"reset":true}');
      }
    });
    host.connect();
    expect(JSON.parse(host.text())).toMatchObject({ reset: true, mcpServers: { holdfast: {} } });
  });

  it('is not deleted on disconnecting where it changed at the last moment', () => {
    const host = new HostFolder();
    host.connect();
    const theirs = host.text().replace('{', '{ "theirs": 1,');
    const write = fs.writeSync;
    vi.spyOn(fs, 'writeSync').mockImplementationOnce((...args: Parameters<typeof write>) => {
      host.write(theirs);
      return write(...args);
    });
    expect(host.disconnect().changed).toBe(true);
    expect(JSON.parse(host.text())).toEqual({ theirs: 1 });
  });
});

describe('symbolic and hard links', () => {
  function linked(content: string): { host: HostFolder; target: string } {
    const host = new HostFolder();
    const target = path.join(host.root, 'dotfiles', 'claude.json');
    fs.mkdirSync(path.dirname(target));
    fs.writeFileSync(target, content);
    fs.chmodSync(target, 0o640);
    fs.symlinkSync(path.relative(host.claude, target), host.file);
    return { host, target };
  }

  it('stay links: the file behind them is changed, with its mode, and given back', () => {
    const { host, target } = linked(OTHER);
    const link = fs.readlinkSync(host.file);
    const folders: string[] = [];
    const open = fs.openSync;
    vi.spyOn(fs, 'openSync').mockImplementation((file, ...rest) => {
      if (rest[0] === 'wx') folders.push(path.dirname(String(file)));
      return open(file, ...rest);
    });
    host.connect();
    expect(fs.readlinkSync(host.file)).toBe(link);
    expect(fs.statSync(target).mode & 0o777).toBe(0o640);
    expect(JSON.parse(fs.readFileSync(target, 'utf8')).mcpServers).toHaveProperty('holdfast');
    expect(folders).toContain(path.dirname(target));
    expect(folders).not.toContain(host.claude);
    host.disconnect();
    expect(fs.readFileSync(target, 'utf8')).toBe(OTHER);
    expect(fs.readlinkSync(host.file)).toBe(link);
  });

  it('are followed where the folder is the link', () => {
    const host = new HostFolder();
    const real = path.join(host.root, 'real');
    fs.renameSync(host.claude, real);
    fs.symlinkSync(real, host.claude);
    host.connect();
    expect(fs.readdirSync(real)).toEqual(['claude_desktop_config.json']);
    host.disconnect();
    expect(fs.readdirSync(real)).toEqual([]);
    expect(fs.readlinkSync(host.claude)).toBe(real);
  });

  it('are looked at again before writing: a link that was turned to another file is not taken for the old one', () => {
    const { host, target } = linked(OTHER);
    const other = path.join(host.root, 'other.json');
    fs.writeFileSync(other, '{"other":true}');
    beforeReplacing(target, (count) => {
      if (count > 1) return;
      fs.rmSync(host.file);
      fs.symlinkSync(other, host.file);
    });
    host.connect();
    expect(fs.readFileSync(target, 'utf8')).toBe(OTHER);
    expect(JSON.parse(host.text())).toMatchObject({ other: true, mcpServers: { holdfast: {} } });
  });

  it('are refused where they lead nowhere or in a circle', () => {
    for (const link of ['nope/claude.json', 'claude_desktop_config.json']) {
      const host = new HostFolder();
      fs.symlinkSync(link, host.file);
      expect(refusal(() => host.connect())).toMatchObject({ code: 'HOST_CONFIG_UNREADABLE', problem: 'DANGLING_LINK' });
      expect(fs.readlinkSync(host.file)).toBe(link);
      expect(fs.existsSync(host.data)).toBe(false);
    }
  });

  it('keep a second name of the same file in step', () => {
    const host = new HostFolder(OTHER);
    const twin = path.join(host.root, 'twin.json');
    fs.linkSync(host.file, twin);
    host.connect();
    expect(fs.readFileSync(twin, 'utf8')).toBe(host.text());
    host.disconnect();
    expect(fs.readFileSync(twin, 'utf8')).toBe(OTHER);
    expect(fs.statSync(twin).nlink).toBe(2);
  });
});

describe('what may not or cannot be changed', () => {
  it('is refused for a read-only file, although a rename would get round it', () => {
    const host = new HostFolder(OTHER);
    fs.chmodSync(host.file, 0o444);
    const before = host.everything();
    for (const dryRun of [true, false]) {
      expect(refusal(() => host.connect({ dryRun }))).toMatchObject({
        code: 'HOST_CONFIG_CONFLICT',
        problem: 'READ_ONLY',
      });
    }
    expect(host.everything()).toEqual(before);
  });

  it.each([
    ['EACCES', 'READ_ONLY'],
    ['EROFS', 'READ_ONLY'],
    ['ENOSPC', 'NO_SPACE'],
  ])('is refused where the folder answers %s', (code, problem) => {
    const host = new HostFolder(OTHER);
    beforeReplacing(host.file, failing(code));
    expect(refusal(() => host.connect())).toMatchObject({ code: 'HOST_CONFIG_CONFLICT', problem });
    expect(host.text()).toBe(OTHER);
    expect(host.records()).toEqual([]);
  });

  it('is refused for a folder, a pipe and a file in the place of the folder', () => {
    const folder = new HostFolder();
    fs.mkdirSync(folder.file);
    const pipe = new HostFolder();
    execFileSync('mkfifo', [pipe.file]);
    const file = new HostFolder();
    fs.rmdirSync(file.claude);
    fs.writeFileSync(file.claude, '');
    for (const host of [folder, pipe, file]) {
      expect(refusal(() => host.connect())).toMatchObject({ code: 'HOST_CONFIG_UNREADABLE', problem: 'NOT_A_FILE' });
    }
  });

  it('is refused for a file of more than 32 MB, and allowed for one of 2 MB', () => {
    const host = new HostFolder();
    fs.writeFileSync(host.file, '');
    fs.truncateSync(host.file, 32 * 1024 * 1024 + 1);
    expect(refusal(() => host.connect())).toMatchObject({ problem: 'TOO_BIG' });
    const large = `{"projects":[${'{"history":"x","mcpServers":{}},'.repeat(60_000)}0],"mcpServers":{}}`;
    host.write(large);
    host.connect();
    host.disconnect();
    expect(host.text() === large).toBe(true);
  });

  it('is refused for bytes that are not UTF-8', () => {
    const host = new HostFolder(Buffer.from('{"a":"\xe9"}', 'latin1'));
    expect(refusal(() => host.connect())).toMatchObject({ code: 'HOST_CONFIG_UNREADABLE', problem: 'ENCODING' });
  });

  it('leaves the file alone where our own folder cannot be written', () => {
    const host = new HostFolder(OTHER);
    fs.writeFileSync(host.data, 'a file where the data folder should be');
    expect(refusal(() => host.connect())).toMatchObject({ code: 'STORE_WRITE_FAILED' });
    fs.rmSync(host.data);
    fs.mkdirSync(host.data);
    fs.writeFileSync(path.join(host.data, 'hosts'), '');
    expect(refusal(() => host.connect())).toMatchObject({ code: 'STORE_WRITE_FAILED' });
    expect(host.text()).toBe(OTHER);
  });

  it('removes a folder it made where the file could not be written', () => {
    const host = new HostFolder();
    fs.rmdirSync(host.claude);
    beforeReplacing(host.file, failing('ENOSPC'));
    refusal(() => host.connect());
    expect(fs.readdirSync(host.config)).toEqual([]);
  });
});

describe('the written file', () => {
  it.each([0o600, 0o640, 0o664])('keeps mode %o whatever the umask', (mode) => {
    const host = new HostFolder(OTHER);
    fs.chmodSync(host.file, mode);
    host.connect();
    expect(fs.statSync(host.file).mode & 0o777).toBe(mode);
    host.disconnect();
    expect(fs.statSync(host.file).mode & 0o777).toBe(mode);
  });

  it.runIf(process.getuid?.() === 0)('keeps its owner and group', () => {
    const host = new HostFolder(OTHER);
    fs.chownSync(host.file, 1234, 4321);
    host.connect();
    expect(fs.statSync(host.file)).toMatchObject({ uid: 1234, gid: 4321 });
  });

  it('leaves nothing beside it, and sweeps what a killed process left', () => {
    const host = new HostFolder(OTHER);
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const leftover = path.join(host.claude, `.claude_desktop_config.json.holdfast-${pid}-0a1b2c3d.tmp`);
    const foreign = path.join(host.claude, '.claude_desktop_config.json.tmp');
    fs.writeFileSync(leftover, 'secret');
    fs.writeFileSync(foreign, 'theirs');
    host.connect();
    expect(fs.readdirSync(host.claude).sort()).toEqual([path.basename(foreign), 'claude_desktop_config.json']);
  });
});

describe('backups', () => {
  it('hold the exact bytes from before, readable by this user only, with a description', () => {
    const host = new HostFolder(`\uFEFF${OTHER}`);
    fs.chmodSync(host.file, 0o644);
    const { backup = '' } = host.connect();
    expect(path.basename(backup)).toMatch(/^2026-11-30T101700\.000Z-[0-9a-f]{8}\.bak$/);
    expect(fs.readFileSync(backup, 'utf8')).toBe(`\uFEFF${OTHER}`);
    expect(fs.statSync(backup).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.dirname(backup)).mode & 0o777).toBe(0o700);
    const description = JSON.parse(fs.readFileSync(backup.replace(/bak$/, 'json'), 'utf8'));
    expect(description).toMatchObject({ file: host.file, mode: 0o644, reason: 'connect', isFirst: true });
  });

  it('are not made twice for the same bytes', () => {
    const host = new HostFolder(OTHER);
    const first = host.connect().backup;
    host.disconnect();
    expect(host.connect({ now: '2026-12-01T00:00:00.000Z' }).backup).toBe(first);
    expect(host.backups()).toHaveLength(2);
  });

  it('are made before disconnecting too', () => {
    const host = new HostFolder(OTHER);
    host.connect();
    const connected = host.text();
    expect(fs.readFileSync(host.disconnect().backup ?? '', 'utf8')).toBe(connected);
  });

  it('are kept twenty at most, the very first one for ever', () => {
    const host = new HostFolder(OTHER);
    const first = path.basename(host.connect().backup ?? '');
    let last = '';
    for (let day = 1; day <= 25; day += 1) {
      host.write(`{"day":${day}}`);
      last = path.basename(host.connect({ now: `2026-12-${String(day).padStart(2, '0')}T00:00:00.000Z` }).backup ?? '');
    }
    expect(host.backups()).toHaveLength(20);
    expect(host.backups()[0]).toBe(first);
    expect(host.backups().at(-1)).toBe(last);
    expect(host.backups()[1]).toMatch(/^2026-12-07/);
    expect(fs.readdirSync(path.join(host.data, 'backups', 'claude-desktop'))).toHaveLength(40);
  });

  it('are made for two files with the same bytes in the same moment', () => {
    const host = new HostFolder('{}');
    host.connect();
    host.file = path.join(host.claude, 'second.json');
    host.write('{}');
    host.connect();
    expect(host.backups()).toHaveLength(2);
  });
});
