import { describe, expect, it } from 'vitest';
import type { Control } from '../../electron/control/control.ts';
import type { Snapshot } from '../../electron/control/snapshot.ts';
import { realFiles, type Files } from '../../electron/store/files.ts';
import { controlOn, DEMO, exposeDemo, listing, observed } from './control.ts';
import { AT, CLAUDE } from './sample.ts';
import { codeOf, openStore, temporaryFolder } from './support.ts';

/** Real files on a disk that is full while `isFull`. */
function smallDisk(): { readonly files: Files; isFull: boolean; refused: number } {
  const disk = {
    isFull: false,
    refused: 0,
    files: {
      ...realFiles,
      write(handle: number, text: string) {
        if (!disk.isFull) return realFiles.write(handle, text);
        disk.refused += 1;
        return Promise.reject(Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }));
      },
    },
  };
  return disk;
}

interface World {
  readonly control: Control;
  readonly disk: ReturnType<typeof smallDisk>;
  /** What the server lists; it is looked at again when the control plane asks for it. */
  offers: Record<string, string>;
  looks: number;
  readonly shown: Snapshot[];
}

async function world(): Promise<World> {
  const disk = smallDisk();
  const { store } = await openStore(temporaryFolder(), disk.files);
  const made: { offers: Record<string, string>; looks: number } = { offers: { search: 'one', fetch: 'one' }, looks: 0 };
  const shown: Snapshot[] = [];
  const control: Control = controlOn(store, {
    onSnapshot: (snapshot) => void shown.push(snapshot),
    observeNow: async () => {
      made.looks += 1;
      await control.dispatch(observed(made.offers)).catch(() => undefined);
      return listing(made.offers);
    },
  });
  await exposeDemo(control, made.offers);
  return Object.assign(made, { control, disk, shown });
}

async function until(isSo: () => boolean): Promise<void> {
  const end = Date.now() + 20_000;
  while (!isSo()) {
    if (Date.now() > end) throw new Error('it did not come about');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const namesOf = (control: Control): string[] => [...(control.surface(CLAUDE)?.entries.keys() ?? [])];

describe('while nothing can be saved', { timeout: 60_000 }, () => {
  it('what was observed changes nothing and is said, and comes about by itself when there is room again', async () => {
    const it = await world();
    const { control, disk } = it;
    const before = { state: control.state, surface: control.surface(CLAUDE) };
    disk.isFull = true;
    it.offers = { search: 'two', fetch: 'one' };
    expect(await codeOf(() => control.dispatch(observed(it.offers)))).toBe('STORE_WRITE_FAILED');
    expect(control.state).toBe(before.state);
    expect(control.surface(CLAUDE)).toBe(before.surface);
    expect(it.shown.at(-1)?.tray).toBe('error');
    expect(it.shown.at(-1)?.notices).toEqual([expect.stringContaining('the disk is full')]);

    disk.isFull = false;
    await until(() => namesOf(control).join() === 'tool/fetch');
    await until(() => it.shown.at(-1)?.notices.length === 0);
    expect(it.shown.at(-1)?.tray).toBe('attention');
    expect(it.looks).toBe(1);
  });

  it('a server is not looked at again and again', async () => {
    const it = await world();
    it.disk.isFull = true;
    it.offers = { search: 'two' };
    await it.control.dispatch(observed(it.offers)).catch(() => undefined);
    const { refused } = it.disk;
    // It is tried by itself, finds no room, and asks no server.
    await until(() => it.disk.refused >= refused + 2);
    expect(it.looks).toBe(0);
    it.control.close();
  });

  it('a person’s command is refused, and the notice goes with the next one that succeeds', async () => {
    const { control, disk } = await world();
    disk.isFull = true;
    expect(await codeOf(() => control.run('language', { language: 'zh-CN' }))).toBe('STORE_WRITE_FAILED');
    expect(control.snapshot().notices).toHaveLength(1);
    disk.isFull = false;
    await control.run('language', { language: 'zh-CN' });
    expect(control.snapshot().notices).toEqual([]);
  });

  it('a check of a server says that what it saw could not be saved', async () => {
    const it = await world();
    it.disk.isFull = true;
    it.offers = { search: 'two' };
    expect(await codeOf(() => it.control.run('servers.check', { name: 'Demo' }))).toBe('STORE_WRITE_FAILED');
    it.control.close();
  });

  it('a change that was missed is not forgotten for another one that could be saved', async () => {
    const it = await world();
    it.disk.isFull = true;
    it.offers = { search: 'two', fetch: 'one' };
    await it.control.dispatch(observed(it.offers)).catch(() => undefined);
    it.disk.isFull = false;
    await it.control.dispatch({ at: AT, type: 'server-asks', server: DEMO });
    await until(() => namesOf(it.control).join() === 'tool/fetch');
  });
});
