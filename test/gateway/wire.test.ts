import { describe, expect, it } from 'vitest';
import { parsedAnswer, quickAnswer, readAnswer, withId } from '../../electron/gateway/answer.ts';
import { memberSpan } from '../../electron/gateway/json-span.ts';
import { LineReader } from '../../electron/gateway/lines.ts';
import { returnedUris } from '../../electron/gateway/provenance.ts';
import { templateMatcher } from '../../electron/gateway/uri-template.ts';

const spliced = (line: string, idText: string): string | null => {
  const found = quickAnswer(Buffer.from(line));
  return found && Buffer.concat([...withId(found.answer, idText)]).toString();
};

describe('putting the app’s id into an answer', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":7,"result":{"a":1}}', '{"jsonrpc":"2.0","result":{"a":1},"id":"x"}\n'],
    ['{"result":{"a":1},"jsonrpc":"2.0","id":7}', '{"result":{"a":1},"jsonrpc":"2.0","id":"x"}\n'],
    ['{"jsonrpc":"2.0","result":{"a":1},"id":7}', '{"jsonrpc":"2.0","result":{"a":1},"id":"x"}\n'],
    ['{"jsonrpc":"2.0","id":7,"error":{"code":1}}\r', '{"jsonrpc":"2.0","error":{"code":1},"id":"x"}\n'],
    ['{"jsonrpc": "2.0", "id": 7, "result": {"a": 1}}', '{"jsonrpc":"2.0","result": {"a": 1},"id":"x"}\n'],
    ['{"result": {}, "jsonrpc": "2.0", "id": 7}', '{"result": {}, "jsonrpc": "2.0","id":"x"}\n'],
  ])('leaves every other byte of %s alone', (line, expected) => {
    expect(spliced(line, '"x"')).toBe(expected);
    expect(quickAnswer(Buffer.from(line))?.id).toBe(7);
  });

  it.each([
    '{"jsonrpc":"2.0","id":7,"method":"roots/list"}',
    '{"method":"roots/list","jsonrpc":"2.0","id":7}',
    '{"jsonrpc":"2.0","id":"7","result":{}}',
    '{"result":{},"id":7,"jsonrpc":"2.0"}',
    '{"result":{},"id":7}',
    '{"result":"\\",\\"jsonrpc\\":\\"2.0\\",\\"id\\":7}"}',
  ])('does not take %s for an answer that it knows by its edges', (line) => {
    expect(spliced(line, '1')).toBe(null);
  });

  it('does not let a server answer another call by a second id', () => {
    const smuggled = spliced('{"jsonrpc":"2.0","id":7,"result":{},"id":42}', '1') ?? '';
    expect(JSON.parse(smuggled)).toMatchObject({ id: 1 });
    const early = spliced('{"result":{},"id":42,"jsonrpc":"2.0","id":7}', '1') ?? '';
    expect(JSON.parse(early)).toMatchObject({ id: 1 });
  });

  it('takes only the result of an answer that has its id elsewhere', () => {
    const line = Buffer.from('{"x":1, "result" : {"big":12345678901234567890}, "id":7,"jsonrpc":"2.0"}');
    const answer = parsedAnswer(line, { result: {}, id: 7 });
    expect(answer && Buffer.concat([...withId(answer, '1')]).toString()).toBe(
      '{"jsonrpc":"2.0","result":{"big":12345678901234567890},"id":1}\n',
    );
    expect(answer && readAnswer(answer)).toMatchObject({ result: {} });
  });

  it('writes a large answer in pieces instead of copying it', () => {
    const line = Buffer.from(`{"result":"${'x'.repeat(100_000)}","jsonrpc":"2.0","id":7}`);
    const found = quickAnswer(line);
    expect(found && withId(found.answer, '1')).toHaveLength(3);
  });
});

describe('finding a member in the bytes of an object', () => {
  const find = (text: string, key: string): string | null => {
    const span = memberSpan(Buffer.from(text), 0, key);
    return span ? Buffer.from(text).toString('utf8', span.start, span.end) : null;
  };
  it.each([
    ['{"a":1,"b":[{"c":"}"}],"c":"x\\"}"}', 'c', '"x\\"}"'],
    ['{"a":{"c":1},"c":2}', 'c', '2'],
    ['{"c":1,"c":2}', 'c', '2'],
    ['{ "c" : [1, 2] , "d":3}', 'c', '[1, 2]'],
    ['{"\\u0063":true}', 'c', 'true'],
    ['{"a\\\\":1,"c":"\\\\"}', 'c', '"\\\\"'],
    ['{"é":"ü","c":-1.5e3}', 'c', '-1.5e3'],
    ['{}', 'c', null],
    ['[1]', 'c', null],
    ['{"a":"c"}', 'c', null],
    ['{"a":', 'c', null],
    ['{"a', 'c', null],
  ])('in %s finds %s', (text, key, expected) => {
    expect(find(text, key)).toBe(expected);
  });
});

