import { describe, expect, it } from 'vitest';
import { asHoldfastError } from '../../electron/core/errors.ts';
import type { JsonObject } from '../../electron/core/model.ts';
import { errorWords } from '../../electron/core/error-sentences.ts';
import { fingerprintOf, isWhole, wholeFingerprint, type Contract } from '../../electron/publish/contract.ts';
import { visibleJson } from '../../electron/publish/plain-json.ts';
import { looksLikeContract, readContract } from '../../electron/publish/read-contract.ts';
import { contract, PROGRAM, tool, type Listed } from './samples-of-contracts.ts';

const read = (text: string | Buffer): Contract => readContract('a.json', Buffer.from(text));

/** Code and reason of the refusal. */
function refused(text: string | Buffer): string {
  try {
    read(text);
  } catch (thrown) {
    const { code, details } = asHoldfastError(thrown);
    return `${code}: ${String(details['reason'] ?? details['found'])}`;
  }
  return 'taken';
}

const instructions: Listed = { kind: 'instructions', originKey: '', definition: { instructions: 'Be brief.' } };

describe('a snapshot', () => {
  it('has the same bytes for the same definitions, in whatever order they and their members come', () => {
    const [a, b] = [tool('a', { annotations: { readOnlyHint: true, title: 'A' } }), tool('b')];
    const turned = { ...a, definition: Object.fromEntries(Object.entries(a.definition).reverse()) };
    expect(visibleJson(contract([b, turned]))).toBe(visibleJson(contract([a, b])));
  });

  it('has another fingerprint for another definition, and the same for one that is only spelled differently', () => {
    const plain = contract([tool('a')]);
    const spelled = contract([tool('a', { annotations: { readOnlyHint: false } })]);
    const other = contract([tool('a', { annotations: { readOnlyHint: true } })]);
    expect(spelled.fingerprint).toBe(plain.fingerprint);
    expect(spelled.capabilities).not.toEqual(plain.capabilities);
    expect(other.fingerprint).not.toBe(plain.fingerprint);
  });

  it('has fingerprints that no launch changes', () => {
    const elsewhere = contract([tool('a')], { program: { command: 'uvx', args: ['demo@2'], env: { A: 'bcdefgh' } } });
    expect(elsewhere.fingerprint).toBe(contract([tool('a')]).fingerprint);
    expect(elsewhere.server.launch).toEqual({ route: 'pypi:demo', command: 'uvx', args: ['demo@2'], env: ['A'] });
  });

  it('holds instructions as a capability', () => {
    expect(contract([instructions]).capabilities).toMatchObject([
      { kind: 'instructions', originKey: '', definition: { instructions: 'Be brief.' } },
    ]);
  });

  it('says of a list that was not read whole that it was not, and is never taken for a whole one', () => {
    const whole = contract([tool('a')]);
    const part = contract([tool('a')], {
      outcomes: { prompt: { status: 'incomplete', reason: 'it broke off', count: 3 } },
    });
    expect(part.kinds.prompt).toEqual({ status: 'incomplete', count: 3, reason: 'it broke off' });
    expect([isWhole(whole), isWhole(part)]).toEqual([true, false]);
    expect(part.fingerprint).not.toBe(whole.fingerprint);
  });

  it('names an entry that no app could use beside the capabilities, and is not whole', () => {
    const outcomes = {
      tool: { status: 'complete', items: [{ originKey: 'bad', invalid: 'it is malformed' }] },
    } as const;
    const found = contract([], { outcomes });
    expect(found.invalid).toEqual([{ kind: 'tool', originKey: 'bad', reason: 'it is malformed' }]);
    expect(found.kinds.tool).toEqual({ status: 'complete', count: 1 });
    expect(isWhole(found)).toBe(false);
    expect(read(visibleJson(found))).toEqual(found);
  });

  it('shows what hides: invisible characters are written as numbers', () => {
    const text = visibleJson(contract([tool('a', { description: 'x\u202ey\u200bz\u{e0041}\u00a0' })]));
    expect(text).toContain('x\\u202ey\\u200bz\\udb40\\udc41\\u00a0');
    expect(read(text).capabilities[0]?.definition['description']).toBe('x\u202ey\u200bz\u{e0041}\u00a0');
  });
});

