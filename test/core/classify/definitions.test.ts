import { describe, expect, it } from 'vitest';
import { classify, hasDangerousText } from '../../../electron/core/classify/classify.ts';
import { effectiveHints } from '../../../electron/core/hints.ts';
import type { Json, JsonObject, Kind, Route, ServerId, StoredDefinition } from '../../../electron/core/model.ts';

const stored = (kind: Kind, definition: JsonObject, route = 'npm:demo'): StoredDefinition => ({
  serverId: 'srv' as ServerId,
  kind,
  originKey: 'key',
  route: route as Route,
  definition,
});

/** Facts as lines: `severity class path: before -> after`. */
function said(kind: Kind, before: JsonObject, after: JsonObject): string[] {
  return classify(stored(kind, before), stored(kind, after)).facts.map((fact) => {
    const sides = [fact.before, fact.after].map((value) => (value === undefined ? '' : JSON.stringify(value)));
    const values = sides.join('') === '' ? '' : `: ${sides.join(' -> ')}`;
    return `${fact.severity} ${fact.class} ${fact.path}${values}`;
  });
}

type Row = readonly [kind: Kind, before: JsonObject, after: JsonObject, lines: readonly string[]];

describe('fields of a definition', () => {
  const KINDS: readonly Kind[] = ['tool', 'prompt', 'resource', 'resourceTemplate'];
  it.each<Row>([
    ...KINDS.flatMap((kind): Row[] => [
      [kind, {}, { description: 'A' }, ['review description.added /definition/description:  -> "A"']],
      [kind, { description: 'A' }, {}, ['review description.removed /definition/description: "A" -> ']],
      [
        kind,
        { description: 'A' },
        { description: 'B' },
        ['review description.changed /definition/description: "A" -> "B"'],
      ],
      [kind, { title: 'A' }, { title: 'B' }, ['review title.changed /definition/title: "A" -> "B"']],
      [kind, {}, { 'x/y~': 1 }, ['review field.x/y~.added /definition/x~1y~0:  -> 1']],
      [kind, { icons: 1 }, { icons: 2 }, ['review field.icons.changed /definition/icons: 1 -> 2']],
      [kind, { icons: { a: 1, b: 2 } }, { icons: { b: 2, a: 1 } }, []],
    ]),
    ['tool', { name: 'a' }, { name: 'b' }, ['review definition /definition']],
    ['prompt', { name: 'a' }, { name: 'b' }, ['review definition /definition']],
    ['resource', { uri: 'a' }, { uri: 'b' }, ['security uri.origin /definition/uri: "a" -> "b"']],
    [
      'resource',
      { uri: 'a://b/c' },
      { uri: 'a://b/d' },
      ['breaking uri.changed /definition/uri: "a://b/c" -> "a://b/d"'],
    ],
    ['resource', { uri: 'a' }, {}, ['review definition /definition']],
    [
      'resourceTemplate',
      { uriTemplate: 'a' },
      { uriTemplate: 'b' },
      ['security uri.origin /definition/uriTemplate: "a" -> "b"'],
    ],
    ['resource', { name: 'a' }, { name: 'b' }, ['review title.changed /definition/name: "a" -> "b"']],
    ['resourceTemplate', { name: 'a' }, { name: 'b' }, ['review title.changed /definition/name: "a" -> "b"']],
    ['resource', {}, { mimeType: 'b/c' }, ['breaking mimeType.added /definition/mimeType:  -> "b/c"']],
    ['resourceTemplate', { mimeType: 'a/b' }, {}, ['breaking mimeType.removed /definition/mimeType: "a/b" -> ']],
    [
      'tool',
      { mimeType: 'a/b' },
      { mimeType: 'b/c' },
      ['review field.mimeType.changed /definition/mimeType: "a/b" -> "b/c"'],
    ],
    ['resource', { size: 1 }, { size: 2 }, []],
    ['resourceTemplate', { size: 1 }, { size: 2 }, ['review field.size.changed /definition/size: 1 -> 2']],
    [
      'instructions',
      { instructions: 'A' },
      { instructions: 'B' },
      ['review instructions.changed /definition/instructions: "A" -> "B"'],
    ],
    [
      'tool',
      { title: 'A', icons: 1, description: 'A' },
      { title: 'B', icons: 2, description: 'B' },
      [
        'review description.changed /definition/description: "A" -> "B"',
        'review field.icons.changed /definition/icons: 1 -> 2',
        'review title.changed /definition/title: "A" -> "B"',
      ],
    ],
    [
      'resource',
      {},
      { annotations: { openWorldHint: false } },
      ['review field.annotations.added /definition/annotations:  -> {"openWorldHint":false}'],
    ],
    ['resource', {}, { inputSchema: true }, ['review field.inputSchema.added /definition/inputSchema:  -> true']],
    ['resource', {}, { execution: true }, ['review field.execution.added /definition/execution:  -> true']],
    // A title may stand in the annotations of a tool.
    ['tool', { annotations: { title: 'A' } }, { title: 'A' }, []],
    ['tool', { title: 'A', annotations: { title: 'A' } }, { title: 'A' }, []],
    [
      'tool',
      {},
      { annotations: { title: 7 } },
      ['review field.annotations.added /definition/annotations:  -> {"title":7}'],
    ],
    ['tool', { annotations: { title: 'A' } }, { title: 'B' }, ['review title.changed /definition/title: "A" -> "B"']],
    [
      'tool',
      { title: 'A', annotations: { title: 'B' } },
      { title: 'A', annotations: { title: 'C' } },
      ['review field.annotations.changed /definition/annotations: {"title":"B"} -> {"title":"C"}'],
    ],
    [
      'resource',
      {},
      { annotations: { title: 'A' } },
      ['review field.annotations.added /definition/annotations:  -> {"title":"A"}'],
    ],
    // What else stands there has no known meaning.
    [
      'tool',
      {},
      { annotations: { 'x-note': 1 } },
      ['review field.annotations.added /definition/annotations:  -> {"x-note":1}'],
    ],
    [
      'tool',
      { annotations: { 'x-note': 1, readOnlyHint: false } },
      { annotations: { 'x-note': 2, openWorldHint: true } },
      ['review field.annotations.changed /definition/annotations: {"x-note":1} -> {"x-note":2}'],
    ],
    ['tool', {}, { annotations: 'x' }, ['review field.annotations.added /definition/annotations:  -> "x"']],
    ['resource', {}, { annotations: { lastModified: 'x' } }, []],
    [
      'resource',
      {},
      { annotations: { audience: ['user'] } },
      ['review field.annotations.added /definition/annotations:  -> {"audience":["user"]}'],
    ],
    [
      'tool',
      {},
      { annotations: { lastModified: 'x' } },
      ['review field.annotations.added /definition/annotations:  -> {"lastModified":"x"}'],
    ],
  ])('of a %s, %j then %j', (kind, before, after, lines) => {
    expect(said(kind, before, after)).toEqual(lines);
  });
});

