import { describe, expect, it } from 'vitest';
import { continuity, type Named } from '../../electron/core/continuity.ts';
import type { JsonObject, Kind } from '../../electron/core/model.ts';

const tool = (originKey: string, definition: JsonObject = {}): Named => ({
  kind: 'tool',
  originKey,
  definition: { name: originKey, inputSchema: { type: 'object' }, ...definition },
});
const of = (kind: Kind, originKey: string, definition: JsonObject = {}): Named => ({ kind, originKey, definition });

/** `from -> to: evidence`, one row each. */
function rows(removed: readonly Named[], added: readonly Named[], kept: readonly Named[] = []): string[] {
  return continuity(removed, added, kept).map(({ from, to, evidence }) => `${from} -> ${to}: ${evidence}`);
}

const schema = (...names: readonly string[]): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});

describe('the maintainer’s own word', () => {
  const said = ['old_one -> new_one: said'];
  it.each<[what: string, removed: Named, present: Named]>([
    [
      'a note in the old description',
      tool('old_one', { description: 'DEPRECATED: use new_one instead.' }),
      tool('new_one'),
    ],
    ['a name set off by backticks', tool('old_one', { description: 'Renamed to `new_one`.' }), tool('new_one')],
    ['a sentence later', tool('old_one', { description: 'Deprecated. It still works; see new_one.' }), tool('new_one')],
    ['a successor in _meta', tool('old_one', { _meta: { 'example.org/successor': 'new_one' } }), tool('new_one')],
    [
      'a note with a date in _meta',
      tool('old_one', { _meta: { deprecated: { remove_after: '2026-12-01', use: 'new_one' } } }),
      tool('new_one'),
    ],
    ['a member of the definition', tool('old_one', { replacedBy: 'new_one' }), tool('new_one')],
    ['a note in the new description', tool('old_one'), tool('new_one', { description: 'Searches. Formerly old_one.' })],
    ['what it replaces', tool('old_one'), tool('new_one', { description: 'Replaces old_one and much else.' })],
    ['a list of aliases', tool('old_one'), tool('new_one', { _meta: { aliases: ['x', 'old_one'] } })],
    ['a table of aliases', tool('old_one'), tool('new_one', { _meta: { aliases: { old_one: {} } } })],
  ])('is found in %s', (_, removed, present) => {
    expect(rows([removed], [present])).toEqual(said);
    expect(rows([removed], [], [present])).toEqual(said);
  });

  it('is quoted, without what hides in it', () => {
    const [row] = continuity(
      [tool('old_one', { description: 'Dep\u200brecated:\u202e replaced by new_one' })],
      [tool('new_one')],
    );
    expect(row).toMatchObject({ kind: 'tool', confidence: 'high', quote: 'Dep recated: replaced by new_one' });
  });

  it.each<[what: string, removed: Named, present: Named]>([
    ['a name without such a word', tool('old_one', { description: 'Call new_one first.' }), tool('new_one')],
    ['a denial', tool('old_one', { description: 'This is not deprecated in favour of new_one.' }), tool('new_one')],
    ['a part of a name', tool('old_one', { description: 'Deprecated: use new_one_more.' }), tool('new_one')],
    ['a plain word of the language', tool('search'), tool('find', { description: 'Replaces the search by hand.' })],
    [
      'another paragraph',
      tool('old_one', { description: 'One option is deprecated.\n\nCreate it with new_one first.' }),
      tool('new_one'),
    ],
    ['an input of that name', tool('old_one', { inputSchema: schema('alias', 'new_one') }), tool('new_one')],
  ])('is not read into %s', (_, removed, present) => {
    expect(rows([removed], [present])).toEqual([]);
  });

  it('finds a plain word where it is called a tool', () => {
    expect(rows([tool('search')], [tool('find', { description: 'Replaces the search tool.' })])).toEqual([
      'search -> find: said',
    ]);
    expect(rows([tool('search')], [tool('find', { description: 'Replaces `search`.' })])).toEqual([
      'search -> find: said',
    ]);
  });
});

