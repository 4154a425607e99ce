import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { EVERYTHING, isAlive, publishing, SECRET, tool } from './publishing.ts';

const place = publishing();
const { file, run, server } = place;

describe('holdfast verify', () => {
  const samples = (...lines: readonly object[]): string => {
    writeFileSync(file('samples.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
    return file('samples.jsonl');
  };
  const call = (name: string, args: object, expect: string): object => ({ name, arguments: args, expect });

  test('finds which of yesterday’s calls a real server no longer takes', async () => {
    const given = samples(
      call('echo', { message: 'hi' }, 'accepted'),
      call('echo', {}, 'refused'),
      call('get-sum', { a: 1, b: 2 }, 'accepted'),
      call('get-sum', { a: 'one', b: 2 }, 'accepted'),
      call('printEnv', {}, 'accepted'),
      { kind: 'prompt', name: 'simple-prompt', expect: 'accepted' },
      { kind: 'prompt', name: 'simple_prompt', expect: 'accepted' },
      { kind: 'resource', name: 'demo://resource/dynamic/text/1', expect: 'accepted' },
      { kind: 'resource', name: 'demo://nothing', expect: 'refused' },
    );
    const ran = await run('--json', 'verify', given, '--', process.execPath, EVERYTHING);
    const found = JSON.parse(ran.stdout) as {
      ok: boolean;
      total: number;
      held: number;
      broken: { line: number; got: string }[];
    };
    expect(found.broken.map(({ line, got }) => [line, got])).toEqual([
      [4, 'refused'],
      [5, 'refused'],
      [7, 'refused'],
    ]);
    expect([ran.status, found.ok, found.total, found.held]).toEqual([1, false, 9, 6]);
    const text = await run('verify', given, '--', process.execPath, EVERYTHING);
    expect(text.stdout).toMatch(/^line 4: tool get-sum: expected accepted, was refused \(.+\)$/m);
    expect(text.stdout).toMatch(/6 of 9 samples hold, 3 broke\.\n$/);
    expect(existsSync(place.installation.data)).toBe(false);
  });

  test('tells by the inputs that a tool declares, or was sent, whether it complains about them', async () => {
    const said = (text: string) => ({ do: 'result', result: { isError: true, content: [{ type: 'text', text }] } });
    const given = samples(
      call('a', said('query is required'), 'refused'),
      call('a', said('limit is required'), 'accepted'),
      call('a', { ...said('Missing limit'), limit: 1 }, 'refused'),
      call('a', said('The parameter is fine, but the method was not found upstream'), 'accepted'),
    );
    const inputSchema = { type: 'object', properties: { query: { type: 'string' } } };
    const ran = await run('--json', 'verify', given, '--', ...server('words', { tools: [tool('a', { inputSchema })] }));
    expect(JSON.parse(ran.stdout)).toMatchObject({ ok: true, held: 4, broken: [] });
  });

  test('ends with 0 where every sample holds', async () => {
    const own = { isError: true, content: [{ type: 'text', text: 'no network' }] };
    const given = samples(call('a', { do: 'echo' }, 'accepted'), call('a', { do: 'result', result: own }, 'accepted'));
    const ran = await run('verify', given, '--', ...server('fine', { tools: [tool('a')] }));
    expect([ran.status, ran.stderr]).toEqual([0, '']);
    expect(ran.stdout).toBe(
      'fine 1.0.0: 2 of 2 samples hold, 0 broke. In 1 the call was taken and the tool then reported an error of its own.\n',
    );
  });

  test('goes on after calls that hang or end the server, and never hangs itself', async () => {
    const given = samples(
      call('a', { do: 'hang' }, 'accepted'),
      call('a', { do: 'exit' }, 'refused'),
      call('a', { do: 'ask', method: 'sampling/createMessage' }, 'accepted'),
      call('a', { do: 'ask', method: 'elicitation/create' }, 'accepted'),
      call('a', { do: 'error', error: { code: -32602, message: 'no' } }, 'refused'),
    );
    const control = { tools: [tool('a')], faults: { ignoreEof: true, grandchild: file('grandchild') } };
    const ran = await run('--json', 'verify', given, '--timeout', '2', '--', ...server('odd', control));
    const { broken } = JSON.parse(ran.stdout) as { broken: { line: number; got: string; reason: string }[] };
    expect(ran.status).toBe(1);
    expect(broken).toMatchObject([
      { line: 1, got: 'unanswered', reason: 'no answer within 2 s' },
      { line: 2, got: 'unanswered', reason: 'it exited with code 3' },
    ]);
    expect(isAlive(Number(readFileSync(file('grandchild'), 'utf8')))).toBe(false);
  });

  test('gives a server up that stops at every call, and says so of the rest', async () => {
    const given = samples(...Array.from({ length: 7 }, () => call('a', { do: 'exit' }, 'accepted')));
    const ran = await run('--json', 'verify', given, '--', ...server('dying', { tools: [tool('a')] }));
    const { broken } = JSON.parse(ran.stdout) as { broken: { reason: string }[] };
    expect(broken.map(({ reason }) => reason)).toEqual([
      ...Array.from({ length: 5 }, () => 'it exited with code 3'),
      ...Array.from({ length: 2 }, () => 'it was not sent, because the server had stopped answering'),
    ]);
  });

  test('prints no key that the server repeats', async () => {
    const given = samples(
      call('a', { do: 'error', error: { code: 1, message: `bad ${SECRET}` } }, 'accepted'),
      call(SECRET, { do: 'error', error: { code: 1, message: 'no' } }, 'accepted'),
    );
    const ran = await run(
      'verify',
      given,
      '--env',
      `API_KEY=${SECRET}`,
      '--',
      ...server('leak', { leakEnv: 'API_KEY' }),
    );
    expect(ran.status).toBe(1);
    expect(ran.stdout).toContain('•••');
    expect(`${ran.stdout}${ran.stderr}`).not.toContain(SECRET);
  });

  test('sends nothing where one sample is malformed, and names its line', async () => {
    const given = samples(call('a', {}, 'accepted'), { name: 'a' });
    const ran = await run('verify', given, '--', ...server('unused', { log: file('log') }));
    expect([ran.status, existsSync(file('log'))]).toEqual([2, false]);
    expect(ran.stderr).toContain('line 2');
  });
});
