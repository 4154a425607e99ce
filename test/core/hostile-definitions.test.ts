import { describe, expect, it } from 'vitest';
import { BOUNDS } from '../../electron/core/bounds.ts';
import { classify } from '../../electron/core/classify/classify.ts';
import { capabilityId, capabilityRef, effectiveRecord } from '../../electron/core/identity.ts';
import type { CapabilityRef, Json, JsonObject, Route, Server, ServerId, State } from '../../electron/core/model.ts';
import { claimNames, serverPrefix } from '../../electron/core/names.ts';
import { inspectWith, listOutcome } from '../../electron/core/observe.ts';
import { reduce } from '../../electron/core/reduce.ts';
import { schemaNormalForm } from '../../electron/core/schema-form.ts';
import { emptyState } from '../../electron/core/state.ts';
import { templateMatcher } from '../../electron/gateway/uri-template.ts';

const SERVER = 'srv' as ServerId;
const ROUTE = 'npm:x' as Route;
const inspect = inspectWith((kind, originKey, definition) =>
  capabilityId({ serverId: SERVER, kind, originKey, route: ROUTE, definition }),
);
const good: JsonObject = { name: 'good', inputSchema: { type: 'object' } };
const toolWith = (inputSchema: JsonObject, more: JsonObject = {}): JsonObject => ({
  name: 'bad',
  inputSchema: { type: 'object', ...inputSchema },
  ...more,
});
/** As it comes over the wire. */
const parsed = (text: string): JsonObject => JSON.parse(text) as JsonObject;

/** What a list of this entry and a good one amounts to: the verdict on each. */
function verdicts(entry: Json): Record<string, string> {
  const answer = { type: 'result', result: { tools: [entry, good] } } as const;
  const outcome = listOutcome('tool', true, [answer], inspect);
  if (outcome.status !== 'complete')
    return { status: outcome.status, reason: 'reason' in outcome ? outcome.reason : '' };
  return Object.fromEntries(outcome.items.map((item) => [item.originKey, 'id' in item ? 'id' : item.invalid]));
}

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const mapOf = (count: number, of: (i: number) => Json, name = 'p'): JsonObject =>
  Object.fromEntries(range(count).map((i) => [`${name}${i}`, of(i)]));
const nested = (levels: number, inner: Json = {}): JsonObject =>
  range(levels).reduce<JsonObject>((node) => ({ not: node }), inner as JsonObject);
const to = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });
const both = (name: string): JsonObject => ({ allOf: [to(name), { title: 'x', ...to(name) }] });
/** Each definition stands for two of the next. */
const laughs = (levels: number): JsonObject => ({
  properties: { a: to('p0') },
  $defs: mapOf(levels, (i) => (i === levels - 1 ? { type: 'string' } : { allOf: [to(`p${i + 1}`), to(`p${i + 1}`)] })),
});

