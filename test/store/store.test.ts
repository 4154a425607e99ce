import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { capabilityId, capabilityRef, manifestId } from '../../electron/core/identity.ts';
import type { ConsumerId, State } from '../../electron/core/model.ts';
import { emptyState } from '../../electron/core/state.ts';
import { realFiles } from '../../electron/store/files.ts';
import { faultyFiles } from './faulty-files.ts';
import { AT, CLAUDE, EXA, nextCommit, tool } from './sample.ts';
import {
  codeOf,
  commitLinesOf,
  commitTimes,
  contentsOf,
  errorOf,
  expectedLines,
  folderWith,
  openStore,
  previousPath,
  readAll,
  statePath,
  temporaryFolder,
} from './support.ts';

describe('opening and committing', () => {
  it('starts empty in a folder that does not exist yet', async () => {
    const { store, recovery } = await openStore(path.join(temporaryFolder(), 'deep', 'data'));
    expect(store.state).toEqual(emptyState());
    expect(recovery).toEqual({ kind: 'none', setAside: [], replay: [], uncertain: false });
    expect(store.owed()).toEqual([]);
  });

  it('gives back the committed state, its definitions and its manifests after a restart', async () => {
    const { dir, state } = await folderWith(3);
    const { store, recovery } = await openStore(dir);
    expect(recovery.kind).toBe('none');
    expect(store.state).toEqual(state);
    expect(() => readAll(store)).not.toThrow();
    expect(store.definition(capabilityId(tool(6)))).toEqual(tool(6));
  });

  it('keeps the generation before the last one beside it', async () => {
    const { dir } = await folderWith(3);
    const sequenceOf = (file: string): unknown => JSON.parse(fs.readFileSync(file, 'utf8')).state.sequence;
    expect([sequenceOf(statePath(dir)), sequenceOf(previousPath(dir))]).toEqual([3, 2]);
  });

  it('owes the effects of the last commit again after a restart', async () => {
    const { dir } = await folderWith(2);
    const { store } = await openStore(dir);
    expect(store.owed()).toEqual([{ type: 'list-changed', consumer: CLAUDE, kinds: ['tool'] }]);
  });

  it('refuses a state that is not the next one', async () => {
    const { store } = await openStore(temporaryFolder());
    const commit = nextCommit(store.state);
    const skipped = { ...commit, state: { ...commit.state, sequence: 2 } };
    expect(await codeOf(() => store.commit(skipped))).toBe('STORE_WRITE_FAILED');
    expect(store.state.sequence).toBe(0);
  });

  it('refuses a state of the wrong shape and goes on with the old one', async () => {
    const { store } = await openStore(temporaryFolder());
    const commit = nextCommit(store.state);
    const wrong = { ...commit.state, publications: { [CLAUDE]: { epoch: 'one' } } } as unknown as State; // on purpose
    expect(await codeOf(() => store.commit({ ...commit, state: wrong }))).toBe('STORE_WRITE_FAILED');
    expect(store.state.sequence).toBe(0);
    await store.commit(commit);
    expect(store.state).toBe(commit.state);
  });

  it.each(['__proto__', 'constructor', 'toString'])('refuses an app that is named %s', async (name) => {
    const { store } = await openStore(temporaryFolder());
    const commit = nextCommit(store.state);
    const consumers = Object.fromEntries([[name, { id: name as ConsumerId, name, addedAt: AT }]]);
    const error = await errorOf(() => store.commit({ ...commit, state: { ...commit.state, consumers } }));
    expect(error.code).toBe('STORE_WRITE_FAILED');
  });

  it('keeps a tool that is named __proto__', async () => {
    const dir = temporaryFolder();
    const { store } = await openStore(dir);
    const commit = nextCommit(store.state);
    const ref = capabilityRef(EXA, 'tool', '__proto__');
    const names = { [CLAUDE]: { ...commit.state.names[CLAUDE], 'tool/__proto__': ref } };
    await store.commit({ ...commit, state: { ...commit.state, names } });
    await store.close();
    expect((await openStore(dir)).store.state.names[CLAUDE]).toEqual(names[CLAUDE]);
  });

  it('makes folders and files for this user alone', async () => {
    const { dir } = await folderWith(1);
    const names = ['.', ...fs.readdirSync(dir, { recursive: true, encoding: 'utf8' })];
    const modes = names.map((name) => fs.statSync(path.join(dir, name)));
    for (const stat of modes) expect(stat.mode & 0o777).toBe(stat.isDirectory() ? 0o700 : 0o600);
  });

  it('keeps commits in order when they are not waited for', async () => {
    const { store } = await openStore(temporaryFolder());
    const first = nextCommit(store.state);
    const second = nextCommit(first.state);
    await Promise.all([store.commit(first), store.journal({ at: AT, type: 'launched' }), store.commit(second)]);
    const lines = store.history(10).reverse();
    expect(lines.map((line) => [line.sequence, line.index])).toEqual([
      [1, 0],
      [1, 1],
      [1, null],
      [2, 0],
      [2, 1],
    ]);
  });

  it('takes nothing after it was closed', async () => {
    const { store } = await openStore(temporaryFolder());
    await store.close();
    expect(await codeOf(() => store.commit(nextCommit(store.state)))).toBe('STORE_WRITE_FAILED');
  });
});

