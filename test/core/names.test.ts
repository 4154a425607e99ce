import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { capabilityRef } from '../../electron/core/identity.ts';
import { BOUNDS } from '../../electron/core/bounds.ts';
import type { CapabilityRef, Kind, Server, ServerId } from '../../electron/core/model.ts';
import { claimNames, nameKey, serverPrefix } from '../../electron/core/names.ts';
import type { NameTable } from '../../electron/core/names.ts';
import { randomFrom, shuffled } from '../vectors/schemas.ts';

const servers = Object.fromEntries(
  ['github', 'linear', 'exa'].map((prefix) => [`id-${prefix}`, { id: `id-${prefix}`, prefix } as unknown as Server]),
) as Record<ServerId, Server>;
const ref = (server: string, originKey: string, kind: Kind = 'tool'): CapabilityRef =>
  capabilityRef(`id-${server}` as ServerId, kind, originKey);
const LEGAL = /^[a-zA-Z][a-zA-Z0-9_-]*$/;

/** The names that a first commit gives, in the order of the refs; `undefined` for a conflict. */
function named(...refs: CapabilityRef[]): (string | undefined)[] {
  const { nameOf } = claimNames({}, refs, servers);
  return refs.map((each) => nameOf.get(each));
}

describe('a published name', () => {
  it('is the origin key where that is legal and free', () => {
    expect(named(ref('github', 'read_file'), ref('github', 'Read-File2'))).toEqual(['read_file', 'Read-File2']);
  });

  it('has _ for every other character', () => {
    expect(named(ref('exa', 'a.b c'), ref('exa', 'é'))).toEqual(['a_b_c', 't__']);
    expect(named(ref('exa', 'a b c'), ref('exa', 'a/b:c'))).toEqual(['a_b_c', 'exa_a_b_c']);
  });

  it('gets t_ where it does not start with a letter', () => {
    expect(named(ref('exa', '2d'), ref('exa', '_x'), ref('exa', '-x'), ref('exa', ''))).toEqual([
      't_2d',
      't__x',
      't_-x',
      't_',
    ]);
  });

  it('has 48 characters at most, and a longer one ends in six characters of its hash', () => {
    const [fits, long, other] = named(
      ref('exa', 'a'.repeat(48)),
      ref('exa', 'b'.repeat(49)),
      ref('exa', 'b'.repeat(50)),
    );
    expect(fits).toBe('a'.repeat(48));
    expect(long).toMatch(/^b{41}_[0-9a-f]{6}$/);
    expect(other).toMatch(/^b{41}_[0-9a-f]{6}$/);
    expect(long).not.toBe(other);
  });

  it('gets the prefix of its server where another server has it', () => {
    expect(named(ref('exa', 'search'), ref('github', 'search'), ref('linear', 'search'))).toEqual([
      'search',
      'github_search',
      'linear_search',
    ]);
  });

  it('is a conflict where the prefixed one is taken too', () => {
    const first = ref('exa', 'search');
    expect(named(first, ref('exa', 'github_search'), ref('github', 'search'))).toEqual([
      'search',
      'github_search',
      undefined,
    ]);
  });

  it('of a resource is its URI, and a second one with it is a conflict', () => {
    const uri = 'file:///a b.txt';
    expect(named(ref('exa', uri, 'resource'), ref('github', uri, 'resource'))).toEqual([uri, undefined]);
    expect(named(ref('exa', '{a}', 'resourceTemplate'), ref('github', '{a}', 'resourceTemplate'))).toEqual([
      '{a}',
      undefined,
    ]);
  });

  it('belongs to its kind: a tool and a prompt may share one', () => {
    expect(named(ref('exa', 'search'), ref('github', 'search', 'prompt'))).toEqual(['search', 'search']);
  });

  it('of instructions is the prefix of the server', () => {
    expect(named(ref('exa', '', 'instructions'), ref('github', '', 'instructions'))).toEqual(['exa', 'github']);
  });

  it('that is legal already goes before one that has to be made legal', () => {
    expect(named(ref('exa', 'a b'), ref('github', 'a_b'))).toEqual(['exa_a_b', 'a_b']);
  });
});