describe('a hostile definition that has an id', () => {
  const schemas: [string, JsonObject][] = [
    ['refers to itself', { properties: { a: { $ref: '#' } } }],
    ['refers to itself through one', { properties: { a: to('x') }, $defs: { x: to('x') } }],
    ['refers in a circle of two', { properties: { a: to('x') }, $defs: { x: both('y'), y: both('x') } }],
    [
      'refers in a circle of 1,000',
      { properties: { a: to('p0') }, $defs: mapOf(1_000, (i) => ({ items: to(`p${(i + 1) % 1_000}`) })) },
    ],
    ['doubles 30 times', laughs(30)],
    ['doubles 180 times', laughs(180)],
    [
      'stands for a large set 2,000 times',
      { properties: mapOf(1_900, () => to('x')), $defs: { x: { enum: range(40_000) } } },
    ],
    [
      'stands for a long text 2,000 times',
      { properties: mapOf(1_900, () => to('x')), $defs: { x: { description: 'd'.repeat(900_000) } } },
    ],
    [
      'stands for unknown words 2,000 times',
      { properties: mapOf(1_900, () => to('x')), $defs: { x: mapOf(40_000, () => 1, 'w') } },
    ],
    [
      'refers to all of its depths',
      {
        ...nested(90, { description: 'd'.repeat(900_000) }),
        allOf: range(90).map((i) => ({ $ref: `#${'/not'.repeat(i + 1)}` })),
      },
    ],
    [
      'refers by a long name',
      { properties: mapOf(1_000, () => to('n'.repeat(800))), $defs: { ['n'.repeat(800)]: {} } },
    ],
    ['refers to a place that is not there', { properties: { a: { $ref: '#/nowhere/%E0%A4%A' } } }],
    ['has 10,000 properties', { properties: mapOf(10_000, (i) => ({ type: 'string', title: `${i}` })) }],
    [
      'requires 10,000 properties',
      { properties: mapOf(10_000, () => ({})), required: range(10_000).map((i) => `p${i}`) },
    ],
    ['has 10,000 values to choose from', { properties: { a: { enum: range(10_000).map((i) => `v${i}`) } } }],
    [
      'nests optional parts 48 deep',
      range(48).reduce<JsonObject>((s) => ({ anyOf: [s, { type: 'null' }] }), { enum: range(20_000) }),
    ],
    [
      'has names of all objects',
      parsed('{"properties":{"__proto__":{"type":"string"},"constructor":{},"toString":{}},"required":["__proto__"]}'),
    ],
  ];

  it.each(schemas)('that %s ends, always with the same one, and the rest of the list counts', (_, schema) => {
    const entry = toolWith(schema);
    expect(verdicts(entry)).toEqual({ bad: 'id', good: 'id' });
    expect(inspect('tool', 'bad', parsed(JSON.stringify(entry)))).toEqual(inspect('tool', 'bad', entry));
  });

  it.each(schemas)('that %s is not made much larger for hashing', (_, schema) => {
    const size = JSON.stringify(schema).length;
    const form = JSON.stringify(schemaNormalForm({ type: 'object', ...schema }));
    expect(form.length).toBeLessThan(size + 2 * BOUNDS.inlinedLength.value + BOUNDS.referencedLength.value);
  });

  it('keeps two apart that differ only far down', () => {
    const deep = (word: string): JsonObject => toolWith(nested(90, { description: word }));
    expect(inspect('tool', 'bad', deep('a'))).not.toEqual(inspect('tool', 'bad', deep('b')));
  });

  it('takes the last of two equal keys, as every reader does', () => {
    const twice = parsed('{"name":"x","name":"bad","inputSchema":{"type":"array","type":"object"}}');
    expect(inspect('tool', 'bad', twice)).toEqual(inspect('tool', 'bad', toolWith({})));
  });

  it('never has the patterns in it carried out', () => {
    // Each of these takes longer than the age of the world on its own text, or is no pattern at all.
    const patterns = ['(a+)+$', '(a|aa)+$', '^(([a-z])+.)+[A-Z]([a-z])+$', '(', '[z-a]', '(?<n>a)(?<n>b)'];
    const texts = [...patterns, `${'a'.repeat(5_000)}!`];
    const properties = mapOf(patterns.length, (i) => ({
      pattern: patterns[i]!,
      examples: texts,
      const: texts.at(-1)!,
    }));
    const entry = toolWith({ properties, patternProperties: Object.fromEntries(patterns.map((each) => [each, {}])) });
    const made: unknown[] = [];
    const real = globalThis.RegExp;
    globalThis.RegExp = new Proxy(real, {
      construct: (target, args) => (made.push(args[0]), Reflect.construct(target, args) as object),
      apply: (target, self, args) => (made.push(args[0]), Reflect.apply(target, self, args) as RegExp),
    });
    try {
      expect(verdicts(entry)).toEqual({ bad: 'id', good: 'id' });
      const stored = { serverId: SERVER, kind: 'tool', originKey: 'bad', route: ROUTE, definition: entry } as const;
      expect(classify(stored, { ...stored, definition: toolWith({}) }).severity).not.toBe('none');
    } finally {
      globalThis.RegExp = real;
    }
    expect(made.filter((pattern) => patterns.includes(String(pattern)))).toEqual([]);
  });

  it('writes minus zero as zero and whole numbers as they are', () => {
    const form = JSON.stringify(
      effectiveRecord({
        serverId: SERVER,
        kind: 'tool',
        originKey: 'x',
        route: ROUTE,
        definition: parsed('{"a":-0,"b":9007199254740991}'),
      }),
    );
    expect(form).toContain('"definition":{"a":0,"b":9007199254740991}');
    expect(inspect('tool', 'bad', toolWith({ minimum: -0 }))).toEqual(inspect('tool', 'bad', toolWith({ minimum: 0 })));
  });
});