describe('a write that fails', { timeout: 60_000 }, () => {
  it('leaves memory and disk as before, whichever operation it was, and the next attempt works', async () => {
    let failures = 0;
    for (let at = 1, isDone = false; !isDone; at += 1) {
      const { dir } = await folderWith(2);
      const files = faultyFiles(realFiles);
      const { store } = await openStore(dir, files);
      const before = { state: store.state, file: fs.readFileSync(statePath(dir), 'utf8'), owed: store.owed() };
      const commit = nextCommit(store.state);
      files.arm({ at, how: 'fail' });
      const hasFailed = await store.commit(commit).then(
        () => false,
        (error: { code?: string }) => error.code === 'STORE_WRITE_FAILED',
      );
      isDone = files.operations < at;
      files.disarm();
      if (hasFailed) {
        failures += 1;
        expect(store.state, `operation ${at}: ${files.log[at - 1]}`).toBe(before.state);
        expect(fs.readFileSync(statePath(dir), 'utf8')).toBe(before.file);
        expect(store.owed()).toBe(before.owed);
        await store.commit(commit);
      }
      await store.commit(nextCommit(store.state));
      await store.close();
      const { store: again, recovery } = await openStore(dir);
      expect(recovery.kind).toBe('none');
      expect(again.state.sequence).toBe(4);
      expect(commitLinesOf(again)).toEqual(expectedLines(again.state));
      expect(() => readAll(again)).not.toThrow();
      expect(Object.keys(contentsOf(dir)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
      await again.close();
    }
    expect(failures).toBeGreaterThan(15);
  });

  it('writes no more when a failed write could not be taken back', async () => {
    const dir = temporaryFolder();
    let isBad = false;
    const failing = (): Promise<never> => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }));
    const { store } = await openStore(dir, {
      ...realFiles,
      syncFolder: (folder) => (isBad && folder === dir ? failing() : realFiles.syncFolder(folder)),
      link: (from, to) => (isBad && to.startsWith(`${statePath(dir)}.`) ? failing() : realFiles.link(from, to)),
      copy: (from, to) => (isBad && to.startsWith(`${statePath(dir)}.`) ? failing() : realFiles.copy(from, to)),
    });
    await commitTimes(store, 1);
    isBad = true;
    expect(await codeOf(() => store.commit(nextCommit(store.state)))).toBe('STORE_WRITE_FAILED');
    isBad = false;
    expect(await codeOf(() => store.commit(nextCommit(store.state)))).toBe('STORE_WRITE_FAILED');
    expect(store.state.sequence).toBe(1);
  });

  it('copies the last generation where the file system has no links', async () => {
    const dir = temporaryFolder();
    const link = (): Promise<never> => Promise.reject(Object.assign(new Error('EPERM'), { code: 'EPERM' }));
    const { store } = await openStore(dir, { ...realFiles, link });
    await commitTimes(store, 3);
    expect(JSON.parse(fs.readFileSync(previousPath(dir), 'utf8')).state.sequence).toBe(2);
    expect(fs.statSync(previousPath(dir)).mode & 0o777).toBe(0o600);
    expect(await codeOf(() => openStore(dir, { ...realFiles, link }))).toBe('STORE_LOCKED');
  });
});

