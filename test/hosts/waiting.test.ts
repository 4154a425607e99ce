import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isAppRunning, readPs, readTasklist, runningPrograms } from '../../electron/hosts/app-processes.ts';
import { hostApp } from '../../electron/hosts/host-apps.ts';
import type { HostApp } from '../../electron/hosts/host-apps.ts';
import { nextStep } from '../../electron/hosts/wishes.ts';
import type { Wish } from '../../electron/hosts/wishes.ts';
import { UserHome } from './host-folder.ts';

const APP = 'claude-desktop';
const BEFORE = '{"preferences":{}}';

function claude(): { user: UserHome; file: string } {
  const user = new UserHome();
  const file = path.join(user.home, '.config', 'Claude', 'claude_desktop_config.json');
  user.write(file, BEFORE);
  return { user, file };
}

function entries(file: string): string[] {
  return Object.keys(JSON.parse(fs.readFileSync(file, 'utf8')).mcpServers ?? {});
}

describe('an app that writes its settings itself', () => {
  it('is connected once it has quit, and nothing is written while it runs', () => {
    const { user, file } = claude();
    user.programs = ['claude-desktop'];
    expect(user.connect(APP)).toMatchObject({ changed: false, queued: true, needsRestart: false, dryRun: false });
    user.access().tend();
    expect(fs.readFileSync(file, 'utf8')).toBe(BEFORE);
    user.programs = [];
    user.access().tend();
    expect(entries(file)).toEqual(['holdfast']);
    user.disconnect(APP);
    expect(fs.readFileSync(file, 'utf8')).toBe(BEFORE);
  });

  it('is not connected after the person has thought better of it', () => {
    const { user, file } = claude();
    user.programs = ['claude-desktop'];
    user.connect(APP);
    user.disconnect(APP);
    user.programs = [];
    user.access().tend();
    expect(fs.readFileSync(file, 'utf8')).toBe(BEFORE);
  });

  it('stays connected where a person disconnects it and connects it again while it runs', () => {
    const { user, file } = claude();
    user.connect(APP);
    user.programs = ['claude-desktop'];
    expect(user.disconnect(APP)).toMatchObject({ queued: true, changed: false });
    expect(user.connect(APP)).toMatchObject({ changed: false });
    user.programs = [];
    user.access().tend();
    expect(entries(file)).toEqual(['holdfast']);
  });

  it('is disconnected once it has quit', () => {
    const { user, file } = claude();
    user.connect(APP);
    user.programs = ['claude-desktop'];
    user.disconnect(APP);
    expect(entries(file)).toEqual(['holdfast']);
    user.programs = [];
    user.access().tend();
    expect(fs.readFileSync(file, 'utf8')).toBe(BEFORE);
  });

  it('gets a dropped entry back once, when it has quit, and then no more until it is asked for', () => {
    const { user, file } = claude();
    user.connect(APP);
    const drop = (): void => fs.writeFileSync(file, BEFORE);
    user.programs = ['claude-desktop'];
    drop();
    user.access().tend();
    expect(entries(file)).toEqual([]);
    user.programs = [];
    user.access().tend();
    expect(entries(file)).toEqual(['holdfast']);
    drop();
    for (let time = 0; time < 5; time += 1) user.access().tend();
    expect(entries(file)).toEqual([]);
    user.connect(APP);
    expect(entries(file)).toEqual(['holdfast']);
  });

  it('is left in peace once it has run and quit with our entry', () => {
    const { user, file } = claude();
    user.connect(APP);
    user.programs = ['claude-desktop'];
    user.access().tend();
    user.programs = [];
    user.access().tend();
    fs.writeFileSync(file, BEFORE);
    user.access().tend();
    expect(entries(file)).toEqual([]);
  });

  it('keeps waiting where its settings cannot be read at that moment', () => {
    const { user, file } = claude();
    user.programs = ['claude-desktop'];
    user.connect(APP);
    user.programs = [];
    fs.writeFileSync(file, '{ broken');
    user.access().tend();
    expect(fs.readFileSync(file, 'utf8')).toBe('{ broken');
    fs.writeFileSync(file, BEFORE);
    user.access().tend();
    expect(entries(file)).toEqual(['holdfast']);
  });

  it('is shown what would change also while it runs', () => {
    const { user } = claude();
    user.programs = ['claude-desktop'];
    expect(user.connect(APP, true)).toMatchObject({ changed: true, dryRun: true, diff: expect.stringContaining('+') });
    expect(fs.existsSync(path.join(user.data, 'wishes'))).toBe(false);
  });
});

