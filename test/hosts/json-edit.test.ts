import { describe, expect, it } from 'vitest';
import { STRICT_JSON } from '../../electron/hosts/json-dialects.ts';
import type { JsonObject } from '../../electron/hosts/json-value.ts';
import { HostConfigProblem } from '../../electron/hosts/problem.ts';
import { insertBetween, undoInserts } from '../../electron/hosts/splice.ts';

const PLACE = { section: 'mcpServers', owner: 'gw-1' };
const VALUE = { command: 'bridge', args: ['--owner', 'gw-1'] };

const removeEntry = STRICT_JSON.remove;
function addEntry(text: string, place: typeof PLACE, name: string, value: JsonObject) {
  return STRICT_JSON.add(text, place, name, { always: value, atFirst: {} });
}

function add(text: string, value: JsonObject = VALUE): string {
  const added = addEntry(text, PLACE, 'holdfast', value);
  expect(undoInserts(added.text, added.inserts)).toBe(text);
  return added.text;
}

function problem(text: string): HostConfigProblem {
  try {
    addEntry(text, PLACE, 'holdfast', VALUE);
  } catch (error) {
    if (error instanceof HostConfigProblem) return error;
    throw error;
  }
  throw new Error('not refused');
}

describe('adding an entry copies the style around it', () => {
  it('writes a whole document into an empty text', () => {
    expect(add('')).toBe(
      '{\n  "mcpServers": {\n    "holdfast": {\n      "command": "bridge",\n      "args": [\n        "--owner",\n        "gw-1"\n      ]\n    }\n  }\n}\n',
    );
  });

  it('keeps the line ends of a text that is only white space', () => {
    expect(add('\r\n').replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  it('stays on one line and compact', () => {
    expect(add('{"a":1}')).toBe('{"a":1,"mcpServers":{"holdfast":{"command":"bridge","args":["--owner","gw-1"]}}}');
    expect(add('{}')).toBe('{"mcpServers":{"holdfast":{"command":"bridge","args":["--owner","gw-1"]}}}');
  });

  it('stays on one line and spaced', () => {
    expect(add('{"a": 1, "b": 2}\n')).toBe(
      '{"a": 1, "b": 2, "mcpServers": {"holdfast": {"command": "bridge", "args": ["--owner", "gw-1"]}}}\n',
    );
    expect(add('{ "mcpServers": {}, "a": 1 }')).toBe(
      '{ "mcpServers": { "holdfast": { "command": "bridge", "args": ["--owner", "gw-1"] } }, "a": 1 }',
    );
  });

  it('uses tabs where the text uses tabs', () => {
    expect(add('{\n\t"mcpServers": {\n\t\t"a": {\n\t\t\t"command": "x"\n\t\t}\n\t}\n}')).toBe(
      '{\n\t"mcpServers": {\n\t\t"a": {\n\t\t\t"command": "x"\n\t\t},\n\t\t"holdfast": {\n\t\t\t"command": "bridge",\n\t\t\t"args": [\n\t\t\t\t"--owner",\n\t\t\t\t"gw-1"\n\t\t\t]\n\t\t}\n\t}\n}',
    );
  });

  it('writes one line per server where its neighbour is on one line', () => {
    expect(add('{\n  "mcpServers": {\n    "a": { "command": "x", "args": [] }\n  }\n}')).toBe(
      '{\n  "mcpServers": {\n    "a": { "command": "x", "args": [] },\n    "holdfast": { "command": "bridge", "args": ["--owner", "gw-1"] }\n  }\n}',
    );
  });

  it('fills an empty section on lines of its own', () => {
    expect(add('{\n    "mcpServers": {},\n    "z": 1\n}\n')).toMatch(
      /^\{\n {4}"mcpServers": \{\n {8}"holdfast": \{\n {12}"command": "bridge",[^]*\n {8}\}\n {4}\},\n {4}"z": 1\n\}\n$/,
    );
  });

  it('keeps a lone CR as line end', () => {
    expect(add('{\r  "a": 1\r}\r')).not.toMatch(/\n/);
  });

  it('does not take the names of object properties for members', () => {
    expect(JSON.parse(add('{"mcpServers":{"__proto__":{"command":"p"},"constructor":{}}}'))).toHaveProperty(
      ['mcpServers', 'holdfast'],
      VALUE,
    );
  });
});

describe('an entry of ours that is there already', () => {
  const OLD = '{"mcpServers":{"mine": {"command" :"old", "args":["--owner=gw-1"],"env":{"KEEP":"1"}},"b":{}}}';

  it('is left alone where it says the same', () => {
    const text = add('{"a":1}');
    expect(addEntry(text, PLACE, 'holdfast', VALUE)).toMatchObject({ text, inserts: [], did: 'nothing' });
  });

  it('is brought up to date byte by byte, whatever its name, and keeps what was added by hand', () => {
    expect(add(OLD, { command: 'new', args: ['--owner=gw-1'] })).toBe(OLD.replace('"old"', '"new"'));
  });

  it('gets members that it lacks', () => {
    const value = { command: 'old', args: ['--owner=gw-1'], env: { HOME: '/h' }, cwd: '/w' };
    expect(add(OLD, value)).toBe(OLD.replace('{"KEEP":"1"}', '{"KEEP":"1","HOME":"/h"}, "cwd" :"/w"'));
  });

  it('is told from an entry of another owner whose token begins alike', () => {
    const text = '{"mcpServers":{"holdfast":{"command":"x","args":["--owner","gw-11"]}}}';
    expect(addEntry(text, PLACE, 'holdfast', VALUE)).toMatchObject({ name: 'holdfast-2', did: 'added' });
  });

  it('gets the next free name where others have its name', () => {
    const text = '{"mcpServers":{"holdfast":{"command":"x"},"holdfast-2":{}}}';
    expect(addEntry(text, PLACE, 'holdfast', VALUE).name).toBe('holdfast-3');
  });
});

describe('a text whose meaning is in doubt is refused, with the place', () => {
  it.each([
    ['a comment', '{\n  // mine\n}', 'SYNTAX', 2, 3, 'comments are not allowed'],
    ['a trailing comma', '{"a":1,}', 'SYNTAX', 1, 8, 'one comma too many'],
    ['a missing comma', '{\r\n"a":1\r\n"b":2}', 'SYNTAX', 3, 1, 'a comma is missing before this'],
    ['a missing brace', '{"a":1', 'SYNTAX', 1, 7, 'a closing } is missing'],
    ['a single backslash', '{"a":"C:\\Users"}', 'SYNTAX', 1, 6, 'write it twice'],
    ['more after the end', '{"a":1}}', 'SYNTAX', 1, 8, 'more text after the end'],
    ['a hard space', '\u00a0', 'SYNTAX', 1, 1, 'does not belong'],
    ['a list as root', ' []', 'ROOT_TYPE', 1, 2, 'not inside { and }'],
    ['a list as section', '{"mcpServers": []}', 'SECTION_TYPE', 1, 16, 'mcpServers'],
    ['the section twice', '{"mcpServers":{},\n"mcpServers":{}}', 'DUP_SECTION', 2, 1, 'line 1 and 2'],
    ['the section twice, once escaped', '{"mcpServers":{},\n"mcpServer\\u0073":{}}', 'DUP_SECTION', 2, 1, '2 times'],
    ['our name twice', '{"mcpServers":{"holdfast":{},\n"holdfast":{}}}', 'DUP_ENTRY', 2, 1, 'line 1 and 2'],
  ])('%s', (_, text, code, line, column, words) => {
    const found = problem(text);
    expect(found).toMatchObject({ code, line, column });
    expect(found.message).toContain(words);
  });

  it('our entry twice under two names', () => {
    const ours = '{"command":"x","args":["--owner","gw-1"]}';
    expect(problem(`{"mcpServers":{"a":${ours},"b":${ours}}}`).code).toBe('DUP_ENTRY');
  });

  it('thousands of nested brackets', () => {
    const nest = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    expect(problem(`{"mcpServers":{"a":${nest}}}`).code).toBe('SHAPE');
    expect(problem(`{"a":${nest}x}`).code).toBe('SHAPE');
  });

  it('ninety-nine taken names', () => {
    const names = Array.from({ length: 99 }, (_, at) => `"holdfast${at === 0 ? '' : `-${at + 1}`}":{}`);
    expect(problem(`{"mcpServers":{${names.join(',')}}}`).code).toBe('NAME_TAKEN');
  });
});

describe('what is in other settings is none of our business', () => {
  it('however deep or long it is', () => {
    for (const other of [`${'['.repeat(50_000)}${']'.repeat(50_000)}`, JSON.stringify('\n'.repeat(2_000_000))]) {
      expect(add(`{"a":${other},"mcpServers":{}}`)).toContain('"mcpServers":{"holdfast"');
    }
  });
});

describe('removing an entry cuts nothing else', () => {
  const OURS = '"holdfast": { "command": "x", "args": ["--owner", "gw-1"] }';

  it.each([
    ['the only one', `{\n  "mcpServers": {\n    ${OURS}\n  }\n}`, '{\n  "mcpServers": {}\n}'],
    [
      'the first',
      `{\n  "mcpServers": {\n    ${OURS},\n\n    "b": 1\n  }\n}`,
      '{\n  "mcpServers": {\n\n    "b": 1\n  }\n}',
    ],
    ['one in the middle', `{"mcpServers": {"a": 1, ${OURS} , "b": 2}}`, '{"mcpServers": {"a": 1, "b": 2}}'],
    ['the last', `{"mcpServers": {"a": 1 ,\n${OURS}\n}}`, '{"mcpServers": {"a": 1\n}}'],
  ])('%s', (_, text, rest) => {
    expect(removeEntry(text, PLACE, { dropEmptySection: false })).toEqual({ text: rest, name: 'holdfast' });
  });

  it('drops a section that became empty only when asked to', () => {
    const text = `{\n  "mcpServers": {\n    ${OURS}\n  },\n  "z": 1\n}`;
    expect(removeEntry(text, PLACE, { dropEmptySection: true }).text).toBe('{\n  "z": 1\n}');
    const shared = text.replace(OURS, `${OURS}, "b": 1`);
    expect(removeEntry(shared, PLACE, { dropEmptySection: true }).text).toContain('"mcpServers": { "b": 1');
  });

  it('finds nothing where the token is elsewhere', () => {
    const text =
      '{"owner": "gw-1", "mcpServers": {"a": {"command": "gw-1", "args": "gw-1"}, "b": {"args": [["gw-1"]]}}}';
    expect(removeEntry(text, PLACE, { dropEmptySection: true })).toEqual({ text, name: undefined });
  });
});

describe('the difference of two texts', () => {
  it.each([
    ['abc', 'abXc'],
    ['aa', 'aaa'],
    ['', 'x'],
    ['abab', 'ab'],
  ])('leads from %j back and forth', (before, after) => {
    expect(undoInserts(after, insertBetween(before, after))).toBe(before);
  });

  it('cannot be undone on another text', () => {
    expect(undoInserts('something else', insertBetween('abc', 'abXc'))).toBeUndefined();
  });
});
