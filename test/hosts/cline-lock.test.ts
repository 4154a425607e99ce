import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hostApp } from '../../electron/hosts/host-apps.ts';
import { refusal, UserHome } from './host-folder.ts';

const BEFORE = '{\n  "mcpServers": {\n    "notes": { "command": "notes" }\n  }\n}\n';
let user: UserHome;
let file: string;
let lock: string;

beforeEach(() => {
  user = new UserHome();
  file = user.fileOf(hostApp('cline')!); // in the table
  lock = `${file}.lock`;
  user.write(file, BEFORE);
});
afterEach(() => vi.restoreAllMocks());

/** As one of Cline's programs holds it. */
function hold(owner = `owner.${process.pid}.1764556800000.5f0d7d44-1111-4222-8333-b6da1ec5e27b`, ageMs = 0): void {
  fs.mkdirSync(lock);
  fs.writeFileSync(path.join(lock, owner), owner.slice('owner.'.length));
  const then = new Date(Date.now() - ageMs);
  fs.utimesSync(lock, then, then);
}

/** Does something at each wait instead of waiting. */
function whileWaiting(act: (count: number) => void): void {
  let count = 0;
  vi.spyOn(Atomics, 'wait').mockImplementation(() => {
    act((count += 1));
    return 'timed-out';
  });
}

/** A process id that belongs to nobody now. */
function deadPid(): number {
  return spawnSync(process.execPath, ['--version']).pid;
}

function servers(): string[] {
  return Object.keys(JSON.parse(fs.readFileSync(file, 'utf8')).mcpServers);
}

describe('the lock of Cline', () => {
  it('is held with an owner in it while its settings are replaced, and gone afterwards', () => {
    const rename = fs.renameSync;
    const held: string[][] = [];
    vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
      if (to === file) held.push(fs.readdirSync(lock));
      rename(from, to);
    });
    user.connect('cline');
    user.disconnect('cline');
    expect(held).toHaveLength(2);
    expect(held.flat().every((name) => new RegExp(`^owner\\.${process.pid}\\.\\d+\\.`).test(name))).toBe(true);
    expect(fs.readdirSync(path.dirname(file))).toEqual([path.basename(file)]);
    expect(fs.readFileSync(file, 'utf8')).toBe(BEFORE);
  });

  it('is waited for, and what Cline wrote meanwhile is kept', () => {
    hold();
    whileWaiting((count) => {
      if (count !== 3) return;
      fs.writeFileSync(file, BEFORE.replace('"notes" }', '"notes" },\n    "new": { "command": "new" }'));
      fs.rmSync(lock, { recursive: true });
    });
    expect(user.connect('cline').changed).toBe(true);
    expect(servers()).toEqual(['notes', 'new', 'holdfast']);
  });

  it('is left alone where it is not given free, with the settings', () => {
    hold();
    whileWaiting(() => undefined);
    expect(refusal(() => user.connect('cline'))).toMatchObject({ code: 'HOST_CONFIG_CONFLICT', problem: 'BUSY' });
    expect(fs.readFileSync(file, 'utf8')).toBe(BEFORE);
    expect(fs.readdirSync(lock)).toHaveLength(1);
    expect(fs.readdirSync(path.dirname(file)).sort()).toEqual([path.basename(file), path.basename(lock)]);
  });

  it.each([
    ['that one of its programs left behind', () => hold(undefined, 60_000)],
    ['of a Holdfast that was killed', () => hold(`owner.${deadPid()}.1764556800000.holdfast-1`)],
  ])('%s is taken over without waiting', (_, leave) => {
    const waits = vi.spyOn(Atomics, 'wait');
    leave();
    user.connect('cline');
    expect(servers()).toEqual(['notes', 'holdfast']);
    expect(fs.readdirSync(path.dirname(file))).toEqual([path.basename(file)]);
    expect(waits).not.toHaveBeenCalled();
  });

  it('is not what a person has of that name, however old it is', () => {
    fs.writeFileSync(lock, 'mine');
    fs.utimesSync(lock, new Date(0), new Date(0));
    whileWaiting(() => undefined);
    expect(refusal(() => user.connect('cline'))).toMatchObject({ code: 'HOST_CONFIG_CONFLICT', problem: 'BUSY' });
    expect([fs.readFileSync(lock, 'utf8'), fs.readFileSync(file, 'utf8')]).toEqual(['mine', BEFORE]);
  });

  it('is given back where somebody took it over meanwhile', () => {
    const rename = fs.renameSync;
    vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
      rename(from, to);
      if (to !== file) return;
      fs.rmSync(lock, { recursive: true });
      hold();
    });
    user.connect('cline');
    expect(servers()).toEqual(['notes', 'holdfast']);
    expect(fs.readdirSync(lock)).toHaveLength(1);
  });
});