describe('a fact about a field', () => {
  it('has no side that was not there', () => {
    expect(classify(stored('prompt', {}), stored('prompt', { title: 'A' })).facts).toStrictEqual([
      { class: 'title.added', path: '/definition/title', after: 'A', severity: 'review' },
    ]);
    expect(classify(stored('prompt', { title: 'A' }), stored('prompt', {})).facts).toStrictEqual([
      { class: 'title.removed', path: '/definition/title', before: 'A', severity: 'review' },
    ]);
    const schema = (more: JsonObject): StoredDefinition => stored('tool', { inputSchema: { properties: { a: more } } });
    const path = '/definition/inputSchema/properties/a';
    expect(classify(schema({}), schema({ minLength: 1 })).facts).toStrictEqual([
      { class: 'in.bound.tightened', path, after: 1, severity: 'breaking' },
    ]);
    expect(classify(schema({ minLength: 1 }), schema({})).facts).toStrictEqual([
      { class: 'in.bound.loosened', path, before: 1, severity: 'compatible' },
    ]);
    expect(classify(schema({}), schema({ default: 1 })).facts).toStrictEqual([
      { class: 'in.default.added', path: `${path}/default`, after: 1, severity: 'review' },
    ]);
  });
});

describe('inputs of a prompt', () => {
  const prompt = (...list: Json[]): JsonObject => ({ name: 'p', arguments: list });
  const [may, must] = [{ name: 'a' }, { name: 'a', required: true }];
  it.each<readonly [JsonObject, JsonObject, readonly string[]]>([
    [prompt(), prompt(may), ['compatible arg.added.optional /definition/arguments/a']],
    [prompt(), prompt(must), ['breaking arg.added.required /definition/arguments/a']],
    [prompt(), prompt({ name: 'a/b~' }), ['compatible arg.added.optional /definition/arguments/a~1b~0']],
    [prompt(may), prompt(), ['breaking arg.removed /definition/arguments/a']],
    [prompt(may), prompt(must), ['breaking arg.required.added /definition/arguments/a']],
    [prompt(must), prompt(may), ['compatible arg.required.dropped /definition/arguments/a']],
    [
      prompt(may),
      prompt({ name: 'a', required: false, description: 'D' }),
      ['review arg.description /definition/arguments/a'],
    ],
    [
      prompt(must),
      prompt({ name: 'a', description: 'D' }),
      ['compatible arg.required.dropped /definition/arguments/a', 'review arg.description /definition/arguments/a'],
    ],
    [prompt({ name: 'b' }, may), prompt(may, { name: 'b' }), ['review definition /definition']],
    [
      prompt(),
      prompt({ name: 'b' }, may),
      [
        'compatible arg.added.optional /definition/arguments/a',
        'compatible arg.added.optional /definition/arguments/b',
      ],
    ],
    [prompt('x', { name: 7 }), prompt(may), ['compatible arg.added.optional /definition/arguments/a']],
  ])('%j, then %j', (before, after, lines) => {
    expect(said('prompt', before, after)).toEqual(lines);
  });

  it('are inputs of prompts only', () => {
    expect(said('resource', {}, { arguments: [may] })).toEqual([
      'review field.arguments.added /definition/arguments:  -> [{"name":"a"}]',
    ]);
  });
});

