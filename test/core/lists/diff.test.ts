import { describe, expect, it } from 'vitest';
import { applyList, diffCatalogs, hasEntries } from '../../../electron/core/diff.ts';
import { capabilityRef } from '../../../electron/core/identity.ts';
import type {
  CapabilityId,
  CapabilityRef,
  Catalog,
  CatalogEntry,
  Context,
  Kind,
  ObservedItem,
  ServerId,
} from '../../../electron/core/model.ts';

const server = 's' as ServerId;
const HERE: Context = { era: '2025', capabilities: 'roots', launch: 'key 1', signedIn: true };
const id = (text: string): CapabilityId => `sha256:${text}` as CapabilityId;
const ref = (name: string, kind: Kind = 'tool'): CapabilityRef => capabilityRef(server, kind, name);
const item = (originKey: string, version: string): ObservedItem => ({ originKey, id: id(version), definition: {} });
const bad = (originKey: string, invalid: string): ObservedItem => ({ originKey, invalid });
const here = (version: string, context = HERE): CatalogEntry => ({ state: 'present', id: id(version), context });
const invalid = (lastId: string | null, reason: string, context = HERE): CatalogEntry => ({
  ...{ state: 'invalid', lastId: lastId === null ? null : id(lastId), reason, context },
});
type Gone = Extract<CatalogEntry, { state: 'absent' }>;
const gone = (lastId: string, why: Gone['why'] = null, context = HERE): Gone => ({
  ...{ state: 'absent', lastId: id(lastId), reason: why === null ? 'missing' : 'hidden', why, context },
});
const catalog = (entries: Record<string, CatalogEntry>): Catalog =>
  Object.fromEntries(Object.entries(entries).map(([name, entry]) => [ref(name), entry]));
const listed = (before: Catalog, items: readonly ObservedItem[], context = HERE, kind: Kind = 'tool'): Catalog =>
  applyList(before, server, kind, items, context);

describe('a complete list', () => {
  it('shows what is on it', () => {
    expect(listed({}, [item('a', '1'), bad('b', 'why')])).toEqual(catalog({ a: here('1'), b: invalid(null, 'why') }));
    expect(listed(catalog({ a: here('1') }), [item('a', '2')])).toEqual(catalog({ a: here('2') }));
  });

  it('keeps the last id of what cannot be read', () => {
    expect(listed(catalog({ a: here('1') }), [bad('a', 'why')])).toEqual(catalog({ a: invalid('1', 'why') }));
    expect(listed(catalog({ a: invalid('1', 'why') }), [bad('a', 'other')])).toEqual(
      catalog({ a: invalid('1', 'other') }),
    );
    expect(listed(catalog({ a: gone('1') }), [bad('a', 'why')])).toEqual(catalog({ a: invalid('1', 'why') }));
  });

  it('takes out what is not on it, with its last id', () => {
    expect(listed(catalog({ a: here('1'), b: here('2') }), [item('b', '2')])).toEqual(
      catalog({ a: gone('1'), b: here('2') }),
    );
    expect(listed(catalog({ a: invalid('1', 'why') }), [])).toEqual(catalog({ a: gone('1') }));
  });

  it('forgets what it never could read', () => {
    expect(listed(catalog({ a: invalid(null, 'why') }), [])).toStrictEqual({});
  });

  it('says nothing of other kinds', () => {
    const before = { ...catalog({ a: here('1') }), [ref('a', 'prompt')]: here('2') };
    expect(listed(before, [], HERE, 'prompt')).toEqual({ ...before, [ref('a', 'prompt')]: gone('2') });
  });

  it('brings back what was gone', () => {
    expect(listed(catalog({ a: gone('1') }), [item('a', '1')])).toEqual(catalog({ a: here('1') }));
  });

  it('that shows what was there leaves the same object', () => {
    for (const [entry, items] of [
      [here('1'), [item('a', '1')]],
      [invalid('1', 'why'), [bad('a', 'why')]],
      [gone('1'), []],
    ] as const) {
      const before = catalog({ a: entry });
      expect(listed(before, items)).toBe(before);
    }
  });

  it('remembers the context that last showed something', () => {
    for (const other of [
      { ...HERE, era: '2026' },
      { ...HERE, capabilities: 'none' },
      { ...HERE, launch: 'key 2' },
      { ...HERE, signedIn: false },
    ]) {
      expect(listed(catalog({ a: here('1') }), [item('a', '1')], other)).toEqual(catalog({ a: here('1', other) }));
      expect(listed(catalog({ a: invalid('1', 'x') }), [bad('a', 'x')], other)).toEqual(
        catalog({ a: invalid('1', 'x', other) }),
      );
    }
  });

  it.each<readonly [Gone['why'], Partial<Context>]>([
    ['era', { era: '2026' }],
    ['capabilities', { capabilities: 'none' }],
    ['launch', { launch: 'key 2' }],
    ['signed-in', { signedIn: false }],
    // The likeliest cause first.
    ['signed-in', { era: '2026', capabilities: 'none', launch: 'key 2', signedIn: false }],
    ['launch', { era: '2026', capabilities: 'none', launch: 'key 2' }],
    ['capabilities', { era: '2026', capabilities: 'none' }],
  ])('hides, by %s, what another context does not show', (why, more) => {
    const hidden = listed(catalog({ a: here('1') }), [], { ...HERE, ...more });
    expect(hidden).toEqual(catalog({ a: gone('1', why) }));
    // Still hidden there, and missing once the first context does not show it either.
    expect(listed(hidden, [], { ...HERE, ...more })).toBe(hidden);
    expect(listed(hidden, [])).toEqual(catalog({ a: gone('1') }));
  });

  it('leaves what is missing missing, whatever the context', () => {
    const before = catalog({ a: gone('1') });
    expect(listed(before, [], { ...HERE, launch: 'key 2' })).toBe(before);
  });
});