describe('files named by a hash', () => {
  const fileOf = (dir: string, folder: string, id: string): string =>
    path.join(dir, folder, `${id.slice('sha256:'.length)}.json`);

  it('reports one damaged definition, and reads the others', async () => {
    const { dir } = await folderWith(2);
    const id = capabilityId(tool(4));
    const file = fileOf(dir, 'definitions', id);
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('Searches', 'Destroys'));
    const { store } = await openStore(dir);
    const error = await errorOf(() => store.definition(id));
    expect([error.code, error.details['id']]).toEqual(['STORE_CORRUPT', id]);
    expect(store.definition(capabilityId(tool(5)))).toEqual(tool(5));
  });

  it.each([
    ['missing', (file: string) => fs.rmSync(file)],
    ['empty', (file: string) => fs.writeFileSync(file, '')],
    ['cut short', (file: string) => fs.truncateSync(file, 20)],
    ['too large', (file: string) => fs.truncateSync(file, 5 * 1024 * 1024)],
    ['a folder', (file: string) => (fs.rmSync(file), fs.mkdirSync(file))],
    ['another definition', (file: string) => fs.writeFileSync(file, JSON.stringify(tool(99)))],
  ])('reports a definition that is %s', async (_, damage) => {
    const { dir } = await folderWith(2);
    damage(fileOf(dir, 'definitions', capabilityId(tool(4))));
    const { store } = await openStore(dir);
    expect(await codeOf(() => store.definition(capabilityId(tool(4))))).toBe('STORE_CORRUPT');
  });

  it('reports a manifest whose content is not what its name says', async () => {
    const { dir, state } = await folderWith(2);
    const id = state.publications[CLAUDE]?.manifestId ?? '';
    const file = fileOf(dir, 'manifests', id);
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('"tool_4"', '"tool_5"'));
    const { store } = await openStore(dir);
    expect(await codeOf(() => store.manifest(id as never))).toBe('STORE_CORRUPT');
  });

  it('never reads a file outside its folder', async () => {
    const { store } = await openStore(temporaryFolder());
    expect(await codeOf(() => store.definition('sha256:../../state' as never))).toBe('STORE_CORRUPT');
  });

  it.each([
    ['damaged definition', (file: string) => fs.writeFileSync(file, '{}')],
    ['definition that a folder took the place of', (file: string) => (fs.rmSync(file), fs.mkdirSync(file))],
  ])('repairs a %s when it is seen again', async (_, damage) => {
    const { dir } = await folderWith(2);
    const id = capabilityId(tool(4));
    damage(fileOf(dir, 'definitions', id));
    const { store } = await openStore(dir);
    const commit = nextCommit(store.state);
    await store.commit({ ...commit, definitions: [...commit.definitions, tool(4)] });
    expect(store.definition(id)).toEqual(tool(4));
    expect(JSON.parse(fs.readFileSync(fileOf(dir, 'definitions', id), 'utf8'))).toEqual(tool(4));
  });

  it('keeps the definition that was seen first under an id', async () => {
    const { dir } = await folderWith(2);
    const { store } = await openStore(dir);
    const first = tool(4);
    const later = {
      ...first,
      definition: { ...first.definition, inputSchema: { type: 'object', additionalProperties: true } },
    };
    expect(capabilityId(later)).toBe(capabilityId(first));
    const commit = nextCommit(store.state);
    await store.commit({ ...commit, definitions: [...commit.definitions, later] });
    await store.close();
    expect((await openStore(dir)).store.definition(capabilityId(first))).toEqual(first);
  });

  it('keeps a definition byte for byte, own prototype keys included', async () => {
    const dir = temporaryFolder();
    const { store } = await openStore(dir);
    const definition = JSON.parse(
      '{"name":"x","inputSchema":{"type":"object","properties":{"__proto__":{"type":"string"}}}}',
    );
    const stored = { ...tool(4), originKey: 'x', definition };
    const commit = nextCommit(store.state);
    await store.commit({ ...commit, definitions: [...commit.definitions, stored] });
    await store.close();
    const again = (await openStore(dir, realFiles)).store;
    // Nothing names it, so it was collected: commit it once more and read it through the file.
    await again.commit({ ...nextCommit(again.state), definitions: [...nextCommit(again.state).definitions, stored] });
    const file = fileOf(dir, 'definitions', capabilityId(stored));
    expect(fs.readFileSync(file, 'utf8')).toBe(JSON.stringify(stored));
    expect(JSON.stringify(again.definition(capabilityId(stored)))).toBe(JSON.stringify(stored));
  });

  it('refuses a definition beyond the bound, and the commit with it', async () => {
    const { store } = await openStore(temporaryFolder());
    const commit = nextCommit(store.state);
    const large = { ...tool(9), definition: { name: 'tool_9', description: 'x'.repeat(5 * 1024 * 1024) } };
    expect(await codeOf(() => store.commit({ ...commit, definitions: [large] }))).toBe('STORE_WRITE_FAILED');
    expect(store.state.sequence).toBe(0);
  });

  it('collects at start what neither generation names, and nothing else', async () => {
    const { dir } = await folderWith(12);
    fs.writeFileSync(path.join(dir, 'definitions', 'notes.txt'), 'mine');
    const { store } = await openStore(dir);
    const definitions = fs.readdirSync(path.join(dir, 'definitions'));
    // Six tools are in the last state, and two more only in the one before it.
    expect(definitions.filter((name) => name.endsWith('.json'))).toHaveLength(8);
    expect(definitions).toContain('notes.txt');
    expect(fs.readdirSync(path.join(dir, 'manifests'))).toHaveLength(2);
    expect(() => readAll(store)).not.toThrow();
    await store.close();
    fs.writeFileSync(statePath(dir), 'damaged');
    expect(() => readAll(store)).not.toThrow();
    const { store: older } = await openStore(dir);
    expect(() => readAll(older)).not.toThrow();
    expect(manifestId(older.manifest(older.state.publications[CLAUDE]?.manifestId as never))).toBeDefined();
  });

  it('keeps what a manifest lists, though nothing else names it any more', async () => {
    const dir = temporaryFolder();
    const { store } = await openStore(dir);
    await commitTimes(store, 1);
    const bare = { catalogs: {}, decisions: {}, seen: {}, incidents: [] };
    for (let sequence = 2; sequence <= 3; sequence += 1) {
      const state = { ...store.state, ...bare, sequence };
      await store.commit({ state, definitions: [], manifests: [], lines: [], effects: [] });
    }
    await store.close();
    expect(() => readAll(store)).not.toThrow();
    const { store: again } = await openStore(dir);
    expect(() => readAll(again)).not.toThrow();
    expect(again.definition(capabilityId(tool(2)))).toEqual(tool(2));
  });
});
