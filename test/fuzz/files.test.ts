import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect } from 'vitest';
import { launchFile } from '../../electron/bridge/endpoint.ts';
import { readLaunch } from '../../electron/bridge/start-gateway.ts';
import { HoldfastError } from '../../electron/core/errors.ts';
import { capabilityId, manifestId } from '../../electron/core/identity.ts';
import type { ConsumerId, ServerId, State } from '../../electron/core/model.ts';
import { reviewItems } from '../../electron/core/review.ts';
import { emptyState } from '../../electron/core/state.ts';
import { deriveSurface } from '../../electron/core/surface.ts';
import { openDefinitions, openManifests } from '../../electron/store/content.ts';
import { encodeDocument, newDocument, readGeneration, type Generation } from '../../electron/store/document.ts';
import type { Files } from '../../electron/store/files.ts';
import { commitLines, decodeLine, encodeLine } from '../../electron/store/journal-line.ts';
import { isShut, keysShut, Secrets, type SecretBox } from '../../electron/store/secrets.ts';
import { gatewayToken } from '../../electron/store/token.ts';
import { MemoryDisk } from '../store/memory-disk.ts';
import { AT, CLAUDE, EXA, nextCommit, tool } from '../store/sample.ts';
import { fuzz, showBytes } from './fuzzing.ts';
import { broken, fileLike } from './inputs.ts';

const DIR = '/data';

/** A folder with one file of these bytes. */
async function diskWith(name: string, bytes: Buffer): Promise<Files> {
  const { files } = new MemoryDisk();
  const file = path.join(DIR, name);
  await files.makeFolder(path.dirname(file));
  const handle = await files.create(file);
  await files.write(handle, bytes as unknown as string); // the program writes texts only; this disk takes both
  await files.close(handle);
  return files;
}

/** What an action gives, or the code of the error it throws; any other error is thrown on. */
async function given<T>(action: () => T | Promise<T>): Promise<{ value: T } | { code: string }> {
  try {
    return { value: await action() };
  } catch (error) {
    if (error instanceof HoldfastError) return { code: error.code };
    throw error;
  }
}

const states = [1, 2, 5].map((times) => {
  let commit = nextCommit(emptyState());
  for (let made = 1; made < times; made++) commit = nextCommit(commit.state);
  return commit;
});
const documents = states.flatMap(({ state, lines, effects }) => [
  newDocument(state, {
    lines: commitLines(state.sequence, lines),
    effects,
    replay: null,
    telling: { recovery: null, known: [] },
  }),
  newDocument(state, {
    lines: [],
    effects: [],
    replay: { kind: 'previous', after: 0, upTo: 1, uncertain: true },
    telling: { recovery: 'empty', known: ['secrets.damaged-2026-03-04T05-06-07-000Z.json'] },
  }),
]);

/** All that is derived from a state at every start. */
function deriveAll(state: State): void {
  for (const consumer of Object.keys(state.consumers)) deriveSurface(state, consumer as ConsumerId); // its keys
  reviewItems(state);
}

describe('the state file', () => {
  const read = (bytes: Buffer): Generation =>
    readGeneration({ size: () => bytes.length, read: () => bytes } as Partial<Files> as Files, 'state.json'); // all it asks

  fuzz('of any bytes is good, damaged or newer; what is good can be used, written back and read as the same', {
    inputs: fileLike(fc.constantFrom(...documents)),
    show: showBytes,
    check: async (bytes) => {
      const found = await given(() => read(bytes));
      if ('code' in found) return expect(found.code).toBe('STORE_NEWER');
      if (found.value.kind !== 'good') return expect(found.value.kind).toBe('damaged');
      const { document } = found.value;
      expect(read(Buffer.from(encodeDocument(document)))).toEqual({ kind: 'good', document });
      deriveAll(document.state);
    },
  });
});

describe('a line of the journal', () => {
  const lines = states.flatMap(({ state, lines: given }) => commitLines(state.sequence, given));

  fuzz('of any bytes is a line or none, and a line is written back as the same', {
    inputs: fileLike(fc.constantFrom(...lines)),
    show: showBytes,
    check: (bytes) => {
      const line = decodeLine(bytes);
      if (line === undefined) return;
      expect(decodeLine(Buffer.from(encodeLine(line)))).toEqual(line);
    },
  });
});

/** A key store that cannot open what it did not seal. */
const BOX: SecretBox = {
  kind: 'system',
  seal: (text) => Buffer.from(`sealed:${text}`),
  open: (bytes) => {
    if (!bytes.toString().startsWith('sealed:')) throw new Error('not sealed here');
    return bytes.toString().slice('sealed:'.length);
  },
};