describe('two catalogs', () => {
  const moved = (a: CatalogEntry | undefined, b: CatalogEntry | undefined): boolean => {
    const as = (entry: CatalogEntry | undefined): Catalog => (entry === undefined ? {} : catalog({ a: entry }));
    const changes = diffCatalogs(as(a), as(b));
    if (changes.length > 0) expect(changes).toEqual([{ ref: ref('a'), before: a, after: b }]);
    return changes.length > 0;
  };
  const other = { ...HERE, launch: 'key 2' };
  const entries: (CatalogEntry | undefined)[] = [
    ...[undefined, here('1'), here('2'), gone('1'), gone('2'), gone('1', 'era'), gone('1', 'launch')],
    ...[invalid('1', 'x'), invalid('1', 'y'), invalid('2', 'x'), invalid(null, 'x')],
  ];

  it('differ wherever one shows something else', () => {
    for (const [at, a] of entries.entries())
      for (const [of, b] of entries.entries()) expect([a, b, moved(a, b)]).toEqual([a, b, at !== of]);
  });

  it('do not differ by the context alone', () => {
    expect(moved(here('1'), here('1', other))).toBe(false);
    expect(moved(gone('1'), gone('1', null, other))).toBe(false);
    expect(moved(invalid('1', 'x'), invalid('1', 'x', other))).toBe(false);
  });

  it('differ in the order of refs', () => {
    const [before, after] = [
      catalog({ c: here('1'), a: here('1'), d: here('1') }),
      catalog({ d: here('1'), b: here('1') }),
    ];
    expect(diffCatalogs(before, after).map((change) => change.ref)).toEqual([ref('a'), ref('b'), ref('c')]);
    expect(diffCatalogs(before, before)).toEqual([]);
  });

  it('hold something of a kind where it is there, even if it cannot be read', () => {
    const all = catalog({ a: gone('1') });
    expect(hasEntries(all, 'tool')).toBe(false);
    expect(hasEntries(catalog({ a: gone('1'), b: here('1') }), 'tool')).toBe(true);
    expect(hasEntries(catalog({ b: invalid(null, 'x') }), 'tool')).toBe(true);
    expect(hasEntries(catalog({ b: here('1') }), 'prompt')).toBe(false);
    expect(hasEntries({}, 'tool')).toBe(false);
  });
});
