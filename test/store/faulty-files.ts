import type { Files } from '../../electron/store/files.ts';

/** The process was stopped here. */
export class Stopped extends Error {}

export interface Fault {
  /** Of the operations that change something, the one it happens at; the first is 1. */
  readonly at: number;
  /**
   * `stop`: neither this nor any later operation happens. `tear`: the same, but a write is half done. `fail`: this one
   * fails, later ones work.
   */
  readonly how: 'stop' | 'tear' | 'fail';
}

export interface FaultyFiles extends Files {
  /** Counts from here on. */
  arm(fault: Fault): void;
  disarm(): void;
  /** Operations since it was armed. */
  readonly operations: number;
  readonly log: readonly string[];
}

/** Files on which things go wrong at one exact operation. */
export function faultyFiles(files: Files): FaultyFiles {
  let fault: Fault | undefined;
  const log: string[] = [];

  const change = async <T>(name: string, action: () => Promise<T>, half?: () => Promise<unknown>): Promise<T> => {
    if (fault === undefined) return action();
    log.push(name);
    const isHere = log.length === fault.at;
    if (isHere && fault.how === 'tear') await half?.();
    if (isHere && fault.how === 'fail') throw Object.assign(new Error('EIO: made to fail'), { code: 'EIO' });
    if (fault.how !== 'fail' && log.length >= fault.at) throw new Stopped();
    return action();
  };

  return {
    makeFolder: (path) => change('makeFolder', () => files.makeFolder(path)),
    create: (path) => change('create', () => files.create(path)),
    openAppend: (path) => change('openAppend', () => files.openAppend(path)),
    write: (handle, text) =>
      change(
        'write',
        () => files.write(handle, text),
        () => files.write(handle, text.slice(0, text.length / 2)),
      ),
    sync: (handle) => change('sync', () => files.sync(handle)),
    // Closing happens in any case, so that the tests do not run out of descriptors.
    close: (handle) => files.close(handle).then(() => change('close', () => Promise.resolve())),
    truncate: (path, bytes) => change('truncate', () => files.truncate(path, bytes)),
    rename: (from, to) => change('rename', () => files.rename(from, to)),
    link: (from, to) => change('link', () => files.link(from, to)),
    copy: (from, to) => change('copy', () => files.copy(from, to)),
    remove: (path) => change('remove', () => files.remove(path)),
    syncFolder: (path) => change('syncFolder', () => files.syncFolder(path)),
    read: files.read,
    size: files.size,
    list: files.list,
    arm(next) {
      fault = next;
      log.length = 0;
    },
    disarm() {
      fault = undefined;
    },
    get operations() {
      return log.length;
    },
    log,
  };
}