describe('the file of keys', () => {
  const values = { [EXA]: { EXA_API_KEY: 'k', B: '' }, 'srv-b': { A: '1' } };
  const box = BOX.seal(JSON.stringify(values)).toString('base64');
  const valid = fc.constantFrom<unknown>(
    values,
    { format: 2, sealed: false, values },
    { format: 2, sealed: true, box },
    { format: 2, sealed: true, box: BOX.seal('{').toString('base64') },
  );

  fuzz('of any bytes is read, locked, newer or set aside; no bytes of it are lost, and what is read can be changed', {
    inputs: fc.tuple(fileLike(valid), fc.constantFrom(BOX, null)),
    show: ([bytes, store]) => `${showBytes(bytes)} with ${store === null ? 'no' : 'a'} key store`,
    check: async ([bytes, store]) => {
      const files = await diskWith('secrets.json', bytes);
      const open = () => Secrets.open(files, DIR, AT, store);
      const content = () => files.read(path.join(DIR, 'secrets.json'));
      const found = await given(open);
      if ('code' in found) {
        expect(found.code).toBe('STORE_NEWER');
        return expect(content()).toEqual(bytes);
      }
      const { secrets, setAside } = found.value;
      if (setAside[0] !== undefined) expect(files.read(setAside[0])).toEqual(bytes);
      const before = secrets.get(EXA);
      const set = await given(() => secrets.set('srv-new' as ServerId, { KEY: 'new' })); // as the core makes them
      if (isShut(secrets.keeping)) {
        expect(set).toEqual({ code: keysShut(secrets.keeping).code });
        return expect(content()).toEqual(bytes);
      }
      expect(set).toEqual({ value: undefined });
      const again = await open();
      expect(again.setAside).toEqual([]);
      expect([again.secrets.get(EXA), again.secrets.get('srv-new' as ServerId)]).toEqual([before, { KEY: 'new' }]);
    },
  });
});

describe('a file that is named by its hash', () => {
  const definition = tool(7);
  const id = capabilityId(definition);
  const manifest = {
    format: 1 as const,
    consumer: CLAUDE,
    entries: [{ kind: 'tool' as const, name: 'tool_7', ref: `${EXA}/tool/tool_7` as never, id }],
  };
  const manifestHash = manifestId(manifest);
  const nameOf = (hash: string): string => `${hash.slice('sha256:'.length)}.json`;

  fuzz('is a definition with that id, or refused', {
    inputs: fileLike(fc.constant(definition)),
    show: showBytes,
    check: async (bytes) => {
      const files = await diskWith(nameOf(id), bytes);
      const found = await given(() => openDefinitions(files, DIR).read(id));
      if ('code' in found) return expect(found.code).toBe('STORE_CORRUPT');
      expect(capabilityId(found.value)).toBe(id);
    },
  });

  fuzz('is a manifest with that hash, or refused', {
    inputs: fileLike(fc.constant(manifest)),
    show: showBytes,
    check: async (bytes) => {
      const files = await diskWith(nameOf(manifestHash), bytes);
      const found = await given(() => openManifests(files, DIR).read(manifestHash));
      if ('code' in found) return expect(found.code).toBe('STORE_CORRUPT');
      expect(found.value).toEqual(manifest);
    },
  });
});

describe('the token', () => {
  const valid = Buffer.from('0123456789abcdef'.repeat(4));

  fuzz('is read where it is one, and made anew where it is not', {
    inputs: broken(fc.constant(valid), 2),
    show: showBytes,
    check: async (bytes) => {
      const files = await diskWith('token', bytes);
      const token = await gatewayToken(files, DIR);
      expect(token).toMatch(/^[0-9a-f]{64}$/);
      if (/^[0-9a-f]{64}$/.test(bytes.toString('latin1'))) expect(token).toBe(bytes.toString('latin1'));
      expect(await gatewayToken(files, DIR)).toBe(token);
    },
  });
});

describe('the file that says how to start the gateway', () => {
  // In memory, where there is such a folder: it is written for every input.
  const home = mkdtempSync(path.join(existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir(), 'hf-fuzz-'));
  afterAll(() => rmSync(home, { recursive: true }));
  mkdirSync(path.dirname(launchFile(home)), { recursive: true });
  const valid = { command: '/usr/bin/node', args: ['cli.cjs', 'serve'], env: { A: '1' }, trailing: ['--no-sandbox'] };

  fuzz('of any bytes is a program with texts for arguments, or nothing', {
    inputs: fileLike(fc.constant(valid)),
    show: showBytes,
    check: (bytes) => {
      writeFileSync(launchFile(home), bytes);
      const launch = readLaunch(home);
      if (launch === null) return;
      expect(launch.command).not.toBe('');
      for (const text of [launch.command, ...launch.args, ...Object.values(launch.env)])
        expect(typeof text).toBe('string');
    },
  });
});