describe('the same content', () => {
  const content = { description: 'Makes or changes a page of the wiki', inputSchema: schema('page', 'text') };

  it('is the same description and the same schema', () => {
    expect(rows([tool('wiki_create', content)], [tool('upsert', content)])).toEqual([
      'wiki_create -> upsert: same-content',
    ]);
  });

  it('is the same where a schema is only spelled differently', () => {
    const spelled = {
      ...content,
      inputSchema: { $schema: 'https://json-schema.org/draft/2020-12/schema', ...content.inputSchema },
    };
    expect(rows([tool('wiki_create', content)], [tool('upsert', spelled)])).toEqual([
      'wiki_create -> upsert: same-content',
    ]);
  });

  it.each<[what: string, a: JsonObject, b: JsonObject]>([
    ['an equal schema alone', { inputSchema: schema('url') }, { inputSchema: schema('url') }],
    [
      'an equal schema with other words',
      { description: 'Reads prices of a shop', inputSchema: schema('url') },
      { description: 'Turns pages into text', inputSchema: schema('url') },
    ],
    [
      'an empty description',
      { description: '', inputSchema: schema('url') },
      { description: '', inputSchema: schema('url') },
    ],
  ])('is not %s', (_, a, b) => {
    expect(rows([tool('web_data_shop', a)], [tool('scrape', b)])).toEqual([]);
  });

  it('says nothing where many have the same description', () => {
    const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'];
    const boilerplate = { description: 'See the manual', inputSchema: schema('id') };
    expect(
      continuity(
        names.map((name) => tool(name, boilerplate)),
        [tool('omega', boilerplate)],
      ).filter(({ evidence }) => evidence === 'same-content'),
    ).toEqual([]);
  });

  it('counts for prompts by their arguments and for resources by what they are called', () => {
    const prompt = { description: 'Sums a text up', arguments: [{ name: 'text' }] };
    expect(rows([of('prompt', 'sum', prompt)], [of('prompt', 'brief', prompt)])).toEqual([
      'sum -> brief: same-content',
    ]);
    const notes = { name: 'Notes', description: 'All notes', mimeType: 'text/plain' };
    expect(rows([of('resource', 'file:///a', notes)], [of('resource', 'memo://b', notes)])).toEqual([
      'file:///a -> memo://b: same-content',
    ]);
  });
});

describe('the same name', () => {
  it.each([
    ['tavily-map', 'tavily_map'],
    ['MatrixTool', 'matrix_tool'],
    ['getTinyImage', 'get-tiny-image'],
  ])('%s and %s differ by case, - and _ only', (from, to) => {
    expect(rows([tool(from)], [tool(to)])).toEqual([`${from} -> ${to}: same-name`]);
  });

  it('is not the same name of another kind', () => {
    expect(rows([tool('simple_prompt')], [of('prompt', 'simple-prompt')])).toEqual([]);
  });
});

describe('likeness', () => {
  const text = (description: string): JsonObject => ({ description });

  it('is a suggestion of low confidence', () => {
    const found = continuity(
      [tool('printEnv', text('Prints all environment variables, helpful for debugging the server'))],
      [
        tool('get-env', text('Returns all environment variables, helpful for debugging the server')),
        tool('get-sum', text('Adds two numbers and returns what they come to')),
      ],
    );
    expect(found).toEqual([{ kind: 'tool', from: 'printEnv', to: 'get-env', evidence: 'similar', confidence: 'low' }]);
  });

  it('is left out where something stronger is known of either', () => {
    const found = rows(
      [
        tool('simple_prompt', text('A prompt without arguments')),
        tool('complex_prompt', text('A prompt with arguments')),
      ],
      [tool('simple-prompt', text('A prompt with no arguments'))],
    );
    expect(found).toEqual(['simple_prompt -> simple-prompt: same-name']);
  });
});

it('tells a merge and a split row by row, the strongest first', () => {
  const merged = tool('pull_request', { description: 'Replaces create_pull_request and close_pull_request.' });
  const split = tool('do_all', { description: 'Deprecated: use read_all or write_all.' });
  expect(
    rows(
      [tool('create_pull_request'), tool('close_pull_request'), split, tool('tidy-up')],
      [merged, tool('read_all'), tool('write_all'), tool('tidy_up')],
    ),
  ).toEqual([
    'close_pull_request -> pull_request: said',
    'create_pull_request -> pull_request: said',
    'do_all -> read_all: said',
    'do_all -> write_all: said',
    'tidy-up -> tidy_up: same-name',
  ]);
});

it('says nothing where nothing went, nothing came, or only instructions changed', () => {
  expect(continuity([], [tool('a')])).toEqual([]);
  expect(continuity([tool('a')], [])).toEqual([]);
  expect(
    continuity([of('instructions', '', { instructions: 'x' })], [of('instructions', '', { instructions: 'x' })]),
  ).toEqual([]);
});

it('reads names that are names of object members as names', () => {
  const odd = ['__proto__', 'constructor', 'toString'];
  const removed = odd.map((name) => tool(name));
  expect(rows(removed, [tool('new_one', { description: 'Replaces `constructor`.' })])).toEqual([
    'constructor -> new_one: said',
  ]);
});

it('ends for lists as long as any, with words as hostile as any', () => {
  const words = (seed: number): string =>
    Array.from({ length: 60 }, (_, at) => `word${(seed * 31 + at * 17) % 997}`).join(' ');
  const many = (prefix: string): Named[] =>
    Array.from({ length: 5_000 }, (_, at) =>
      tool(`${prefix}_shared_name_${at}`, { description: `deprecated ${words(at)}`, inputSchema: schema('id', 'url') }),
    );
  const found = continuity(many('old'), many('new'));
  expect(found.every(({ evidence }) => evidence === 'similar')).toBe(true);
  const one = tool('one', { description: 'deprecated new_shared_name_1 '.repeat(30_000) });
  expect(continuity([one], many('new')).map(({ to, evidence }) => [to, evidence])).toEqual([
    ['new_shared_name_1', 'said'],
  ]);
});
