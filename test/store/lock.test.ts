import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realFiles } from '../../electron/store/files.ts';
import { acquireLock } from '../../electron/store/lock.ts';
import { bundleCommitter, marked, startCommitter } from './processes.ts';
import { nextCommit } from './sample.ts';
import { codeOf, commitTimes, errorOf, locksIn, openStore, temporaryFolder } from './support.ts';

const DEAD = { pid: 2 ** 30, startedAt: null };
const LIVING = { pid: process.ppid, startedAt: null };

/** A lock as another process makes it; the name says when. */
function putLock(dir: string, content: object | string, time = '0000000001'): string {
  const file = path.join(dir, `lock-${time}-00000000000000aa.json`);
  fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

describe('a data folder', () => {
  it('has one writer, and tells a second one who that is', async () => {
    const dir = temporaryFolder();
    const { store } = await openStore(dir);
    const error = await errorOf(() => openStore(dir));
    expect([error.code, error.details['pid']]).toEqual(['STORE_LOCKED', process.pid]);
    expect(locksIn(dir)).toHaveLength(1);
    await commitTimes(store, 1);
  });

  it('is free again when its writer closes it', async () => {
    const dir = temporaryFolder();
    await (await openStore(dir)).store.close();
    expect(locksIn(dir)).toEqual([]);
    await openStore(dir);
  });

  it('is free when its writer no longer runs, and what that one left is cleared away', async () => {
    const dir = temporaryFolder();
    const left = putLock(dir, DEAD);
    await openStore(dir);
    expect(fs.existsSync(left)).toBe(false);
  });

  it.runIf(process.platform === 'linux')(
    'is free when its writer’s number now belongs to a process that started at another time',
    async () => {
      const dir = temporaryFolder();
      putLock(dir, { pid: process.ppid, startedAt: '1' });
      await openStore(dir);
    },
  );

  it.runIf(process.platform === 'linux')('is free when its writer has ended and nobody has asked how yet', async () => {
    const code = [
      'import os,time',
      'pid=os.fork()',
      'if pid==0: os._exit(0)',
      'os.waitid(os.P_PID,pid,os.WEXITED|os.WNOWAIT)',
      'print(pid,flush=True)',
      'time.sleep(60)',
    ].join('\n');
    const parent = spawn('python3', ['-c', code]);
    const said = await new Promise<Buffer>((resolve) => parent.stdout.once('data', resolve));
    const dir = temporaryFolder();
    const left = putLock(dir, { pid: Number(said.toString()), startedAt: null });
    await openStore(dir);
    parent.kill();
    expect(fs.existsSync(left)).toBe(false);
  });

  it.each(['', 'garbage', '{"pid":"x"}', '{"pid":-1,"startedAt":null}'])(
    'is not locked for ever by a file that says %j',
    async (text) => {
      const dir = temporaryFolder();
      putLock(dir, text);
      await openStore(dir);
    },
  );

  it('stays with its writer when one comes whose clock is behind', async () => {
    const dir = temporaryFolder();
    const file = putLock(dir, LIVING, 'zzzzzzzzzz');
    const error = await errorOf(() => openStore(dir));
    expect([error.code, error.details['pid']]).toEqual(['STORE_LOCKED', process.ppid]);
    expect(locksIn(dir)).toEqual([path.basename(file)]);
  });

  it('goes to the earlier of two that want it at once, when the later one has given way', async () => {
    const dir = temporaryFolder();
    const later = putLock(dir, LIVING, 'zzzzzzzzzz');
    setTimeout(() => fs.rmSync(later), 100);
    await openStore(dir);
  });

  it('takes no more from a writer whose place another one has', async () => {
    const dir = temporaryFolder();
    const { store } = await openStore(dir);
    for (const name of locksIn(dir)) fs.rmSync(path.join(dir, name));
    const other = putLock(dir, LIVING);
    const error = await errorOf(() => store.commit(nextCommit(store.state)));
    expect([error.code, error.details['pid']]).toEqual(['STORE_LOCKED', process.ppid]);
    await store.close();
    expect(locksIn(dir)).toEqual([path.basename(other)]);
  });

  it('takes more from a writer whose lock somebody removed', async () => {
    const dir = temporaryFolder();
    const { store } = await openStore(dir);
    for (const name of locksIn(dir)) fs.rmSync(path.join(dir, name));
    await commitTimes(store, 1);
    expect(await codeOf(() => openStore(dir))).toBe('STORE_LOCKED');
  });

  it('goes to one of many that want it at the same time', async () => {
    for (let round = 0; round < 20; round += 1) {
      const dir = temporaryFolder();
      putLock(dir, DEAD);
      const claims = Array.from({ length: 10 }, () => acquireLock(realFiles, dir));
      const outcomes = await Promise.allSettled(claims);
      expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
      expect(locksIn(dir)).toHaveLength(1);
    }
  });
});

describe('between processes, a data folder', { timeout: 60_000 }, () => {
  let folder = '';
  let script = '';
  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(path.dirname(temporaryFolder()), 'holdfast-committer-'));
    script = await bundleCommitter(folder);
  });
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('is refused while the other one lives, and taken over when it was killed', async () => {
    const dir = temporaryFolder();
    const other = startCommitter(script, dir, 'hold');
    await marked(other, 'o');
    const error = await errorOf(() => openStore(dir));
    expect([error.code, error.details['pid']]).toEqual(['STORE_LOCKED', other.child.pid]);
    other.child.kill('SIGKILL');
    await other.ended;
    expect(locksIn(dir)).toHaveLength(1);
    await commitTimes((await openStore(dir)).store, 1);
  });

  it('is taken over by one of many that find a dead writer’s lock at the same time', async () => {
    const dir = temporaryFolder();
    putLock(dir, DEAD);
    const rivals = Array.from({ length: 8 }, () => startCommitter(script, dir, 'hold'));
    await Promise.all(rivals.map((rival) => marked(rival, 'o')));
    const winners = rivals.filter((rival) => rival.marks().includes('o'));
    for (const rival of rivals) rival.child.kill('SIGKILL');
    await Promise.all(rivals.map((rival) => rival.ended));
    expect(winners).toHaveLength(1);
  });
});