describe('a hostile definition that has none', () => {
  it.each<[string, JsonObject, string]>([
    ['is nested 500 deep', toolWith(nested(500)), BOUNDS.definitionDepth.reason],
    [
      'is nested 20,000 deep',
      toolWith(parsed(`{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)),
      BOUNDS.definitionDepth.reason,
    ],
    ['has a description of 5 MB', toolWith({}, { description: 'd'.repeat(5_000_000) }), BOUNDS.definitionLength.reason],
    [
      'has a million properties',
      toolWith({ properties: mapOf(1_000_000, () => ({})) }),
      BOUNDS.definitionValues.reason,
    ],
    ['has a million values to choose from', toolWith({ enum: range(1_000_000) }), BOUNDS.definitionValues.reason],
    ['has a number beyond 2^53', toolWith({ maximum: 2 ** 53 }), 'a number beyond 2^53'],
    ['has a number without end', toolWith(parsed('{"maximum":1e400}')), 'a number beyond 2^53'],
    ['has half a pair in a text', toolWith(parsed('{"title":"\\ud800"}')), 'a lone surrogate in a text'],
    ['has half a pair in a key', toolWith(parsed('{"\\udfff":1}')), 'a lone surrogate in a text'],
    [
      'says that it is no object',
      { name: 'bad', inputSchema: { type: 'array' } },
      'its “inputSchema.type” is missing or malformed',
    ],
    ['has no schema', { name: 'bad' }, 'its “inputSchema” is missing or malformed'],
  ])('that %s says why in plain words, and the rest of the list counts', (_, entry, reason) => {
    expect(verdicts(entry)).toEqual({ bad: reason, good: 'id' });
  });

  it('names a part that a server made up in one line that turns nothing round', () => {
    const name = `x\n\u202E${'y'.repeat(5_000)}`;
    const reason = verdicts(toolWith({ properties: { [name]: 1 } }))['bad']!;
    expect(reason).toMatch(/^its “inputSchema\.properties\.x y+…” is missing or malformed$/);
    expect(reason.length).toBeLessThan(2 * BOUNDS.quotedLength.value);
  });

  it('is not text: NaN and Infinity are no JSON', () => {
    expect(() => parsed('{"maximum":NaN}')).toThrow(SyntaxError);
    expect(() => parsed('{"maximum":Infinity}')).toThrow(SyntaxError);
  });
});

describe('a list', () => {
  const page = (tools: unknown[], nextCursor?: string) => ({ type: 'result', result: { tools, nextCursor } }) as const;

  it('of names that every object has keeps each apart', () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];
    const outcome = listOutcome('tool', true, [page(names.map((name) => ({ ...good, name })))], inspect);
    expect(outcome).toMatchObject({ status: 'complete', items: names.map((originKey) => ({ originKey })) });
  });

  it('in the place of a prototype is none', () => {
    const result = parsed(`{"__proto__":{"tools":[${JSON.stringify(good)}]}}`);
    expect(listOutcome('tool', true, [{ type: 'result', result }], inspect)).toMatchObject({ status: 'failed' });
  });

  it('with a name that is too long counts as incomplete, one that is as long as may be counts', () => {
    const { value } = BOUNDS.keyLength;
    const named = (length: number) => page([good, { ...good, name: 'n'.repeat(length) }]);
    expect(listOutcome('tool', true, [named(value)], inspect)).toMatchObject({ status: 'complete' });
    expect(listOutcome('tool', true, [named(value + 1)], inspect)).toMatchObject({ status: 'incomplete' });
  });

  it('that goes on beyond its entries is looked at only up to there', () => {
    let looks = 0;
    const counting: typeof inspect = (...args) => (looks++, inspect(...args));
    const tools = range(BOUNDS.items.value + 3_000).map((i) => ({ ...good, name: `t${i}` }));
    expect(listOutcome('tool', true, [page(tools)], counting)).toMatchObject({
      status: 'incomplete',
      reason: BOUNDS.items.reason,
    });
    expect(looks).toBe(BOUNDS.items.value);
  });

  it('with a cursor that is too long, or pages that are too large together, is incomplete', () => {
    const cursor = 'c'.repeat(BOUNDS.cursorLength.value + 1);
    const { reason } = BOUNDS.listBytes;
    expect(listOutcome('tool', true, [page([good], cursor)], inspect)).toMatchObject({
      status: 'incomplete',
      reason: BOUNDS.cursorLength.reason,
    });
    const large = { ...page([good], 'next'), bytes: BOUNDS.listBytes.value / 2 };
    const more = { ...page([{ ...good, name: 'b' }]), bytes: BOUNDS.listBytes.value / 2 + 1 };
    expect(listOutcome('tool', true, [large, more], inspect)).toMatchObject({ status: 'incomplete', reason });
  });
});

describe('a list of thousands', () => {
  const COUNT = 5_000;
  const at = '2026-01-01T00:00:00.000Z';
  const context = { era: '2025', capabilities: 'c', launch: 'l', signedIn: false } as const;
  const listed = (state: State, version: string) => {
    const items = range(COUNT).map((i) => {
      const definition = { ...good, name: `t${i}`, description: version };
      return {
        originKey: `t${i}`,
        id: capabilityId({
          serverId: SERVER,
          kind: 'tool',
          originKey: `t${i}`,
          route: state.servers[SERVER]!.route,
          definition,
        }),
        definition,
      };
    });
    return {
      type: 'observed',
      at,
      observation: {
        server: SERVER,
        consumer: null,
        connection: version,
        route: state.servers[SERVER]!.route,
        context,
        version: null,
        kinds: { tool: { status: 'complete', items } },
      },
    } as const;
  };

  it('is taken in by work that grows with it, not with its square', () => {
    let state = emptyState();
    const launch = { type: 'stdio', command: 'npx', args: ['x'], envNames: [] } as const;
    state = reduce(state, { type: 'server-added', at, server: { id: SERVER, name: 'srv', launch } }).state;
    state = reduce(state, { type: 'consumer-added', at, consumer: 'app' as never, name: 'app' }).state;
    state = reduce(state, {
      type: 'exposed',
      at,
      consumer: 'app' as never,
      server: SERVER,
      target: 'all',
      shown: [],
    }).state;
    // Copies of whole records are what makes it quadratic: so many keys are copied.
    const copied = countingKeys(() => {
      state = reduce(state, listed(state, 'one')).state;
      state = reduce(state, listed(state, 'two')).state;
    });
    expect(Object.values(state.decisions['app' as never] ?? {})).toHaveLength(COUNT);
    expect(copied).toBeGreaterThan(COUNT);
    expect(copied).toBeLessThan(100 * COUNT);
  });

  function countingKeys(run: () => void): number {
    const { entries, fromEntries } = Object;
    let copied = 0;
    Object.entries = ((object: object) => {
      const all = entries(object);
      copied += all.length;
      return all;
    }) as typeof Object.entries;
    Object.fromEntries = ((pairs: Iterable<readonly [PropertyKey, unknown]>) => {
      const all = [...pairs];
      copied += all.length;
      return fromEntries(all);
    }) as typeof Object.fromEntries;
    try {
      run();
    } finally {
      Object.assign(Object, { entries, fromEntries });
    }
    return copied;
  }
});

describe('a published name', () => {
  const servers = { [SERVER]: { id: SERVER, prefix: 'srv' } as unknown as Server };
  const named = (...keys: string[]): (string | undefined)[] => {
    const refs = keys.map((key): CapabilityRef => capabilityRef(SERVER, 'tool', key));
    const { nameOf } = claimNames({}, refs, servers);
    return refs.map((ref) => nameOf.get(ref));
  };

  it.each([
    ['names of all objects', ['__proto__', 'constructor', 'toString']],
    ['control, hidden and turning signs', ['a\0b', 'a\u200Bb\u200B', '\u202Esearch', '\u2066x\u2069']],
    ['half a pair', ['\uD800', '\uDC00x']],
    ['8,193 characters', ['n'.repeat(8_193), `${'n'.repeat(8_192)}m`]],
  ])('of %s is legal, and no two are the same', (_, keys) => {
    const names = named(...keys);
    expect(names.filter((name) => !/^[a-zA-Z][a-zA-Z0-9_-]{0,47}$/.test(name ?? ''))).toEqual([]);
    expect(new Set(names).size).toBe(keys.length);
  });

  it('that is the same as two others when cleaned is given to one, with the prefix to the next, and withheld from the rest', () => {
    expect(
      named('a b', 'a.b', 'a\u200Bb', 'a\u202Eb')
        .map((name) => name ?? 'none')
        .sort(),
    ).toEqual(['a_b', 'none', 'none', 'srv_a_b']);
  });

  it.each(['__proto__', 'constructor', '\u202Eabc', '\0', '🧨', ''])('has a prefix for a server called %j', (name) => {
    expect(serverPrefix(name, SERVER, [])).toMatch(/^[a-z][a-z0-9-]*$/);
  });
});

describe('a resource template', () => {
  it.each([
    ['hundreds of expressions', `x://${'{a}'.repeat(300)}`],
    [
      'a blank of hundreds of names',
      `x://{${range(300)
        .map((i) => `v${i}`)
        .join(',')}}`,
    ],
    ['10,000 characters', `x://${'a'.repeat(10_000)}{b}`],
  ])('of %s is never matched', (_, template) => {
    expect(templateMatcher(template)).toBe(null);
  });

  it('that every part of an address could match takes one pass per part', () => {
    const matches = templateMatcher('{+a}{+b}{+c}{+d}{+e}{+f}{+g}{+h}{+i}!');
    expect(matches?.(`${'a'.repeat(BOUNDS.matchedUriLength.value - 1)}!`)).toBe(true);
    expect(matches?.('a'.repeat(BOUNDS.matchedUriLength.value))).toBe(false);
    expect(matches?.(`${'a'.repeat(1_000_000)}!`)).toBe(false);
  });
});
