import zlib from 'node:zlib';
import { crc32 } from '../../electron/getting/crc32.ts';

/** One entry as it is written; what is not said fits the content. */
export interface Entry {
  readonly name: string;
  readonly content?: string | Buffer;
  /** Unix mode with its kind, as in 0o100644; 0 says nothing. */
  readonly mode?: number;
  readonly flags?: number;
  readonly method?: number;
  readonly declaredBytes?: number;
  readonly sum?: number;
  readonly rawName?: Buffer;
  /** Another name in the local header than in the central directory. */
  readonly localName?: string;
}

/** Writes a zip archive by hand, so that every lie can be told in it. */
export function zipOf(entries: readonly Entry[], comment = Buffer.alloc(0)): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const local = localOf(entry);
    centrals.push(centralOf(entry, at));
    locals.push(local);
    at += local.length;
  }
  const central = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...locals, central, end, comment]);
}

interface Made {
  readonly name: Buffer;
  readonly data: Buffer;
  readonly bytes: number;
  readonly sum: number;
  readonly method: number;
  readonly flags: number;
}

function made(entry: Entry): Made {
  const content = Buffer.from(entry.content ?? '');
  const method = entry.method ?? 8;
  return {
    name: entry.rawName ?? Buffer.from(entry.name),
    data: method === 8 ? zlib.deflateRawSync(content) : content,
    bytes: entry.declaredBytes ?? content.length,
    sum: entry.sum ?? crc32(content),
    method,
    flags: (entry.flags ?? 0) | 0x800,
  };
}

function localOf(entry: Entry): Buffer {
  const { name: ownName, data, bytes, sum, method, flags } = made(entry);
  const name = entry.localName === undefined ? ownName : Buffer.from(entry.localName);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(20, 4);
  head.writeUInt16LE(flags, 6);
  head.writeUInt16LE(method, 8);
  head.writeUInt32LE(sum, 14);
  head.writeUInt32LE(data.length, 18);
  head.writeUInt32LE(bytes, 22);
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, name, data]);
}

function centralOf(entry: Entry, at: number): Buffer {
  const { name, data, bytes, sum, method, flags } = made(entry);
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  head.writeUInt16LE((3 << 8) | 20, 4);
  head.writeUInt16LE(20, 6);
  head.writeUInt16LE(flags, 8);
  head.writeUInt16LE(method, 10);
  head.writeUInt32LE(sum, 16);
  head.writeUInt32LE(data.length, 20);
  head.writeUInt32LE(bytes, 24);
  head.writeUInt16LE(name.length, 28);
  head.writeUInt32LE(((entry.mode ?? 0) << 16) >>> 0, 38);
  head.writeUInt32LE(at, 42);
  return Buffer.concat([head, name]);
}

/** A manifest that fits, with other members in place of its own. */
export function manifest(other: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    manifest_version: '0.3',
    name: 'notes',
    display_name: 'Notes',
    version: '1.2.0',
    description: 'Keeps notes.',
    author: { name: 'Ada' },
    server: {
      type: 'node',
      entry_point: 'server/index.js',
      mcp_config: { command: 'node', args: ['${__dirname}/server/index.js'] },
    },
    ...other,
  };
}

/** A bundle with this manifest and these files beside its server. */
export function bundleOf(
  other: Readonly<Record<string, unknown>> = {},
  files: readonly Entry[] = [],
  server: string | Buffer = 'console.log(1)\n',
): Buffer {
  return zipOf([
    { name: 'manifest.json', content: JSON.stringify(manifest(other)) },
    { name: 'server/', mode: 0o40755, method: 0 },
    { name: 'server/index.js', content: server, mode: 0o100644 },
    ...files,
  ]);
}
