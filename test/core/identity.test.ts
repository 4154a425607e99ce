import { describe, expect, it } from 'vitest';
import { canonicalText, NotCanonical } from '../../electron/core/canonical.ts';
import {
  capabilityId,
  capabilityRef,
  effectiveRecord,
  manifestId,
  parseRef,
  reviewId,
} from '../../electron/core/identity.ts';
import { KINDS } from '../../electron/core/model.ts';
import type {
  CapabilityId,
  ConsumerId,
  Json,
  JsonObject,
  Route,
  ServerId,
  StoredDefinition,
  SurfaceManifest,
} from '../../electron/core/model.ts';
import { invalidIn, storedIn, vectorFiles } from '../vectors/vectors.ts';

const server = 'server-1' as ServerId;
const stored = (definition: JsonObject): StoredDefinition => ({
  serverId: server,
  kind: 'tool',
  originKey: 'example',
  route: 'npm:example' as Route,
  definition,
});

const definitionFiles = [...vectorFiles].filter(([name]) => name !== 'launch.json');

describe.each(definitionFiles)('the vectors of %s', (_name, file) => {
  it.each(file.vectors ?? [])('hash as written down: $name', (vector) => {
    expect(canonicalText(effectiveRecord(vector.stored))).toBe(vector.canonical);
    expect(capabilityId(vector.stored)).toBe(vector.id);
  });

  it.each(file.same ?? [])('have one id under rule $rule: $name', (group) => {
    const ids = storedIn(file, group).map(capabilityId);
    expect(ids).toEqual(ids.map(() => ids[0]));
  });

  it.each(file.different ?? [])('have ids of their own under rule $rule: $name', (group) => {
    const all = storedIn(file, group);
    const byId = new Map(all.map((each) => [capabilityId(each), JSON.stringify(each.definition)]));
    const doubles = all.filter((each) => byId.get(capabilityId(each)) !== JSON.stringify(each.definition));
    expect(doubles.map((each) => each.definition)).toEqual([]);
    expect(byId.size).toBe(all.length);
  });

  it.each(invalidIn(file))('have no id: $name', ({ stored: invalid }) => {
    expect(() => capabilityId(invalid)).toThrow(NotCanonical);
  });
});

describe('the files of vectors', () => {
  const vectors = [...vectorFiles.values()].flatMap((file) => file.vectors ?? []);

  it('hold no two vectors with the same id', () => {
    expect(new Set(vectors.map(({ id }) => id)).size).toBe(vectors.length);
  });

  it('name each vector and each group once', () => {
    const names = [...vectorFiles.values()].flatMap((file) =>
      [file.vectors, file.same, file.different, file.invalid, file.launch].flatMap((list) =>
        (list ?? []).map(({ name }) => name),
      ),
    );
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});

describe('the bounds of a definition', () => {
  const nested = (levels: number, inner: Json): Json => {
    let value = inner;
    for (let level = 0; level < levels; level += 1) value = { a: value };
    return value;
  };
  const invalid = (definition: JsonObject) => expect(() => capabilityId(stored(definition))).toThrow(NotCanonical);
  const valid = (definition: JsonObject) => expect(capabilityId(stored(definition))).toMatch(/^sha256:[0-9a-f]{64}$/);

  it('a value lies at most 100 levels below the definition', () => {
    valid({ name: 'example', _meta: nested(99, 1) });
    invalid({ name: 'example', _meta: nested(100, 1) });
  });

  it('a definition has at most 100,000 values, itself included', () => {
    valid({ list: Array.from({ length: 99_998 }, () => 0) });
    invalid({ list: Array.from({ length: 99_999 }, () => 0) });
  });

  it('depth far beyond the bound does not overflow the stack', () => {
    invalid({ name: 'example', _meta: nested(50_000, 1) });
  });

  it('what no JSON text can say has no id either', () => {
    for (const number of [NaN, Infinity, -Infinity]) invalid({ name: 'example', _meta: { number } });
  });

  it('a lone surrogate in the origin key or the launch identity has no id', () => {
    const good = stored({ name: 'example' });
    expect(() => capabilityId({ ...good, originKey: '\ud800' })).toThrow(NotCanonical);
    expect(() => capabilityId({ ...good, route: 'npm:\udfff' as Route })).toThrow(NotCanonical);
  });
});

describe('an id', () => {
  it('covers the server, the kind, the origin key and the launch identity', () => {
    const good = stored({ name: 'example' });
    const others: StoredDefinition[] = [
      good,
      { ...good, serverId: 'server-2' as ServerId },
      { ...good, kind: 'prompt' },
      { ...good, originKey: 'Example' },
      { ...good, route: 'npm:example2' as Route },
    ];
    expect(new Set(others.map(capabilityId)).size).toBe(others.length);
  });

  it('leaves the definition as it was', () => {
    const definition = {
      name: 'example',
      inputSchema: { required: ['b', 'a'], $defs: {}, additionalProperties: true },
    };
    const before = JSON.stringify(definition);
    capabilityId(stored(definition));
    expect(JSON.stringify(definition)).toBe(before);
  });
});

describe('a ref', () => {
  it.each(KINDS)('gives back its parts, whatever the origin key holds: %s', (kind) => {
    for (const originKey of ['', '/', 'a/b', 'file:///a/b', '//', '__proto__', '\u0000'])
      expect(parseRef(capabilityRef(server, kind, originKey))).toEqual({ server, kind, originKey });
  });
});

describe('the id of a manifest', () => {
  const entry = {
    kind: 'tool',
    name: 'a',
    ref: capabilityRef(server, 'tool', 'a'),
    id: 'sha256:1' as CapabilityId,
  } as const;
  const manifest: SurfaceManifest = { format: 1, consumer: 'app-1' as ConsumerId, entries: [entry] };

  it('is the hash of its RFC 8785 text', () => {
    // printf '%s' '{"consumer":"app-1","entries":[],"format":1}' | sha256sum
    expect(manifestId({ ...manifest, entries: [] })).toBe(
      'sha256:8725b6b94a5797fa891edb34ca52f05a1757c8bc64bbd2d1e1cc19cf81b2bf41',
    );
  });

  it('covers the app and every entry', () => {
    const others: SurfaceManifest[] = [
      manifest,
      { ...manifest, consumer: 'app-2' as ConsumerId },
      { ...manifest, entries: [] },
      { ...manifest, entries: [{ ...entry, name: 'b' }] },
      { ...manifest, entries: [{ ...entry, id: 'sha256:2' as CapabilityId }] },
    ];
    expect(new Set(others.map(manifestId)).size).toBe(others.length);
  });
});

describe('the id of a review', () => {
  const app = 'app-1' as ConsumerId;
  const [ref, id] = [capabilityRef(server, 'tool', 'a'), 'sha256:1' as CapabilityId];

  it('is the same for ever for one app, ref and definition, and another for each other', () => {
    const reviews = [
      reviewId(app, ref, id),
      reviewId('app-2' as ConsumerId, ref, id),
      reviewId(app, capabilityRef(server, 'tool', 'b'), id),
      reviewId(app, ref, 'sha256:2' as CapabilityId),
    ];
    expect(reviewId(app, ref, id)).toBe(reviews[0]);
    expect(new Set(reviews).size).toBe(reviews.length);
  });

  it('is short, and can stand in an address', () => {
    expect(reviewId(app, ref, id)).toMatch(/^rev-[0-9a-f]{16}$/);
  });
});
