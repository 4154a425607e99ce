import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { realFiles } from '../../electron/store/files.ts';
import { acquireLock } from '../../electron/store/lock.ts';
import { bundleCommitter, marked, startCommitter } from './processes.ts';
import { nextCommit } from './sample.ts';
import { codeOf, commitTimes, errorOf, openStore, temporaryFolder } from './support.ts';

const lockOf = (dir: string): string => path.join(dir, 'lock');

describe('a data folder', () => {
  it('has one writer, and tells a second one who that is', async () => {
    const dir = temporaryFolder();
    const { store } = await openStore(dir);
    const error = await errorOf(() => openStore(dir));
    expect([error.code, error.details['pid']]).toEqual(['STORE_LOCKED', process.pid]);
    await commitTimes(store, 1);
  });

  it('is free again when its writer closes it', async () => {
    const dir = temporaryFolder();
    await (await openStore(dir)).store.close();
    expect(fs.existsSync(lockOf(dir))).toBe(false);
    await openStore(dir);
  });

  it('is taken over from a process that runs under the same number but started at another time', async () => {
    const dir = temporaryFolder();
    const stat = process.platform === 'linux' ? '1' : null;
    fs.writeFileSync(lockOf(dir), JSON.stringify({ pid: process.ppid, startedAt: stat, nonce: 'x' }));
    if (stat === null) expect(await codeOf(() => openStore(dir))).toBe('STORE_LOCKED');
    else await openStore(dir);
  });

  it.each(['', 'garbage', '{"pid":"x"}', '{"pid":-1,"startedAt":null}'])(
    'is not locked for ever by a lock that says %j',
    async (text) => {
      const dir = temporaryFolder();
      fs.writeFileSync(lockOf(dir), text);
      await openStore(dir);
    },
  );

  it('takes no more from a writer whose lock another one has', async () => {
    const dir = temporaryFolder();
    const { store } = await openStore(dir);
    fs.writeFileSync(lockOf(dir), JSON.stringify({ pid: process.ppid, startedAt: null, nonce: 'other' }));
    const error = await errorOf(() => store.commit(nextCommit(store.state)));
    expect([error.code, error.details['pid']]).toEqual(['STORE_LOCKED', process.ppid]);
    await store.close();
    expect(fs.existsSync(lockOf(dir))).toBe(true);
  });

  it('takes more from a writer whose lock somebody removed', async () => {
    const dir = temporaryFolder();
    const { store } = await openStore(dir);
    fs.rmSync(lockOf(dir));
    await commitTimes(store, 1);
    expect(await codeOf(() => openStore(dir))).toBe('STORE_LOCKED');
  });

  it('is locked where the file system has no links, too', async () => {
    const dir = temporaryFolder();
    const files = { ...realFiles, link: () => Promise.reject(new Error('EPERM')) };
    await acquireLock(files, dir);
    expect(await codeOf(() => acquireLock(files, dir))).toBe('STORE_LOCKED');
  });

  it('puts a lock back that it took for the stale one', async () => {
    const dir = temporaryFolder();
    const stale = JSON.stringify({ pid: 2 ** 30, startedAt: null });
    const living = JSON.stringify({ pid: process.ppid, startedAt: null });
    fs.writeFileSync(lockOf(dir), stale);
    const rename = async (from: string, to: string): Promise<void> => {
      // Another process takes the stale lock over in the last moment.
      if (from === lockOf(dir)) fs.writeFileSync(from, living);
      await realFiles.rename(from, to);
    };
    const error = await errorOf(() => acquireLock({ ...realFiles, rename }, dir));
    expect([error.code, error.details['pid']]).toEqual(['STORE_LOCKED', process.ppid]);
    expect(fs.readFileSync(lockOf(dir), 'utf8')).toBe(living);
  });
});

describe('between processes, a data folder', () => {
  let script = '';
  beforeAll(async () => {
    const folder = fs.mkdtempSync(path.join(fs.realpathSync(temporaryFolder()), '..', 'holdfast-bundle-'));
    script = await bundleCommitter(folder);
    return () => fs.rmSync(folder, { recursive: true });
  });

  it('is refused while the other one lives, and taken over when it was killed', async () => {
    const dir = temporaryFolder();
    const other = startCommitter(script, dir, 'hold');
    await marked(other, 'o');
    const error = await errorOf(() => openStore(dir));
    expect([error.code, error.details['pid']]).toEqual(['STORE_LOCKED', other.child.pid]);
    other.child.kill('SIGKILL');
    await other.ended;
    expect(fs.existsSync(lockOf(dir))).toBe(true);
    await commitTimes((await openStore(dir)).store, 1);
  });

  it('is taken over by one of many that find a stale lock at the same time', async () => {
    const dir = temporaryFolder();
    fs.writeFileSync(lockOf(dir), JSON.stringify({ pid: 2 ** 30, startedAt: null, nonce: 'stale' }));
    const rivals = Array.from({ length: 8 }, () => startCommitter(script, dir, 'hold'));
    await Promise.all(rivals.map((rival) => marked(rival, 'o')));
    const winners = rivals.filter((rival) => rival.marks().includes('o'));
    for (const rival of rivals) rival.child.kill('SIGKILL');
    await Promise.all(rivals.map((rival) => rival.ended));
    expect(winners).toHaveLength(1);
  });
});
