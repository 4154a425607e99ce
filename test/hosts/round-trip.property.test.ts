import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectHost, disconnectHost } from '../../electron/hosts/config-file.ts';
import { STRICT_JSON } from '../../electron/hosts/json-dialects.ts';
import type { JsonObject } from '../../electron/hosts/json-value.ts';
import { undoInserts } from '../../electron/hosts/splice.ts';

type Json = string | number | boolean | null | Json[] | JsonMembers;
interface JsonMembers {
  members: [string, Json][];
}

interface Style {
  eol: string;
  unit: string;
  colon: string;
  comma: string;
  pad: string;
  oneLineBelow: number;
  head: string;
  tail: string;
}

const OWNER = 'gw-prop';
const PLACE = { section: 'mcpServers', owner: OWNER };
const ENTRY = { command: '/b', args: ['--owner', OWNER], env: { A: 'ü "x"\n' } };

const removeEntry = STRICT_JSON.remove;
function addEntry(before: string, place: typeof PLACE, name: string, value: JsonObject) {
  return STRICT_JSON.add(before, place, name, { always: value, atFirst: {} });
}

const key = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('__proto__', 'constructor', 'a.b', 'holdfast', 'holdfast-2', 'mcpServers', 'café'),
  },
);
const scalar = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom(1.5, 0, -0, 1e300, 12345678901234567000),
  fc.boolean(),
  fc.constant(null),
);
const objectOf = (value: fc.Arbitrary<Json>, maxLength: number): fc.Arbitrary<JsonMembers> =>
  fc.uniqueArray(fc.tuple(key, value), { maxLength, selector: ([name]) => name }).map((members) => ({ members }));
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, fc.array(tie('value'), { maxLength: 3 }), objectOf(tie('value'), 3)),
}));

const blank = fc.constantFrom('', ' ', '\n', '\r\n\r\n', '\t');
const style: fc.Arbitrary<Style> = fc.record({
  eol: fc.constantFrom('\n', '\r\n', '\r', '\n\n'),
  unit: fc.constantFrom('  ', '    ', '\t', ''),
  colon: fc.constantFrom(': ', ':', ' : ', ':\n'),
  comma: fc.constantFrom(', ', ',', ' ,'),
  pad: fc.constantFrom('', ' '),
  oneLineBelow: fc.constantFrom(0, 1, 2, 3, 9),
  head: blank,
  tail: blank,
});

/** A settings document: with, without, with an empty, or with a null section of servers. */
const document = fc
  .tuple(objectOf(value, 4), fc.option(fc.oneof(objectOf(value, 4), fc.constant(null)), { nil: undefined }), fc.nat(4))
  .map(([settings, section, at]): JsonMembers => {
    const members = settings.members.filter(([name]) => name !== 'mcpServers');
    if (section !== undefined) members.splice(at, 0, ['mcpServers', section]);
    return { members };
  });
const text = fc.tuple(document, style).map(([root, look]) => look.head + print(root, look, 0) + look.tail);

function print(json: Json, look: Style, depth: number): string {
  if (Array.isArray(json))
    return printItems(
      '[',
      ']',
      json.map((item) => print(item, look, depth + 1)),
      look,
      depth,
    );
  if (typeof json !== 'object' || json === null) return spelled(json);
  const items = json.members.map(([name, item]) => spelled(name) + look.colon + print(item, look, depth + 1));
  return printItems('{', '}', items, look, depth);
}

function printItems(open: string, close: string, items: string[], look: Style, depth: number): string {
  if (items.length === 0) return open + look.pad + close;
  if (depth >= look.oneLineBelow) return open + look.pad + items.join(look.comma) + look.pad + close;
  const line = look.eol + look.unit.repeat(depth + 1);
  return open + line + items.join(`,${line}`) + look.eol + look.unit.repeat(depth) + close;
}

// Spellings that a parser would not give back: \u escapes, \/, an exponent.
function spelled(json: string | number | boolean | null): string {
  if (typeof json === 'number') return json === 1.5 ? '1.50e0' : Object.is(json, -0) ? '-0.00' : String(json);
  return JSON.stringify(json)
    .replace(/[\u0080-\uffff]/g, escaped)
    .replaceAll('/', '\\/');
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Everything but our entry, as ordered lists. */
function others(source: string): unknown {
  const root = JSON.parse(source);
  const settings = Object.entries(root).filter(([name]) => name !== 'mcpServers');
  const servers = Object.entries(root.mcpServers ?? {});
  return [settings, servers.filter(([, entry]) => JSON.stringify(entry) !== JSON.stringify(ENTRY))];
}

describe('any document in any style', () => {
  it('gets our entry, keeps everything else, and the edit can be undone exactly', () => {
    fc.assert(
      fc.property(text, (before) => {
        const added = addEntry(before, PLACE, 'holdfast', ENTRY);
        expect(JSON.parse(added.text).mcpServers[added.name]).toEqual(ENTRY);
        expect(others(added.text)).toEqual(others(before));
        expect(undoInserts(added.text, added.inserts)).toBe(before);
        expect(addEntry(added.text, PLACE, 'holdfast', ENTRY).inserts).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it('loses only our entry when it is cut without a record', () => {
    fc.assert(
      fc.property(text, (before) => {
        const added = addEntry(before, PLACE, 'holdfast', ENTRY);
        const removed = removeEntry(added.text, PLACE, { dropEmptySection: added.createdSection });
        expect(removed.name).toBe(added.name);
        expect(others(removed.text)).toEqual(others(before));
        expect('mcpServers' in JSON.parse(removed.text)).toBe('mcpServers' in JSON.parse(before));
      }),
      { numRuns: 1000 },
    );
  });

  it('takes an update that touches nothing but our entry', () => {
    fc.assert(
      fc.property(text, fc.string(), (before, command) => {
        const added = addEntry(before, PLACE, 'holdfast', ENTRY);
        const wanted = { ...ENTRY, command, args: [...ENTRY.args, command], env: { ...ENTRY.env, B: command } };
        const updated = addEntry(added.text, PLACE, 'holdfast', wanted);
        expect(JSON.parse(updated.text).mcpServers[added.name]).toEqual(wanted);
        expect(undoInserts(updated.text, updated.inserts)).toBe(added.text);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('any file', () => {
  let root = '';
  beforeAll(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-round-trip-'));
  });
  afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

  it('is the same, byte for byte, after connecting, updating and disconnecting', () => {
    const file = path.join(root, 'claude_desktop_config.json');
    const folders = { backupsDir: path.join(root, 'backups'), recordsDir: path.join(root, 'records') };
    const request = { hostId: 'claude-desktop', file, owner: OWNER, now: '2026-11-30T00:00:00.000Z', ...folders };
    fc.assert(
      fc.property(text, fc.boolean(), fc.boolean(), (before, hasBom, isUpdated) => {
        const bytes = Buffer.from((hasBom ? '\uFEFF' : '') + before, 'utf8');
        fs.writeFileSync(file, bytes);
        connectHost({ ...request, entryName: 'holdfast', entry: ENTRY });
        expect(others(fs.readFileSync(file, 'utf8'))).toEqual(others(before));
        if (isUpdated) connectHost({ ...request, entryName: 'holdfast', entry: { ...ENTRY, command: '/c' } });
        expect(disconnectHost(request).changed).toBe(true);
        expect(fs.readFileSync(file).equals(bytes)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
});
