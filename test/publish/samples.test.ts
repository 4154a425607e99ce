import { describe, expect, it } from 'vitest';
import { asHoldfastError } from '../../electron/core/errors.ts';
import { readSamples } from '../../electron/publish/samples.ts';
import { verdictOf, type Reply } from '../../electron/publish/verdict.ts';

function refused(text: string | Buffer): string {
  try {
    readSamples('s.jsonl', Buffer.from(text));
  } catch (thrown) {
    const { code, details } = asHoldfastError(thrown);
    return `${code}: ${String(details['reason'])}`;
  }
  return 'taken';
}

describe('recorded requests', () => {
  it('are read one per line, with the line they stand in', () => {
    const text = [
      '{"name":"a","arguments":{"__proto__":1},"expect":"accepted","note":"n"}',
      '',
      '{"kind":"resource","name":"file:///x","expect":"refused"}\r',
    ].join('\n');
    const [first, second] = readSamples('s.jsonl', Buffer.from(text));
    expect(JSON.stringify(first?.arguments)).toBe('{"__proto__":1}');
    expect(first).toMatchObject({ line: 1, kind: 'tool', name: 'a', expect: 'accepted' });
    expect(second).toEqual({ line: 3, kind: 'resource', name: 'file:///x', expect: 'refused' });
  });

  const ok = '{"name":"a","expect":"accepted"}';
  it.each<[what: string, text: string | Buffer, reason: string]>([
    ['an empty file', '\n \n', 'there is no sample in it'],
    ['what is no UTF-8', Buffer.from([0xff]), 'it is not UTF-8 text'],
    ['what is no JSON', `${ok}\n{`, 'line 2: it is not JSON'],
    [
      'a missing expectation',
      `\n${ok}\n{"name":"a"}`,
      'line 3: “expect”: Invalid option: expected one of "accepted"|"refused"',
    ],
    ['an unknown member', '{"name":"a","expect":"accepted","arg":{}}', 'line 1: Unrecognized key: "arg"'],
    [
      'arguments that are a list',
      '{"name":"a","expect":"accepted","arguments":[]}',
      'line 1: “arguments”: expected an object',
    ],
    [
      'arguments of a resource',
      '{"kind":"resource","name":"a","expect":"accepted","arguments":{}}',
      'line 1: a resource is read by its address and takes no “arguments”',
    ],
    [
      'a line beyond 1 MB',
      `{"name":"a","expect":"accepted","note":"${'x'.repeat(1_100_000)}"}`,
      'line 1: it is longer than 1 MB',
    ],
    ['a deep line', `${ok}\n${'['.repeat(5_000)}`, 'line 2: it is nested too deep'],
    ['too many', `${ok}\n`.repeat(10_001), 'it has more than 10,000 samples'],
  ])('are refused all together for %s', (_, text, reason) => {
    expect(refused(text)).toBe(`SAMPLES_UNREADABLE: ${reason}`);
  });
});

describe('an answer', () => {
  const failing = (text: string): Reply => ({
    type: 'result',
    result: { isError: true, content: [{ type: 'text', text }] },
  });
  const inputs = ['query', 'type', 'a', 'max-results'];
  const asked = (method = 'tools/call') => ({ method, name: 'find', inputs });
  const error = (code: number, message = 'no'): Reply => ({ type: 'error', code, message });

  it.each<[what: string, method: string, reply: Reply]>([
    ['a result', 'tools/call', { type: 'result', result: { content: [] } }],
    ['a result of structured content alone', 'tools/call', { type: 'result', result: { structuredContent: {} } }],
    ['a prompt', 'prompts/get', { type: 'result', result: { messages: [] } }],
    ['a resource', 'resources/read', { type: 'result', result: { contents: [] } }],
    ['a tool that found nothing', 'tools/call', failing('No results for that query')],
    ['a tool without network', 'tools/call', failing('fetch failed: ECONNREFUSED')],
    ['a tool without its key', 'tools/call', failing('Invalid API key')],
    [
      'a tool whose upstream is gone',
      'tools/call',
      failing('The parameter is fine, but the method was not found upstream'),
    ],
    ['a tool whose answer was another', 'tools/call', failing('Upstream sent row 7 where a header field expected')],
    ['a tool that has to sign in', 'tools/call', failing('The parameter is fine but you must sign in')],
    ['a tool whose own tool is gone', 'tools/call', failing('The tool git was not found on this machine')],
    ['a tool that names its input', 'tools/call', failing('The query "tea" failed: missing index at upstream')],
    ['an article that is an input', 'tools/call', failing('Missing a licence for this server')],
    ['part of a longer word', 'tools/call', failing('subquery is invalid; type-check missing')],
    ['a tool whose file is not there', 'tools/call', failing('Error: ENOENT: no such file or directory')],
  ])('accepts: %s', (_, method, reply) => {
    expect(verdictOf(asked(method), reply).outcome).toBe('accepted');
  });

  it('says where a tool took the call and failed by itself', () => {
    expect(verdictOf(asked(), failing('Invalid API key'))).toMatchObject({
      isOwnError: true,
      reason: 'Invalid API key',
    });
  });

  it.each<[what: string, reply: Reply]>([
    ['invalid params', error(-32602)],
    ['an unknown method', error(-32601)],
    ['an internal error', error(-32603, 'Unknown tool: x')],
    ['a code of the server’s own', error(7)],
    ['the SDK’s check of arguments', failing('MCP error -32602: Input validation error: Invalid arguments for tool a')],
    ['the SDK’s unknown tool', failing('MCP error -32602: Tool a not found')],
    ['zod', failing('[{"code": "invalid_type", "expected": "string", "path": ["q"], "message": "Required"}]')],
    ['pydantic', failing('1 validation error for aArguments\nq\n  Field required [type=missing]')],
    ['ajv', failing("data must have required property 'q'")],
    ['jsonschema', failing("'q' is a required property")],
    ['a server’s own words', failing('Missing required parameter: q')],
    ['other words', failing('The query parameter is required')],
    ['an unknown tool in words', failing('Unknown tool: find')],
    ['an unknown tool in other words', failing('Error: tool "find" does not exist')],
    ['an unknown tool without its name', failing('Unknown tool')],
    ['an input that is required', failing('query is required')],
    ['zod, made readable', failing('query: Required')],
    ['an input that is missing', failing('Missing query')],
    ['a value of an input', failing('Invalid value "deep" for type')],
    ['a type of an input', failing('query: Expected string, received number')],
    ['an input that must be something', failing('`max-results` must be between 1 and 10')],
    ['an input that is empty', failing('Error: query cannot be empty')],
    ['an input that no longer is one', failing("Unexpected argument 'a'")],
    ['an input with a name like a word', failing('Missing "a"')],
  ])('refuses: %s', (_, reply) => {
    expect(verdictOf(asked(), reply).outcome).toBe('refused');
  });

  it.each<[what: string, method: string, reply: Reply]>([
    ['none', 'tools/call', { type: 'none', reason: 'no answer within 1 s' }],
    ['what is no result', 'tools/call', { type: 'result', result: 7 }],
    ['a prompt without messages', 'prompts/get', { type: 'result', result: {} }],
    ['a resource without contents', 'resources/read', { type: 'result', result: { messages: [] } }],
  ])('is no answer: %s', (_, method, reply) => {
    expect(verdictOf(asked(method), reply).outcome).toBe('unanswered');
  });
});