describe('keys that were given to a server', () => {
  const secret = 'k3y-of-the-server-0123456789';
  const program = {
    command: 'node',
    args: ['s.js', '--token', 'given-on-the-line', '--api-key=abcdefgh1'],
    env: { KEY: secret },
  };

  it('are nowhere in its snapshot, wherever the server repeats them', () => {
    const listed = [
      tool(`with_${secret}`, {
        description: `my key is ${secret}`,
        _meta: { [secret]: [secret, 'given-on-the-line'] },
      }),
      { ...instructions, definition: { instructions: `abcdefgh1 and ${Buffer.from(secret).toString('base64')}` } },
    ];
    const outcomes = { prompt: { status: 'failed', reason: `bad key ${secret}` } } as const;
    const text = visibleJson(contract(listed, { program, outcomes }));
    expect(text).toContain('with_•••(KEY)');
    for (const each of [secret, 'given-on-the-line', 'abcdefgh1', Buffer.from(secret).toString('base64')])
      expect(text).not.toContain(each);
    expect(JSON.parse(text)).toMatchObject({
      server: { launch: { args: ['s.js', '--token', '•••', '--api-key=•••'], env: ['KEY'] } },
    });
  });

  it('do not make two capabilities one', () => {
    const program2 = { ...PROGRAM, env: { A: 'first-secret', B: 'second-secret' } };
    const found = contract([tool('x-first-secret'), tool('x-second-secret')], { program: program2 });
    expect(found.capabilities.map(({ originKey }) => originKey)).toEqual(['x-•••(A)', 'x-•••(B)']);
    const members = contract([tool('a', { _meta: { 'first-secret': 1, 'second-secret': 2 } })], { program: program2 });
    expect(members.capabilities[0]?.definition['_meta']).toEqual({ '•••(A)': 1, '•••(B)': 2 });
    expect([isWhole(found), isWhole(members)]).toEqual([true, true]);
  });

  it('are the same in the snapshots of two people with keys of their own', () => {
    const own = (value: string) => {
      const listed = [tool(`b-${value}`, { description: `uses ${value}` })];
      return contract(listed, { program: { ...PROGRAM, env: { KEY: value } } });
    };
    expect(own('the-key-of-one').fingerprint).toBe(own('what-the-other-has').fingerprint);
  });
});

/** A snapshot of tools, as somebody may edit it. */
interface Editable {
  format: number;
  later?: number;
  fingerprint: string;
  kinds: { -readonly [kind in keyof Contract['kinds']]?: Contract['kinds'][kind] };
  invalid: Contract['invalid'];
  capabilities: (Contract['capabilities'][number] & { fingerprint: string; definition: Record<string, unknown> })[];
}

