import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { NO_SETUP, type SetupPort } from '../../electron/control/setup.ts';
import { realFiles } from '../../electron/store/files.ts';
import { SetupFile, type SetupRecord } from '../../electron/store/setup-file.ts';
import { controlOn, DEMO, exposeDemo } from '../store/control.ts';
import { AT } from '../store/sample.ts';
import { codeOf, openStore, temporaryFolder } from '../store/support.ts';

const cursor = { id: 'cursor', name: 'Cursor', servers: 2, isReadable: true };

/** First run in memory, on a machine with one app. */
function playedSetup(record: SetupRecord = { step: 'found', usedBy: null }): SetupPort {
  let current = record;
  return {
    ...NO_SETUP,
    get record() {
      return current;
    },
    save: (next) => Promise.resolve(void (current = next)),
    found: () => [cursor],
  };
}

async function controlWith(setup: SetupPort) {
  const { store } = await openStore(path.join(temporaryFolder(), 'data'));
  return controlOn(store, { setup });
}

test('an empty folder begins with what was found, until the person says no; then it never comes back', async () => {
  const control = await controlWith(playedSetup());
  expect(control.snapshot().setup).toMatchObject({ step: 'found', apps: [cursor], story: null });
  await control.run('setup.next', { to: 'done' });
  expect(control.snapshot().setup).toBeUndefined();
});

test('who has servers or apps, or had them, is not asked to begin', async () => {
  const control = await controlWith(playedSetup());
  await exposeDemo(control, {});
  expect(control.snapshot().setup).toBeUndefined();
  await control.dispatch({ at: AT, type: 'server-removed', server: DEMO });
  expect(control.snapshot().setup).toBeUndefined();
});

test('where nothing can be connected, the reason is told and first run stays where it was', async () => {
  const control = await controlWith(playedSetup());
  expect(await codeOf(() => control.run('setup.go', { apps: ['cursor'] }))).toBe('HOST_UNSUPPORTED');
  expect(await codeOf(() => control.run('setup.go', { apps: [] }))).toBe('COMMAND_BAD_INPUT');
  expect(await codeOf(() => control.run('demo.change', { change: 'small' }))).toBe('UPSTREAM_NOT_FOUND');
  expect(await codeOf(() => control.run('setup.next', { to: 'story' }))).toBe('UPSTREAM_NOT_FOUND');
});

test('how far first run has come is kept, and what cannot be read counts as over', async () => {
  const dir = temporaryFolder();
  const fresh = new SetupFile(realFiles, dir);
  expect(fresh.record).toEqual({ step: 'found', usedBy: null });
  await fresh.save({ step: 'try', usedBy: 'cursor' });
  expect(new SetupFile(realFiles, dir).record).toEqual({ step: 'try', usedBy: 'cursor' });
  const file = path.join(dir, 'setup.json');
  const over = { step: 'over', usedBy: null };
  for (const text of ['', '{"format":1,', '{"format":2,"step":"try","usedBy":null}', `"${' '.repeat(20_000)}"`]) {
    writeFileSync(file, text);
    expect(new SetupFile(realFiles, dir).record).toEqual(over);
  }
  const folder = path.join(temporaryFolder(), 'of');
  mkdirSync(path.join(folder, 'setup.json'), { recursive: true });
  expect(new SetupFile(realFiles, folder).record).toEqual(over);
});

test('what cannot be saved has not moved', async () => {
  const nowhere = new SetupFile(realFiles, path.join(temporaryFolder(), 'gone'));
  expect(await codeOf(() => nowhere.save({ step: 'over', usedBy: null }))).toBe('STORE_WRITE_FAILED');
  expect(nowhere.record).toEqual({ step: 'found', usedBy: null });
});
