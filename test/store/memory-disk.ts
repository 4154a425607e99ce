import path from 'node:path';
import type { Files } from '../../electron/store/files.ts';

interface Content {
  /** What a reader sees. */
  now: Buffer;
  /** What is there after a power failure. */
  durable: Buffer;
}
type Names = Map<string, Content>;
interface Folder {
  readonly now: Names;
  /** The state of the folder after each change since its last sync, the synced one first. */
  durable: Names[];
}

/** What a power failure leaves of what was never synced. */
export interface Failure {
  /** Of the unsynced changes of names, in each folder: none, all, or all but the last. */
  readonly names: 'none' | 'all' | 'all-but-last';
  /** Of the unsynced content of files: none, all, or the first half. */
  readonly content: 'none' | 'all' | 'half';
}

/** A disk on which only what was synced survives a power failure: the least that file systems promise. */
export class MemoryDisk {
  readonly #folders = new Map<string, Folder>();
  readonly #handles = new Map<number, Content>();
  #nextHandle = 3;

  readonly files: Files = {
    makeFolder: async (folder) => {
      if (!this.#folders.has(folder)) this.#folders.set(folder, { now: new Map(), durable: [new Map()] });
    },
    create: async (file) => {
      if (this.#find(file)) throw systemError('EEXIST');
      const content = { now: Buffer.alloc(0), durable: Buffer.alloc(0) };
      this.#rename(file, (names, name) => names.set(name, content));
      return this.#open(content);
    },
    openAppend: async (file) => this.#open(this.#find(file) ?? (await this.#created(file))),
    write: async (handle, text) => {
      const content = this.#handle(handle);
      content.now = Buffer.concat([content.now, Buffer.from(text)]);
    },
    sync: async (handle) => {
      const content = this.#handle(handle);
      content.durable = content.now;
    },
    close: async (handle) => void this.#handles.delete(handle),
    truncate: async (file, bytes) => {
      const content = this.#found(file);
      content.now = content.now.subarray(0, bytes);
    },
    rename: async (from, to) => {
      const content = this.#found(from);
      if (this.#find(to) === content) return;
      // One step, as the two names are in one folder.
      this.#rename(from, (names, name) => (names.delete(name), names.set(path.basename(to), content)));
    },
    link: async (from, to) => {
      const content = this.#found(from);
      if (this.#find(to)) throw systemError('EEXIST');
      this.#rename(to, (names, name) => names.set(name, content));
    },
    copy: async (from, to) => {
      const content = await this.#created(to);
      content.now = this.#found(from).now;
      content.durable = content.now;
    },
    remove: async (file) => {
      this.#found(file);
      this.#rename(file, (names, name) => names.delete(name));
    },
    syncFolder: async (folder) => {
      const found = this.#folder(folder);
      found.durable = [new Map(found.now)];
    },
    read: (file) => this.#find(file)?.now,
    size: (file) => this.#find(file)?.now.length,
    list: (folder) => [...(this.#folders.get(folder)?.now.keys() ?? [])].sort(),
  };

  /** The disk after a power failure. */
  afterFailure(failure: Failure): MemoryDisk {
    const disk = new MemoryDisk();
    for (const [folder, { durable, now }] of this.#folders) {
      const at = { none: 0, all: durable.length - 1, 'all-but-last': Math.max(0, durable.length - 2) }[failure.names];
      const kept = failure.names === 'all' ? now : (durable[at] ?? now);
      const names = new Map([...kept].map(([name, content]) => [name, survivor(content, failure)]));
      disk.#folders.set(folder, { now: names, durable: [new Map(names)] });
    }
    return disk;
  }

  async #created(file: string): Promise<Content> {
    const handle = await this.files.create(file);
    const content = this.#handle(handle);
    this.#handles.delete(handle);
    return content;
  }

  #rename(file: string, change: (names: Names, name: string) => unknown): void {
    const folder = this.#folder(path.dirname(file));
    change(folder.now, path.basename(file));
    folder.durable.push(new Map(folder.now));
  }

  #open(content: Content): number {
    this.#handles.set(this.#nextHandle, content);
    return this.#nextHandle++;
  }

  #handle(handle: number): Content {
    const content = this.#handles.get(handle);
    if (content === undefined) throw systemError('EBADF');
    return content;
  }

  #folder(folder: string): Folder {
    const found = this.#folders.get(folder);
    if (found === undefined) throw systemError('ENOENT');
    return found;
  }

  #find(file: string): Content | undefined {
    return this.#folders.get(path.dirname(file))?.now.get(path.basename(file));
  }

  #found(file: string): Content {
    const content = this.#find(file);
    if (content === undefined) throw systemError('ENOENT');
    return content;
  }
}

function survivor({ now, durable }: Content, { content }: Failure): Content {
  const half = now.subarray(0, durable.length + Math.floor((now.length - durable.length) / 2));
  const kept = { none: durable, all: now, half: now.length > durable.length ? half : durable }[content];
  return { now: kept, durable: kept };
}

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}
