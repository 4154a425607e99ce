import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Control } from '../../electron/control/control.ts';
import { HoldfastError } from '../../electron/core/errors.ts';
import { capabilityId, capabilityRef } from '../../electron/core/identity.ts';
import type { Event } from '../../electron/core/model.ts';
import { realFiles } from '../../electron/store/files.ts';
import { controlOn, DEMO, exposeDemo, listing } from './control.ts';
import { AT, CLAUDE } from './sample.ts';
import { faultyFiles } from './faulty-files.ts';
import { openStore, previousPath, reopen, statePath, temporaryFolder } from './support.ts';

const RESTORED = 'restored';
const target = { kind: 'tool', originKey: 'a' } as const;
const hide: Event = { at: AT, type: 'hidden', consumer: CLAUDE, server: DEMO, target };
const definition = { name: 'a', description: 'one', inputSchema: { type: 'object' } };
const shown = {
  ref: capabilityRef(DEMO, 'tool', 'a'),
  id: capabilityId({ serverId: DEMO, kind: 'tool', originKey: 'a', route: listing({}).route, definition }),
};
const show: Event = { at: AT, type: 'exposed', consumer: CLAUDE, server: DEMO, target, shown: [shown] };
const resume: Event = { at: AT, type: 'resumed' };

/** A program that opens the folder, recovers, does this, and ends without anybody to tell. */
async function passing(dir: string, ...work: readonly Event[]) {
  const { store, recovery } = await reopen(dir);
  const control = controlOn(store);
  await control.recover(recovery);
  for (const event of work) await control.dispatch(event);
  const seen = { ...look(control), untold: store.untold(), lines: store.history(1_000).length, kind: recovery.kind };
  await store.close();
  return seen;
}

function look(control: Control) {
  const names = [...(control.surface(CLAUDE)?.entries.values() ?? [])].map(({ name }) => name).sort();
  return { names, paused: control.state.settings.paused?.reason ?? null };
}

/** An app with tools `a` and `b`; `a` was hidden after the copy that is put back. */
async function rolledBack(): Promise<string> {
  const dir = path.join(temporaryFolder(), 'data');
  const { store } = await openStore(dir);
  await exposeDemo(controlOn(store), { a: 'one', b: 'one' });
  await store.close();
  const copy = fs.readFileSync(statePath(dir));
  await passing(dir, hide);
  fs.writeFileSync(statePath(dir), copy);
  return dir;
}

describe('what a recovery has applied again', () => {
  it('is not applied once more over what the person chose since, at however many starts', async () => {
    const dir = await rolledBack();
    expect(await passing(dir)).toMatchObject({ names: ['b'], kind: 'previous', untold: [RESTORED] });
    const chosen = await passing(dir, show);
    expect(chosen).toMatchObject({ names: ['a', 'b'], untold: [RESTORED] });
    for (let start = 0; start < 3; start += 1) expect(await passing(dir)).toEqual(chosen);
  });

  it('pauses once where it was uncertain: what the person resumed stays resumed', async () => {
    const dir = await rolledBack();
    fs.rmSync(path.join(dir, 'journal'), { recursive: true });
    fs.writeFileSync(statePath(dir), '');
    expect(await passing(dir)).toMatchObject({ paused: 'recovered' });
    expect(await passing(dir, resume)).toMatchObject({ paused: null });
    expect(await passing(dir)).toMatchObject({ paused: null, untold: [RESTORED] });
  });

  it(
    'is applied at the next start when it is stopped at any operation, and never lost',
    { timeout: 60_000 },
    async () => {
      const made = await rolledBack();
      let stops = 0;
      for (let at = 1, isDone = false; !isDone; at += 1) {
        const dir = path.join(temporaryFolder(), 'data');
        fs.cpSync(made, dir, { recursive: true });
        const files = faultyFiles(realFiles);
        files.arm({ at, how: 'tear' });
        isDone = await openStore(dir, files)
          .then(({ store, recovery }) => controlOn(store).recover(recovery))
          .then(
            () => true,
            (error: unknown) => {
              if (!(error instanceof HoldfastError)) throw error;
              return false;
            },
          );
        stops += isDone ? 0 : 1;
        expect(await passing(dir), `after ${at} operations`).toMatchObject({ names: ['b'], untold: [RESTORED] });
      }
      expect(stops).toBeGreaterThan(25);
    },
  );
});

describe('word of a recovery', () => {
  it('stays owed until it is told, however often the files are damaged meanwhile', async () => {
    const dir = await rolledBack();
    await passing(dir);
    await passing(dir, show);
    fs.writeFileSync(statePath(dir), '');
    expect(await passing(dir)).toMatchObject({ kind: 'previous', names: ['b'], untold: [RESTORED] });
    const { store } = await reopen(dir);
    await store.told();
    await store.close();
    expect(await passing(dir)).toMatchObject({ kind: 'none', names: ['b'], untold: [] });
  });

  it('says that nothing was left, also where an older generation serves after that', async () => {
    const dir = await rolledBack();
    for (const file of [statePath(dir), previousPath(dir)]) fs.writeFileSync(file, '');
    expect(await passing(dir)).toMatchObject({ kind: 'empty', paused: 'recovered', untold: ['started-empty'] });
    await passing(dir, resume);
    fs.writeFileSync(statePath(dir), '');
    expect(await passing(dir)).toMatchObject({ paused: 'recovered', untold: ['started-empty'] });
  });
});

describe('word of a file that was set aside', () => {
  it('stays owed over passing starts until it is told, and comes again with the next file', async () => {
    const dir = await rolledBack();
    const journal = path.join(dir, 'journal', '2026-03.jsonl');
    await reopen(dir).then(async ({ store }) => {
      await store.replayed();
      await store.told();
      await store.close();
    });
    fs.appendFileSync(journal, 'not a line\n');
    fs.writeFileSync(path.join(dir, 'secrets.damaged-2026-03-04T05-06-07-000Z.json'), '');
    for (let start = 0; start < 2; start += 1)
      expect(await passing(dir)).toMatchObject({ untold: ['history', 'secrets'] });
    const { store } = await reopen(dir);
    await store.told();
    await store.close();
    expect(await passing(dir, show)).toMatchObject({ untold: [] });
    fs.writeFileSync(path.join(dir, 'secrets.damaged-2026-03-04T05-06-07-000Z-2.json'), '');
    expect(await passing(dir)).toMatchObject({ untold: ['secrets'] });
  });
});
