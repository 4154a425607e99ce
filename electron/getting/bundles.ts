import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { cleanName } from '../core/display.ts';
import { HoldfastError } from '../core/errors.ts';
import { ARCHIVE_BOUNDS, openArchive, type Archive, type ArchiveBounds } from './archive.ts';
import { bundleOffer, startableFiles } from './bundle-offer.ts';
import { isBelow } from './is-below.ts';
import { readManifest } from './manifest.ts';
import type { Offer } from './offer.ts';
import { refused } from './refused.ts';
import { systemCode } from '../core/system-reasons.ts';
import { digestOf, readText, UNFINISHED, unpackInto } from './unpack.ts';

const MANIFEST = 'manifest.json';
const MAX_MANIFEST_BYTES = 1024 * 1024;

export interface BundlesOptions {
  readonly dataDir: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly bounds?: ArchiveBounds;
}

/** A bundle that was checked and unpacked. Nothing of it has been started. */
export interface OpenedBundle {
  readonly offer: Offer;
  /** The name that its versions share. */
  readonly name: string;
  readonly author: string;
  readonly digest: string;
  readonly folder: string;
}

/** Kept beside a bundle's folder once a server runs from it. */
const recordShape = z.object({
  name: z.string().max(300),
  author: z.string().max(300),
  version: z.string().max(100),
  digest: z.string().max(100),
  at: z.string().max(40),
});

/**
 * Bundles on the disk: `bundles/<name>-<hash of the name>/<version>-<first of the digest>/`. The place follows from the
 * content, so the same file opened again is the same launch, another version stands beside it, and neither replaces the
 * other.
 */
export class Bundles {
  readonly #options: BundlesOptions;
  readonly #root: string;

  constructor(options: BundlesOptions) {
    this.#options = options;
    this.#root = path.join(options.dataDir, 'bundles');
  }

  /**
   * Checks a bundle, all of it, and unpacks it. A folder that `isInUse` stays as it is.
   * @throws HoldfastError OFFER_REFUSED, STORE_WRITE_FAILED
   */
  async open(file: string, isInUse: (folder: string) => boolean): Promise<OpenedBundle> {
    const label = cleanName(path.basename(file));
    return this.openBytes(await this.#read(file, label), label, isInUse);
  }

  /** Like {@link Bundles.open}, for what was fetched. */
  async openBytes(bytes: Buffer, label: string, isInUse: (folder: string) => boolean): Promise<OpenedBundle> {
    const archive = await openArchive(bytes, label, this.#options.bounds ?? ARCHIVE_BOUNDS);
    try {
      return await this.#unpack(archive, digestOf(bytes), label, isInUse);
    } finally {
      archive.close();
    }
  }

  async #unpack(
    archive: Archive,
    digest: string,
    label: string,
    isInUse: (folder: string) => boolean,
  ): Promise<OpenedBundle> {
    const { home, platform } = this.#options;
    const described = archive.files.get(MANIFEST);
    if (described === undefined || described.bytes > MAX_MANIFEST_BYTES) throw refused('no-manifest', { file: label });
    const manifest = readManifest(await readText(archive, described, label), label);
    const short = digest.slice('sha256:'.length, 'sha256:'.length + 12);
    const folder = path.join(this.#root, nameFolder(manifest.name), `${slug(manifest.version)}-${short}`);
    const offer = bundleOffer(manifest, { folder, platform, home }, new Set(archive.files.keys()), label);
    if (!isInUse(folder)) await unpackInto(folder, archive, label, startableFiles(manifest, platform));
    return { offer, name: manifest.name, author: manifest.author.name, digest, folder };
  }

  async #read(file: string, label: string): Promise<Buffer> {
    const limit = this.#options.bounds?.packedBytes ?? ARCHIVE_BOUNDS.packedBytes;
    try {
      const handle = await fs.promises.open(file, 'r');
      try {
        const stat = await handle.stat();
        if (!stat.isFile()) throw refused('unreadable', { file: label, reason: 'it is no file' });
        if (stat.size > limit)
          throw refused('too-big', { file: label, limit: `${Math.round(limit / 1024 / 1024)} MB` });
        return await readAtMost(handle, stat.size);
      } finally {
        await handle.close();
      }
    } catch (cause) {
      if (cause instanceof HoldfastError) throw cause;
      const system = systemCode(cause);
      const reason = system === 'ENOENT' ? 'there is no such file' : (system ?? 'it cannot be opened');
      throw refused('unreadable', { file: label, reason }, cause);
    }
  }

  /** True where one of these paths is in a bundle that stands beside this one and was recorded with the same name. */
  isVersionOf({ folder, name }: Pick<OpenedBundle, 'folder' | 'name'>, launchPaths: readonly string[]): boolean {
    const shelf = path.dirname(folder);
    return listOf(shelf)
      .map((entry) => path.join(shelf, entry))
      .some((other) => launchPaths.some((text) => isBelow(other, text)) && this.record(other)?.name === name);
  }

  /** Notes that a server runs from it now. */
  async keep({ folder, name, author, digest, offer }: OpenedBundle, at: string): Promise<void> {
    const record = { name, author, version: offer.version ?? '', digest, at };
    await fs.promises.writeFile(`${folder}.json`, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  }

  /** What is known of the bundle in this folder; `null` where none was added from there. */
  record(folder: string): z.output<typeof recordShape> | null {
    try {
      return recordShape.parse(JSON.parse(fs.readFileSync(`${folder}.json`, 'utf8')));
    } catch {
      return null; // none, or damaged: then nothing is known
    }
  }

  /** Takes a folder away that was unpacked and not added, and the folder of its name where nothing else is in it. */
  async discard(folder: string, isInUse: (folder: string) => boolean): Promise<void> {
    if (isInUse(folder) || this.record(folder) !== null || !isBelow(this.#root, folder)) return;
    await fs.promises.rm(folder, { recursive: true, force: true });
    await fs.promises.rmdir(path.dirname(folder)).catch(() => undefined); // others are in it
  }

  /** Takes away what an earlier run unpacked and never added, and what it broke off in the middle. */
  async sweep(isInUse: (folder: string) => boolean): Promise<void> {
    for (const name of listOf(this.#root)) {
      const versions = path.join(this.#root, name);
      for (const entry of listOf(versions)) {
        const folder = path.join(versions, entry);
        if (UNFINISHED.test(entry)) await fs.promises.rm(folder, { recursive: true, force: true });
        else if (!entry.endsWith('.json')) await this.discard(folder, isInUse);
      }
    }
  }
}

/** Reads what was there when it was looked at, even if the file grows meanwhile. */
async function readAtMost(handle: fs.promises.FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  for (let done = 0; done < size;) {
    const { bytesRead } = await handle.read(bytes, done, size - done, done);
    if (bytesRead === 0) return bytes.subarray(0, done);
    done += bytesRead;
  }
  return bytes;
}

function listOf(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return []; // not there
  }
}

/** Names that differ only in what a plain folder name leaves out are not one: keys and approvals go by the name. */
function nameFolder(name: string): string {
  const hash = digestOf(Buffer.from(name)).slice('sha256:'.length, 'sha256:'.length + 8);
  return `${slug(name)}-${hash}`;
}

function slug(text: string): string {
  const plain = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, 48)
    .replaceAll(/[-.]+$/g, '');
  // Windows gives some names to devices.
  return /^(?:con|prn|aux|nul|(?:com|lpt)\d)(?:\.|$)/.test(plain) || plain === '' ? `x-${plain}` : plain;
}
