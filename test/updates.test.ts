import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { Updates, updatesOf, type UpdatesDeps } from '../electron/updates.ts';
import { isMisplaced } from '../electron/desktop/placement.ts';
import { realFiles } from '../electron/store/files.ts';
import { UpdatesFile } from '../electron/store/updates-file.ts';

/** What a person wants, as it is kept. */
const wish = (isOn = true) => {
  const kept = { isOn, save: (next: boolean) => Promise.resolve(void (kept.isOn = next)) };
  return kept;
};

/** What happens, in order, and clocks that a test moves. */
function world(more: Partial<UpdatesDeps> = {}) {
  const log: string[] = [];
  const ticks = new Map<number, () => void>();
  const told: { version: (version: string) => void } = { version: () => undefined };
  const state = { hasCalls: false };
  const updates = new Updates({
    updater: {
      check: () => {
        log.push('looked');
        return Promise.resolve();
      },
      onDownloaded: (listener) => (told.version = listener),
      install: () => void log.push('installed'),
    },
    wish: wish(),
    hasCalls: () => state.hasCalls,
    leave: () => {
      log.push('left');
      return Promise.resolve();
    },
    onReady: () => void log.push('ready'),
    onProblem: (error) => void log.push(String(error)),
    every: (periodMs, act) => {
      ticks.set(periodMs, act);
      return () => ticks.delete(periodMs);
    },
    ...more,
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { updates, log, ticks, told, state, settled };
}

const onReady = (): void => undefined;

describe('updates', () => {
  test('are looked for at the start and every six hours, until one is ready', () => {
    const { updates, log, ticks, told } = world();
    updates.start();
    const again = ticks.get(6 * 3_600_000);
    again?.();
    expect(log).toEqual(['looked', 'looked']);
    told.version('2.0.0');
    again?.();
    expect(log).toEqual(['looked', 'looked', 'ready']);
    expect(updates.ready()).toEqual({ version: '2.0.0' });
  });

  test('are not looked for where nobody wants them', () => {
    const { updates, log, ticks } = world({ wish: wish(false) });
    updates.start();
    ticks.get(6 * 3_600_000)?.();
    expect(log).toEqual([]);
  });

  test('are looked for at once when they are switched on, and no more when they are switched off', async () => {
    const { updates, log, ticks } = world({ wish: wish(false) });
    updates.start();
    await updates.setOn(true);
    expect([updates.isOn, log]).toEqual([true, ['looked']]);
    await updates.setOn(false);
    ticks.get(6 * 3_600_000)?.();
    expect([updates.isOn, log]).toEqual([false, ['looked']]);
  });

  test('stay as they were where the choice cannot be written', async () => {
    const { updates, log } = world({
      wish: { isOn: false, save: () => Promise.reject(new Error('the disk is full')) },
    });
    await expect(updates.setOn(true)).rejects.toThrow('the disk is full');
    expect([updates.isOn, log]).toEqual([false, []]);
  });

  test('that cannot be reached are a problem to be told, and nothing else', async () => {
    const updater = { check: () => Promise.reject(new Error('offline')), onDownloaded: () => undefined };
    const { updates, log, settled } = world({ updater: { ...updater, install: () => undefined } });
    updates.start();
    await settled();
    expect(log).toEqual(['Error: offline']);
    expect(updates.ready()).toBeNull();
  });

  test('are installed after apps and servers are gone', async () => {
    const { updates, log, told, settled } = world();
    told.version('2.0.0');
    updates.restart();
    await settled();
    expect(log).toEqual(['ready', 'left', 'installed']);
  });

  test('wait for the call that is under way, and are installed once, however often it is asked', async () => {
    const { updates, log, told, state, ticks, settled } = world();
    told.version('2.0.0');
    state.hasCalls = true;
    updates.restart();
    updates.restart();
    const look = ticks.get(500);
    look?.();
    await settled();
    expect(log).toEqual(['ready']);
    state.hasCalls = false;
    look?.();
    look?.();
    updates.restart();
    await settled();
    expect(log).toEqual(['ready', 'left', 'installed']);
    expect([...ticks]).toEqual([]);
  });

  test('are not installed where what runs could not be ended', async () => {
    const { updates, log, told, settled } = world({ leave: () => Promise.reject(new Error('still there')) });
    told.version('2.0.0');
    updates.restart();
    await settled();
    expect(log).toEqual(['ready', 'Error: still there']);
  });

  test('that are not there cannot be installed', () => {
    expect(() => world().updates.restart()).toThrow('UPDATE_NONE');
  });

  test('are no subject of a program that has no updater, or whose environment says so', () => {
    const { updater, ...around } = {
      updater: { check: () => Promise.resolve(), onDownloaded: onReady, install: onReady },
      ...{ wish: wish(), hasCalls: () => false, leave: () => Promise.resolve(), onReady, onProblem: onReady },
    };
    expect(updatesOf(null, around, {})).toBeUndefined();
    expect(updatesOf(updater, around, { HOLDFAST_UPDATES: 'off' })).toBeUndefined();
    expect(updatesOf(updater, around, {})?.isOn).toBe(true);
  });
});

describe('the choice whether updates are looked for', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'holdfast-updates-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const kept = () => new UpdatesFile(realFiles, folder);

  test('is yes until somebody says no, and outlives the program', async () => {
    expect(kept().isOn).toBe(true);
    await kept().save(false);
    expect(kept().isOn).toBe(false);
    await kept().save(true);
    expect(kept().isOn).toBe(true);
  });

  test.each(['', '{', '{"format":2,"look":true}', `{"format":1,"look":true}${' '.repeat(1_000)}`])(
    'may have been no where it cannot be read: %j',
    (text) => {
      writeFileSync(path.join(folder, 'updates.json'), text);
      expect(kept().isOn).toBe(false);
    },
  );
});

test.each([
  ['/private/var/folders/x/AppTranslocation/1/d/Holdfast.app/Contents/MacOS/Holdfast', true],
  ['/Volumes/Holdfast 0.1.0/Holdfast.app/Contents/MacOS/Holdfast', true],
  ['/Volumes/Big disk/Applications/Holdfast.app/Contents/MacOS/Holdfast', false],
  ['/Applications/Holdfast.app/Contents/MacOS/Holdfast', false],
])('on macOS %s is a place that is gone after a restart: %s', (file, expected) => {
  expect(isMisplaced(file, 'darwin')).toBe(expected);
  expect(isMisplaced(file, 'linux')).toBe(false);
});