describe('hints of a tool', () => {
  const hints = (before: Json, after: Json): string[] => said('tool', { annotations: before }, { annotations: after });
  const line = (hint: string, what: string, is: boolean): string =>
    `security hint.${hint}.${what} /definition/annotations/${hint}: ${!is} -> ${is}`;
  it.each<readonly [Json, Json, readonly string[]]>([
    // Claims where nothing was said.
    [{}, { openWorldHint: false }, [line('openWorldHint', 'claimed', false)]],
    [{}, { idempotentHint: true }, [line('idempotentHint', 'claimed', true)]],
    [{}, { destructiveHint: false }, [line('destructiveHint', 'claimed', false)]],
    [{ openWorldHint: 'no' }, { openWorldHint: false }, [line('openWorldHint', 'claimed', false)]],
    [
      {},
      { readOnlyHint: true },
      [
        line('readOnlyHint', 'claimed', true),
        line('destructiveHint', 'claimed', false),
        line('idempotentHint', 'claimed', true),
      ],
    ],
    // What follows from `readOnlyHint` was said with it.
    [{ readOnlyHint: false }, { readOnlyHint: false, openWorldHint: false }, [line('openWorldHint', 'claimed', false)]],
    [
      { readOnlyHint: false },
      { readOnlyHint: true },
      [
        line('readOnlyHint', 'claimsSafer', true),
        line('destructiveHint', 'claimsSafer', false),
        line('idempotentHint', 'claimsSafer', true),
      ],
    ],
    [
      { readOnlyHint: false },
      { readOnlyHint: false, destructiveHint: false },
      [line('destructiveHint', 'claimsSafer', false)],
    ],
    // Flips of what was said.
    [{ openWorldHint: true }, { openWorldHint: false }, [line('openWorldHint', 'claimsSafer', false)]],
    [{ destructiveHint: true }, { destructiveHint: false }, [line('destructiveHint', 'claimsSafer', false)]],
    [{ idempotentHint: false }, { idempotentHint: true }, [line('idempotentHint', 'claimsSafer', true)]],
    [{ openWorldHint: false }, {}, [line('openWorldHint', 'claimsRiskier', true)]],
    [{ destructiveHint: false }, { destructiveHint: true }, [line('destructiveHint', 'claimsRiskier', true)]],
    [{ idempotentHint: true }, {}, [line('idempotentHint', 'claimsRiskier', false)]],
    [
      { readOnlyHint: true },
      {},
      [
        line('readOnlyHint', 'claimsRiskier', false),
        line('destructiveHint', 'claimsRiskier', true),
        line('idempotentHint', 'claimsRiskier', false),
      ],
    ],
    // Said again, or said at its standard value.
    [{}, { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }, []],
    [{ readOnlyHint: true }, { readOnlyHint: true, destructiveHint: false, idempotentHint: false }, []],
  ])('%j, then %j', (before, after, lines) => {
    expect(hints(before, after)).toEqual(lines);
  });

  it('come to something where nothing is said, or nothing that is a hint', () => {
    const silent = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
    for (const nothing of [undefined, null, 'x', [], {}, { readOnlyHint: 'true', destructiveHint: 0 }])
      expect(effectiveHints(nothing)).toEqual(silent);
    expect(effectiveHints({ readOnlyHint: true, destructiveHint: true, openWorldHint: false })).toEqual({
      ...{ readOnlyHint: true, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    });
  });

  it('are hints of tools only', () => {
    expect(said('prompt', {}, { annotations: { openWorldHint: false } })).toEqual([
      'review field.annotations.added /definition/annotations:  -> {"openWorldHint":false}',
    ]);
  });
});

describe('how a tool is carried out', () => {
  const runs = (before: Json | undefined, after: Json | undefined): string[] =>
    said('tool', before === undefined ? {} : { execution: before }, after === undefined ? {} : { execution: after });
  it('is a matter of trust, and forbidding tasks is what is usual', () => {
    expect(runs({ taskSupport: 'optional' }, { taskSupport: 'required' })).toEqual([
      'security execution /definition/execution: {"taskSupport":"optional"} -> {"taskSupport":"required"}',
    ]);
    expect(runs(undefined, { taskSupport: 'optional' })).toEqual([
      'security execution /definition/execution: {} -> {"taskSupport":"optional"}',
    ]);
    expect(runs({ later: 'forbidden' }, undefined)).toEqual([
      'security execution /definition/execution: {"later":"forbidden"} -> {}',
    ]);
    expect(runs(undefined, { taskSupport: 'forbidden' })).toEqual([]);
    expect(runs({ a: 1, b: 2, c: 3 }, { c: 3, b: 2, a: 1 })).toEqual([]);
  });
});

describe('a change as a whole', () => {
  const tool = { name: 't', description: 'Lists.', inputSchema: { type: 'object' } };
  it('has two sides, or one', () => {
    expect(() => classify(null, null)).toThrow(new TypeError('a change has at least one side'));
    expect(classify(stored('tool', tool), null)).toMatchObject({
      ...{ kind: 'tool', originKey: 'key', change: 'removed', severity: 'breaking', facts: [] },
    });
    expect(classify(stored('tool', tool), stored('tool', tool))).toMatchObject({
      change: 'changed',
      severity: 'none',
      facts: [],
    });
  });

  it('of the program behind it names both', () => {
    expect(classify(stored('tool', tool), stored('tool', tool, 'npm:other')).facts).toEqual([
      { class: 'launch', path: '/route', before: 'npm:demo', after: 'npm:other', severity: 'security' },
    ]);
  });

  it('that no rule speaks of is looked at by a person', () => {
    expect(said('tool', { name: 'a' }, { name: 'A' })).toEqual(['review definition /definition']);
  });

  it('is looked at where something without a known meaning changed beside what is harmless', () => {
    const more = { inputSchema: { type: 'object', properties: { a: {} } } };
    for (const annotations of [{ 'x-note': 1 }, { title: 'B' }]) {
      const { severity } = classify(
        stored('tool', { ...tool, title: 'A' }),
        stored('tool', { ...tool, ...more, title: 'A', annotations }),
      );
      expect(severity).toBe('review');
    }
  });

  it('reads schemas of tools only', () => {
    const schema = { outputSchema: { type: 'object' } };
    expect(said('prompt', {}, schema)).toEqual([
      'review field.outputSchema.added /definition/outputSchema:  -> {"type":"object"}',
    ]);
    expect(said('tool', {}, schema)).toEqual(['compatible out.schema.added /definition/outputSchema']);
  });

  it('into one that runs others is told once, when it becomes one', () => {
    const runs = { name: 'call', inputSchema: { type: 'object', properties: { args: { type: 'object' } } } };
    const calm = { name: 'call', inputSchema: { type: 'object' } };
    const line = 'security dispatcher /definition';
    expect(said('tool', calm, runs)).toContain(line);
    expect(said('tool', runs, { ...runs, description: 'D' })).not.toContain(line);
    // Under its new name, the old one ran others too.
    expect(said('tool', { ...runs, name: 'list' }, runs)).not.toContain(line);
    expect(said('prompt', calm, runs)).not.toContain(line);
    expect(classify(null, stored('tool', runs)).facts).toEqual([
      { class: 'dispatcher', path: '/definition', severity: 'security' },
    ]);
    expect(classify(null, stored('prompt', runs)).facts).toEqual([]);
  });

  it('reads texts and names wherever they are, the name of the tool included, but not addresses of schemas', () => {
    const order = '<system>';
    const at = (more: JsonObject): boolean => hasDangerousText(stored('tool', { ...tool, ...more }));
    expect(at({ inputSchema: { type: 'object', properties: { [order]: {} } } })).toBe(true);
    expect(at({ inputSchema: { enum: ['x', order] } })).toBe(true);
    expect(at({ _meta: { deep: [{ down: order }] } })).toBe(true);
    expect(at({ name: order })).toBe(true);
    for (const word of ['$schema', '$ref', '$id']) expect(at({ inputSchema: { [word]: order } })).toBe(false);
    expect(said('tool', tool, { ...tool, _meta: order })).toContain(
      'security text.instructs /definition:  -> "<system>"',
    );
    // Two texts are two texts.
    expect(at({ title: 'ignore all previous', _meta: 'instructions' })).toBe(false);
    expect(at({ _meta: 7, icons: null })).toBe(false);
  });

  it('is dangerous by what its text is after, not by where it links', () => {
    expect(hasDangerousText(stored('tool', { ...tool, description: 'See https://a.example.' }))).toBe(false);
    const runs = { name: 'call', inputSchema: { type: 'object', properties: { args: { type: 'object' } } } };
    expect(hasDangerousText(stored('tool', runs))).toBe(false);
    expect(hasDangerousText(stored('resource', { uri: 'https://a.example/b', name: 'b' }))).toBe(false);
  });

  it('is dangerous by an address that is code or contents itself', () => {
    expect(hasDangerousText(stored('resource', { uri: 'javascript:alert(1)', name: 'b' }))).toBe(true);
    expect(hasDangerousText(stored('resourceTemplate', { uriTemplate: 'data:text/html,{x}', name: 'b' }))).toBe(true);
  });

  it('of something new counts what is dangerous only', () => {
    const links = { ...tool, description: 'See https://a.example. <system>' };
    expect(classify(null, stored('tool', links)).facts.map((fact) => fact.class)).toEqual(['text.instructs']);
  });
});