describe('cutting bytes into lines', () => {
  const read = (chunks: readonly string[]): string[] => {
    const lines: string[] = [];
    const reader = new LineReader(
      (line) => lines.push(line.toString()),
      () => lines.push('too long'),
      20,
    );
    for (const chunk of chunks) reader.push(Buffer.from(chunk, 'latin1'));
    return lines;
  };
  it.each([
    [['a\nb\n'], ['a', 'b']],
    [['a', 'b', '\nc'], ['ab']],
    [['\n\n', 'a\n\n'], ['a']],
    [['12345678901234567890\n'], ['12345678901234567890']],
    [['1234567890', '12345678901', 'x\na\n'], ['too long']],
    [['123456789012345678901\na\n'], ['too long']],
  ])('makes %j into %j', (chunks, lines) => {
    expect(read(chunks)).toEqual(lines);
  });

  it('keeps characters whole that come in two pieces', () => {
    const bytes = Buffer.from('é\n');
    const lines: string[] = [];
    const reader = new LineReader(
      (line) => lines.push(line.toString()),
      () => undefined,
    );
    reader.push(bytes.subarray(0, 1));
    reader.push(bytes.subarray(1));
    expect(lines).toEqual(['é']);
  });
});

describe('matching a URI against a template', () => {
  it.each([
    ['x://{id}', 'x://7', true],
    ['x://{id}', 'x://7/8', false],
    ['x://{id}', 'x://', false],
    ['x://{+path}', 'x://7/8', true],
    ['file:///{a}/{b}.txt', 'file:///1/2.txt', true],
    ['file:///{a}/{b}.txt', 'file:///1/2xtxt', false],
    ['x://a{?q,r}', 'x://a?q=1', true],
    ['x://a{?q,r}', 'x://a', true],
    ['x://a{?q,r}', 'x://ab', false],
    ['x://{a,b}', 'x://1,2', true],
    ['x://a{/rest*}', 'x://a/b/c', true],
    ['x://a{#f}', 'x://a#b', true],
    ['x://plain', 'x://plain', true],
    ['x://pl.in', 'x://plain', false],
    ['my-notes://{id}', 'my-notes://7', true],
    ['x://{+a}-{b}', 'x://1/2-3', true],
    ['x://{+a}-{b}', 'x://1-2/3', false],
    ['x://a{.ext}', 'x://a.md', true],
    ['x://a{.ext}', 'x://a.', false],
    ['x://a{/rest*}', 'x://a//c', false],
    ['x://a{;p}{&q}', 'x://a;1&2', true],
    ['x://{a,b}', 'x://1', false],
  ])('%s and %s: %s', (template, uri, expected) => {
    expect(templateMatcher(template)?.(uri)).toBe(expected);
  });

  it.each(['x://{', 'x://}', 'x://{a b}', `x://${'{a}'.repeat(11)}`, `x://${'a'.repeat(3000)}`])(
    'does not try %s',
    (template) => {
      expect(templateMatcher(template)).toBe(null);
    },
  );

  it('does not try a URI of great length', () => {
    expect(templateMatcher('x://{id}')?.(`x://${'a'.repeat(9000)}`)).toBe(false);
  });

  it.each(['x://{+a}{+b}{+c}{+d}z', `x://${'{+a}/'.repeat(10)}z`, `x://a${'{/a*}'.repeat(10)}z`])(
    'is quick to say that %s does not match',
    (template) => {
      const begun = performance.now();
      for (const fill of ['a', '/', '/a']) {
        expect(templateMatcher(template)?.(`x://a${fill.repeat(1000)}`)).toBe(false);
      }
      expect(performance.now() - begun).toBeLessThan(2000);
    },
  );
});

describe('URIs that a result returns', () => {
  it('are those of links, embedded resources, contents, prompt messages and app views', () => {
    const link = { type: 'resource_link', uri: 'a:1' };
    const embedded = { type: 'resource', resource: { uri: 'a:2' } };
    expect(returnedUris({ content: [link, embedded, { type: 'text', uri: 'no' }, null] })).toEqual(['a:1', 'a:2']);
    expect(returnedUris({ contents: [{ uri: 'a:3' }] })).toEqual(['a:3']);
    expect(returnedUris({ messages: [{ content: link }, { content: [embedded] }] })).toEqual(['a:1', 'a:2']);
    expect(returnedUris({ _meta: { ui: { resourceUri: 'ui://x' } } })).toEqual(['ui://x']);
    expect(returnedUris({ structuredContent: { uri: 'no' } })).toEqual([]);
    expect(returnedUris('uri')).toEqual([]);
  });
});