describe('reading a snapshot', () => {
  const good = contract([tool('a'), tool('b'), instructions]);
  const text = visibleJson(good);
  /** The document with something else in it. */
  const edited = (edit: (document: Editable) => void): string => {
    const document = JSON.parse(text) as Editable; // written above
    edit(document);
    return JSON.stringify(document);
  };
  /** Each fingerprint is made right again, as someone who knows how would. */
  const forged = (edit: (document: Editable) => void): string =>
    edited((document) => {
      edit(document);
      for (const each of document.capabilities) each.fingerprint = fingerprintOf(each);
      document.fingerprint = wholeFingerprint({ ...document, kinds: good.kinds });
    });

  it('gives back what was written, and takes members that it does not know', () => {
    expect(read(text)).toEqual(good);
    expect(read(`\uFEFF${text}`)).toEqual(good);
    expect(read(edited((d) => (d.later = 1)))).toEqual(good);
  });

  it.each<[what: string, text: string | Buffer, reason: string]>([
    ['what is no JSON', 'no', 'SNAPSHOT_UNREADABLE: it is not JSON'],
    ['an empty file', '', 'SNAPSHOT_UNREADABLE: it is not JSON'],
    ['what is no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'SNAPSHOT_UNREADABLE: it is not JSON'],
    ['a list', '[]', 'SNAPSHOT_UNREADABLE: it is no snapshot'],
    ['another document', '{"format":"x"}', 'SNAPSHOT_UNREADABLE: it is no snapshot'],
    ['a later format', edited((d) => (d.format = 2)), 'SNAPSHOT_NEWER: 2'],
    [
      'a missing part',
      edited((d) => delete d.kinds['tool']),
      'SNAPSHOT_UNREADABLE: its “kinds.tool” is missing or malformed',
    ],
    ['a million brackets', '['.repeat(1_000_000), 'SNAPSHOT_UNREADABLE: it is nested too deep'],
    [
      'a changed definition',
      edited((d) => (d.capabilities[0]!.definition['description'] = 'harmless')),
      'SNAPSHOT_UNREADABLE: the fingerprint of tool “a” is not that of its definition',
    ],
    [
      'a changed fingerprint',
      edited((d) => (d.fingerprint = `sha256:${'0'.repeat(64)}`)),
      'SNAPSHOT_UNREADABLE: its fingerprint is not that of what is in it',
    ],
    [
      'a list that says it is whole now',
      edited((d) => (d.kinds['prompt'] = { status: 'complete', count: 1 })),
      'SNAPSHOT_UNREADABLE: it does not have as many entries of the kind prompt as it says',
    ],
    [
      'an entry that was taken out',
      edited((d) => d.capabilities.splice(0, 1)),
      'SNAPSHOT_UNREADABLE: it does not have as many entries of the kind tool as it says',
    ],
    [
      'an entry twice',
      forged((d) => d.capabilities.splice(0, 0, d.capabilities[0]!)),
      'SNAPSHOT_UNREADABLE: tool “a” is in it twice, or not in its place',
    ],
    [
      'entries out of order',
      forged((d) => d.capabilities.splice(0, 2, d.capabilities[1]!, d.capabilities[0]!)),
      'SNAPSHOT_UNREADABLE: tool “a” is in it twice, or not in its place',
    ],
    [
      'a definition under another name',
      forged((d) => (d.capabilities[0]!.definition['name'] = 'z')),
      'SNAPSHOT_UNREADABLE: the definition of tool “a” has another name',
    ],
    [
      'a number that no two programs read alike',
      edited((d) => (d.capabilities[0]!.definition['_meta'] = { n: 2 ** 60 })),
      'SNAPSHOT_UNREADABLE: the definition of tool “a” cannot be used: a number beyond 2^53',
    ],
  ])('refuses %s', (_, given, reason) => {
    expect(refused(given)).toBe(reason);
  });

  it('refuses a definition that is deeper than any that is hashed', () => {
    const deep = edited((d) => {
      let deep: JsonObject = {};
      for (let depth = 0; depth < 200; depth++) deep = { deep };
      d.capabilities[0]!.definition['_meta'] = deep;
    });
    expect(refused(deep)).toMatch(/^SNAPSHOT_UNREADABLE: the definition of tool “a” cannot be used: .+deeper/);
  });

  it('keeps members with names that mean something to JavaScript', () => {
    const definition = JSON.parse('{"name":"a","inputSchema":{"type":"object"},"__proto__":{"x":1},"constructor":2}');
    const odd = contract([{ kind: 'tool', originKey: 'a', definition }]);
    expect(visibleJson(odd)).toContain('"__proto__": {');
    expect(visibleJson(read(visibleJson(odd)))).toBe(visibleJson(odd));
  });

  it('tells a snapshot, damaged or not, from anything else', () => {
    expect(looksLikeContract(Buffer.from(text))).toBe(true);
    expect(looksLikeContract(Buffer.from(edited((d) => d.capabilities.pop())))).toBe(true);
    for (const other of ['', 'hello', '{}', '{"format":1}', '['.repeat(100_000)])
      expect(looksLikeContract(Buffer.from(other))).toBe(false);
  });

  it('says what to do in both languages', () => {
    for (const language of ['en', 'zh-CN'] as const) {
      try {
        read('no');
      } catch (thrown) {
        const { message, next } = errorWords(asHoldfastError(thrown), language);
        expect(message).toContain('a.json');
        expect(next).toContain('holdfast snapshot');
      }
    }
  });
});