describe('what to do about a change', () => {
  const wish: Wish = {
    ...{ format: 1, hostId: APP, wanted: 'connect', state: 'written', wasSeenRunning: false, putBacks: 0, moves: [] },
    at: '2026-11-30T00:00:00.000Z',
  };
  const SOON = '2026-11-30T01:00:00.000Z';
  const LATE = '2026-12-01T00:00:01.000Z';
  it.each([
    ['queued', { state: 'queued' }, true, false, SOON, 'wait'],
    ['queued and quit', { state: 'queued' }, false, false, SOON, 'write'],
    ['written and not yet started', {}, false, true, SOON, 'wait'],
    ['written and running for the first time', {}, true, true, SOON, 'remember'],
    ['running still', { wasSeenRunning: true }, true, true, SOON, 'wait'],
    ['quit with the entry in place', { wasSeenRunning: true }, false, true, SOON, 'forget'],
    ['a day old', {}, false, true, LATE, 'forget'],
    ['dropped while it runs', {}, true, false, SOON, 'wait'],
    ['dropped and quit', {}, false, false, SOON, 'put-back'],
    ['dropped a second time', { putBacks: 1 }, false, false, SOON, 'lose'],
    ['lost', { state: 'lost', putBacks: 1 }, false, false, LATE, 'wait'],
    ['lost and put back by the person', { state: 'lost', putBacks: 1 }, false, true, LATE, 'forget'],
  ] as const)('%s', (_, more, isRunning, hasEntry, now, step) => {
    expect(nextStep({ ...wish, ...more }, { isRunning, hasEntry }, now).do).toBe(step);
  });
});

describe('running programs', () => {
  const app = (id: string): HostApp => hostApp(id)!;

  it('are those with this home folder', async () => {
    const user = new UserHome();
    const start = { argv0: '/opt/Claude/claude-desktop', env: { HOME: user.home } };
    const child = spawn('/bin/sleep', ['60'], start);
    onTestFinished(() => void child.kill());
    await new Promise((resolve) => child.once('spawn', resolve));
    const seen = runningPrograms({ platform: 'linux', home: user.home });
    expect(isAppRunning(app(APP), 'linux', seen)).toBe(true);
    expect(isAppRunning(app('codex'), 'linux', seen)).toBe(false);
    expect(runningPrograms({ platform: 'linux', home: `${user.home}-other` })).toEqual([]);
  });

  it.each([
    [
      'win32',
      readTasklist('"Claude.exe","4711","Console","1","98,304 K"\r\n"svchost.exe","8","Services","0","1 K"\r\n'),
      true,
    ],
    ['win32', readTasklist('"CLAUDE.EXE","1","Console","1","1 K"\r\n'), true],
    ['win32', readTasklist('INFO: No tasks are running which match the specified criteria.\r\n'), false],
    ['darwin', readPs('/Applications/Claude.app/Contents/MacOS/Claude\n/sbin/launchd\n'), true],
    ['darwin', readPs('/Users/a b/bin/claude\nlogin\n'), false],
  ] as const)('are read from the list of %s', (platform, programs, isRunning) => {
    expect(isAppRunning(app(APP), platform, programs)).toBe(isRunning);
  });
});
