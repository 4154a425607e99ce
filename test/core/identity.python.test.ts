import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject, Kind, Route, ServerId, StoredDefinition } from '../../electron/core/model.ts';
import { oddRoot, plainSchema, toolWith, withDefinitions } from '../vectors/schemas.ts';
import { identify, namedIn, runPython, vectorFiles, vectorPaths } from '../vectors/vectors.ts';
import type { PythonLine, Result } from '../vectors/vectors.ts';

const FUZZED = 300;

/** Both texts and both ids are the same, or neither implementation gives one. The reason is each one's own. */
const comparable = (result: PythonLine | undefined): unknown =>
  result !== undefined && 'invalid' in result ? 'invalid' : result;

const stored = (definition: JsonObject, kind: Kind = 'tool'): StoredDefinition => ({
  serverId: 'server-1' as ServerId,
  kind,
  originKey: 'example',
  route: 'npm:example' as Route,
  definition,
});

/** What is too large to be written down: the bounds of rule 4 and of a definition, on both sides. */
function casesAtTheBounds(): [string, StoredDefinition][] {
  const manyOf = (count: number, of: (at: number) => Json): JsonObject =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, of(at)]));
  const string = { type: 'string' };
  const distinct = (count: number, name: string): JsonObject => ({
    properties: manyOf(count, (at) => ({ $ref: `#/$defs/${name}${at}` })),
    $defs: Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`${name}${at}`, { ...string, title: `${at}` }]),
    ),
  });
  const oneTarget = (uses: number, target: Json = string): JsonObject => ({
    properties: manyOf(uses, () => ({ $ref: '#/$defs/x' })),
    $defs: { x: target },
  });
  const letters = (count: number): JsonObject => ({ ...string, description: 'x'.repeat(count) });
  const nestedTargets = (count: number): JsonObject => {
    const pointers = Array.from({ length: 5 }, (_, at) => `#${'/not'.repeat(at + 1)}`);
    const nested = pointers.reduce<JsonObject>((inner) => ({ not: inner }), { description: 'x'.repeat(count) });
    return { ...nested, allOf: pointers.map(($ref) => ({ $ref })) };
  };
  const recursive = { properties: { a: { $ref: '#/$defs/x' } }, additionalProperties: true };
  const schemas: [string, JsonObject][] = [
    ...[200, 201, 2000, 2001].map((count): [string, JsonObject] => [`${count} distinct`, distinct(count, 'b')]),
    ...[1998, 1999, 2000].map((uses): [string, JsonObject] => [`${uses} uses of one target`, oneTarget(uses)]),
    ...[1996, 1997, 1998].map((uses): [string, JsonObject] => [`${uses} uses of itself`, oneTarget(uses, recursive)]),
    ...[999, 1000].map((uses): [string, JsonObject] => [`${uses} uses of two`, oneTarget(uses, { items: string })]),
    // Ten copies of 24 characters and values around the text.
    ...[9_976, 9_977].map((text): [string, JsonObject] => [`10 uses of ${text} letters`, oneTarget(10, letters(text))]),
    ...[799_979, 799_980].map((text): [string, JsonObject] => [`${text} letters, five deep`, nestedTargets(text)]),
    ['a chain of 150 names', oneTarget(3, { $ref: '#/$defs/c0' })],
  ];
  const chain = Object.fromEntries(
    Array.from({ length: 150 }, (_, at) => [`c${at}`, at === 149 ? string : { $ref: `#/$defs/c${at + 1}` }]),
  );
  const last = schemas.at(-1)![1] as { $defs: JsonObject };
  last.$defs = { ...last.$defs, ...chain };
  return [
    ...schemas.map(([name, inputSchema]): [string, StoredDefinition] => [
      name,
      stored({ name: 'example', inputSchema }),
    ]),
    ['100,000 values', stored({ list: Array.from({ length: 99_998 }, () => 0) })],
    ['100,001 values', stored({ list: Array.from({ length: 99_999 }, () => 0) })],
  ];
}

function fuzzed(): [string, StoredDefinition][] {
  const renamed = plainSchema.map((schema) => withDefinitions(schema, ['a', 'b/c', '__proto__', '10']));
  const definition = fc.oneof(
    { weight: 3, arbitrary: toolWith(oddRoot) },
    toolWith(renamed),
    fc.record({ name: fc.string({ unit: 'binary' }), _meta: fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json> }),
  ) as fc.Arbitrary<JsonObject>;
  const kind = fc.constantFrom<Kind>('tool', 'tool', 'tool', 'tool', 'tool', 'tool', 'resource', 'prompt');
  // JSON text first: -0 and keys that no text can hold would otherwise compare unequal things.
  return fc
    .sample(fc.tuple(definition, kind), FUZZED)
    .map(([each, of], at) => [`fuzz ${at}`, stored(JSON.parse(JSON.stringify(each)) as JsonObject, of)]);
}

/** Without it these tests fail where python3 is missing; test/run.mjs sets it there and says so in its summary. */
describe.skipIf(process.env['HOLDFAST_SKIP_PYTHON'] !== undefined)('the second implementation, in Python', () => {
  let folder: string;
  let generated: [string, StoredDefinition][];
  let lines: ReadonlyMap<string, PythonLine>;

  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-vectors-'));
    generated = [...casesAtTheBounds(), ...fuzzed()];
    const file = path.join(folder, 'generated.json');
    const vectors = generated.map(([name, each]) => ({ name, stored: each }));
    fs.writeFileSync(file, JSON.stringify({ vectors }));
    lines = runPython([...vectorPaths(), file]);
  }, 120_000);
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  describe.each([...vectorFiles])('on %s', (_name, file) => {
    it('gives the canonical text and the id that are written down', () => {
      for (const { name, canonical, id } of file.vectors ?? [])
        expect(lines.get(name), name).toEqual({ canonical, id });
    });

    it('gives the canonical text and the id of every definition, or none, as the app does', () => {
      const own = new Map<string, Result>(namedIn(file).map(([name, each]) => [name, identify(each)]));
      const differing = [...own].filter(([name, result]) => !agree(result, lines.get(name))).map(([name]) => name);
      expect(differing).toEqual([]);
    });

    it('gives the launch identity that is written down', () => {
      for (const { name, route } of file.launch ?? []) expect(lines.get(name), name).toEqual({ route });
    });
  });

  it('agrees with the app at the bounds of a definition and of the references in it', () => {
    const differing = casesAtTheBounds().filter(([name, each]) => !agree(identify(each), lines.get(name)));
    expect(differing.map(([name]) => name)).toEqual([]);
  });

  it(`agrees with the app on ${FUZZED} random definitions`, () => {
    const random = generated.filter(([name]) => name.startsWith('fuzz '));
    const differing = random.filter(([name, each]) => !agree(identify(each), lines.get(name)));
    expect(differing.map(([, each]) => JSON.stringify(each.definition))).toEqual([]);
    expect(random).toHaveLength(FUZZED);
  });

  it('has nothing to say about anything else', () => {
    const names = [...vectorFiles.values()].flatMap((file) => [
      ...namedIn(file).map(([name]) => name),
      ...(file.launch ?? []).map(({ name }) => name),
    ]);
    expect([...lines.keys()].sort()).toEqual([...names, ...generated.map(([name]) => name)].sort());
  });
});

function agree(own: Result, other: PythonLine | undefined): boolean {
  return JSON.stringify(comparable(own)) === JSON.stringify(comparable(other));
}
