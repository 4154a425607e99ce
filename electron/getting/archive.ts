import type { Readable } from 'node:stream';
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import { crc32 } from './crc32.ts';
import { isPlainName, NamesSeen } from './entry-names.ts';
import { refused } from './refused.ts';

const MB = 1024 * 1024;
/** What a bundle may be. Bundled Python and browsers are some hundred MB; what is larger is no server. */
export const ARCHIVE_BOUNDS = {
  packedBytes: 256 * MB,
  unpackedBytes: 768 * MB,
  entries: 30_000,
  /** Unpacked to packed, counted from {@link ARCHIVE_BOUNDS.ratioFromBytes} on; programs shrink to a tenth at best. */
  ratio: 100,
  ratioFromBytes: 8 * MB,
} as const;
export type ArchiveBounds = { readonly [Name in keyof typeof ARCHIVE_BOUNDS]: number };

/** One file of an archive, checked by what the central directory says of it. */
export interface ArchiveFile {
  readonly name: string;
  readonly bytes: number;
  readonly isExecutable: boolean;
  /** Its content, ended at its declared size. */
  open(): Promise<Readable>;
}

/** Checks what a file turned out to hold against what was declared of it. */
export interface ContentCheck {
  add(chunk: Buffer): void;
  /** @throws HoldfastError OFFER_REFUSED damaged */
  end(): void;
}

export interface Archive {
  readonly files: ReadonlyMap<string, ArchiveFile>;
  check(file: ArchiveFile): ContentCheck;
  close(): void;
}

/**
 * Opens a zip archive and checks all that its central directory declares, before a byte of it is unpacked. What local
 * headers say is never used. `label` is what the file is called in sentences.
 * @throws HoldfastError OFFER_REFUSED
 */
export async function openArchive(
  bytes: Buffer,
  label: string,
  bounds: ArchiveBounds = ARCHIVE_BOUNDS,
): Promise<Archive> {
  const zip = await openZip(bytes, label);
  try {
    const limit = bounds.entries;
    if (zip.entryCount > limit) throw refused('too-many', { file: label, limit });
    const entries = await readEntries(zip, bytes.length, label, bounds);
    const files = new Map(entries.map((entry) => [entry.fileName, fileOf(zip, entry, label)]));
    const sums = new Map(entries.map(({ fileName, crc32: sum }) => [fileName, sum]));
    return {
      files,
      check: (file) => contentCheck(file, sums.get(file.name), label),
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/** Files below a folder entry need no entry of its own; a folder that holds nothing is left out. */
async function readEntries(zip: ZipFile, packed: number, label: string, bounds: ArchiveBounds): Promise<Entry[]> {
  const entries: Entry[] = [];
  const seen = new NamesSeen();
  let unpacked = 0;
  for await (const entry of entriesOf(zip, label)) {
    checkEntry(entry, label);
    if (!seen.add(entry.fileName)) throw refused('twice', { file: label, entry: entry.fileName });
    unpacked += entry.uncompressedSize;
    const isBomb = unpacked > bounds.ratioFromBytes && unpacked > packed * bounds.ratio;
    if (isBomb || unpacked > bounds.unpackedBytes) throw refused('bomb', { file: label });
    if (!entry.fileName.endsWith('/')) entries.push(entry);
  }
  return entries;
}

async function openZip(bytes: Buffer, label: string): Promise<ZipFile> {
  const options = { lazyEntries: true, strictFileNames: true, decodeStrings: true, validateEntrySizes: true };
  try {
    return await fromBufferPromise(withoutSignature(bytes), options);
  } catch (cause) {
    throw refused('not-zip', { file: label }, cause);
  }
}

const SIGNATURE_START = Buffer.from('MCPB_SIG_V1');
const SIGNATURE_END = Buffer.from('MCPB_SIG_END');
const END_RECORD = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
const END_RECORD_BYTES = 22;
const MAX_SIGNATURE = 64 * 1024;

/** Older packers put a signature behind the archive without saying so in it; newer ones declare it as the comment. */
function withoutSignature(bytes: Buffer): Buffer {
  const isSigned = bytes.length > MAX_SIGNATURE / 1024 && bytes.subarray(-SIGNATURE_END.length).equals(SIGNATURE_END);
  const start = isSigned ? bytes.lastIndexOf(SIGNATURE_START) : -1;
  if (start < END_RECORD_BYTES || start < bytes.length - MAX_SIGNATURE) return bytes;
  const end = bytes.subarray(start - END_RECORD_BYTES, start);
  const isUndeclared = end.subarray(0, END_RECORD.length).equals(END_RECORD) && end.readUInt16LE(20) === 0;
  return isUndeclared ? bytes.subarray(0, start) : bytes;
}

async function* entriesOf(zip: ZipFile, label: string): AsyncGenerator<Entry, void> {
  const entries = zip.eachEntry();
  for (;;) {
    let next: IteratorResult<Entry, unknown>;
    try {
      next = await entries.next();
    } catch (cause) {
      // The library refuses absolute names, `..` and backslashes by itself, and names them.
      const isName = cause instanceof Error && /fileName|absolute path|relative path/.test(cause.message);
      const entry = isName ? cause.message.replace(/^.*?: /, '') : '';
      throw isName ? refused('path', { file: label, entry }, cause) : refused('not-zip', { file: label }, cause);
    }
    if (next.done === true) return;
    yield next.value;
  }
}

const ENCRYPTED = 0x1 | 0x40 | 0x2000;
const STORED = 0;
const DEFLATED = 8;
const KIND = 0xf000;
const PLAIN_FILE = 0x8000;
const FOLDER = 0x4000;

function checkEntry(entry: Entry, label: string): void {
  const { fileName, generalPurposeBitFlag, compressionMethod, uncompressedSize } = entry;
  const about = { file: label, entry: fileName };
  if (!isPlainName(fileName)) throw refused('path', about);
  if ((generalPurposeBitFlag & ENCRYPTED) !== 0) throw refused('encrypted', about);
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED) throw refused('method', about);
  const isFolder = fileName.endsWith('/');
  const kind = modeOf(entry) & KIND;
  // Packers on Windows say nothing of it, which is zero.
  if (kind !== 0 && kind !== (isFolder ? FOLDER : PLAIN_FILE)) throw refused('link', about);
  if (isFolder && uncompressedSize > 0) throw refused('damaged', about);
}

function modeOf({ externalFileAttributes }: Entry): number {
  return externalFileAttributes >>> 16;
}

function fileOf(zip: ZipFile, entry: Entry, label: string): ArchiveFile {
  return {
    name: entry.fileName,
    bytes: entry.uncompressedSize,
    isExecutable: (modeOf(entry) & 0o111) !== 0,
    async open() {
      try {
        const content = await zip.openReadStreamPromise(entry);
        // The library says that it failed without ending the stream, maybe before anybody reads: who does would wait on.
        return content.on('error', (error) => content.destroy(error));
      } catch (cause) {
        throw refused('damaged', { file: label, entry: entry.fileName }, cause);
      }
    },
  };
}

function contentCheck({ name, bytes }: ArchiveFile, sum: number | undefined, label: string): ContentCheck {
  let size = 0;
  let found = 0;
  return {
    add(chunk) {
      size += chunk.length;
      if (size > bytes) throw refused('damaged', { file: label, entry: name });
      found = crc32(chunk, found);
    },
    end() {
      if (size !== bytes || found !== sum) throw refused('damaged', { file: label, entry: name });
    },
  };
}