describe('the name table', () => {
  const key = fc.oneof(
    fc.constantFrom('search', 'a.b', 'a_b', 'a b', 'exa_search', 'github_search', '2d', 't_2d', '', '__proto__', 'é'),
    fc.string({ maxLength: 60 }),
  );
  const someRef = fc
    .tuple(fc.constantFrom('github', 'linear', 'exa'), key, fc.constantFrom<Kind>('tool', 'tool', 'prompt', 'resource'))
    .map(([server, originKey, kind]) => ref(server, originKey, kind));
  const refs = fc.uniqueArray(someRef, { maxLength: 12 });

  it('does not depend on the order in which refs are given', () => {
    fc.assert(
      fc.property(refs, fc.integer(), (list, seed) => {
        const other = claimNames({}, shuffled(list, randomFrom(seed)), servers).table;
        expect(other).toEqual(claimNames({}, list, servers).table);
      }),
    );
  });

  it('never renames, and never gives a name to another ref', () => {
    fc.assert(
      fc.property(refs, refs, (first, later) => {
        const before = claimNames({}, first, servers);
        const after = claimNames(before.table, later, servers);
        for (const [name, owner] of Object.entries(before.table)) expect(after.table[name]).toBe(owner);
        for (const [owner, name] of before.nameOf) expect(after.nameOf.get(owner)).toBe(name);
      }),
    );
  });

  it('holds each ref once, under a legal name that is not too long', () => {
    fc.assert(
      fc.property(refs, (list) => {
        const { table, nameOf } = claimNames({}, list, servers);
        expect(new Set(Object.values(table)).size).toBe(Object.keys(table).length);
        for (const [owner, name] of nameOf) {
          const kind = owner.split('/')[1] as Kind;
          expect(table[nameKey(kind, name)]).toBe(owner);
          if (kind === 'resource') continue;
          expect(name).toMatch(LEGAL);
          expect(name.length).toBeLessThanOrEqual(BOUNDS.publishedName.value);
        }
      }),
    );
  });

  it('keeps a name for a ref that is gone for now', () => {
    const search = ref('exa', 'search');
    const { table } = claimNames({}, [search], servers);
    const later = claimNames(table, [ref('github', 'search')], servers);
    expect(later.nameOf.get(ref('github', 'search'))).toBe('github_search');
    expect(later.table[nameKey('tool', 'search')]).toBe(search);
  });

  it('does not promote a ref in conflict', () => {
    const uri = 'file:///a';
    const { table } = claimNames({}, [ref('exa', uri, 'resource')], servers);
    const waiting = ref('github', uri, 'resource');
    expect(claimNames(table, [waiting], servers).nameOf.get(waiting)).toBeUndefined();
  });

  it('stays the same object where nothing is claimed', () => {
    const table: NameTable = claimNames({}, [ref('exa', 'search')], servers).table;
    expect(claimNames(table, [ref('exa', 'search')], servers).table).toBe(table);
  });
});

describe('the prefix of a server', () => {
  const id = 'server-1' as ServerId;
  const prefix = (name: string, ...taken: string[]): string => serverPrefix(name, id, taken);

  it('is the ASCII slug of its label', () => {
    expect(prefix('GitHub')).toBe('github');
    expect(prefix('  My  Server! (v2) ')).toBe('my-server-v2');
    expect(prefix('3D tools')).toBe('d-tools');
  });

  it('has 16 characters at most and does not end in a hyphen', () => {
    expect(prefix('abcdefghijklmnopqrstuvwxyz')).toBe('abcdefghijklmnop');
    expect(prefix('abcdefghijklmno pqr')).toBe('abcdefghijklmno');
  });

  it('is s and four characters of a hash where there is no slug or another server has it', () => {
    for (const made of [prefix(''), prefix('123'), prefix('资料库'), prefix('Café'), prefix('GitHub', 'github')])
      expect(made).toMatch(/^s[0-9a-f]{4}$/);
    expect(serverPrefix('', 'server-2' as ServerId, [])).not.toBe(prefix(''));
  });

  it('keeps prefixed names legal, whatever the label', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(prefix(name)).toMatch(/^[a-z][a-z0-9-]{0,15}$/);
      }),
    );
  });
});
