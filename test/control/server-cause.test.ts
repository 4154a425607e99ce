import { describe, expect, test } from 'vitest';
import { causeOfServer, type ServerCause, type ServerFacts } from '../../electron/control/server-cause.ts';

const fine: ServerFacts = {
  state: 'working',
  reason: null,
  lastWords: [],
  command: 'npx',
  args: ['-y', 'exa-mcp-server'],
  lostKeys: [],
  areKeysShut: false,
  hasTroubles: false,
};
const broken = (reason: string, ...lastWords: string[]): ServerFacts => ({
  ...fine,
  state: 'problem',
  reason,
  lastWords,
});
const exited = (...lastWords: string[]): ServerFacts => broken('it exited with code 1', ...lastWords);
const scripted = (facts: ServerFacts): ServerFacts => ({ ...facts, command: 'node', args: ['/srv/files.js', '/home'] });

const FILE_GONE = {
  sentence: '“/srv/files.js” is not there any more, or was never there.',
  fix: 'Choose the right file or folder in the server’s settings.',
};
const PART_GONE = 'A part of the server is missing: “zod”.';
const NO_NETWORK = 'The server has to be downloaded first, and the internet cannot be reached.';
const NOT_ALLOWED = '“npx” is not allowed to run, or to use a file that it needs.';

const CASES: readonly (readonly [string, ServerFacts, ServerCause | null])[] = [
  ['works', fine, null],
  ['was not needed yet', { ...fine, state: 'idle' }, null],
  ['is being started', { ...fine, state: 'starting' }, null],
  ['works, and a list broke off', { ...fine, hasTroubles: true }, { kind: 'partial' }],
  ['has no program', broken('its program was not found'), { kind: 'program', program: 'npx' }],
  [
    'has no program where it is said to be',
    { ...broken('its program was not found, 5 times in a row'), command: 'C:\\tools\\uvx.exe' },
    { kind: 'program', program: 'uvx' },
  ],
  [
    'has no script',
    scripted(exited("Error: Cannot find module '/srv/files.js'", '  at node:internal')),
    { kind: 'other', told: FILE_GONE },
  ],
  [
    'has no script of Python',
    scripted(exited("python: can't open file '/srv/files.js': [Errno 2] No such file or directory")),
    { kind: 'other', told: FILE_GONE },
  ],
  [
    'lacks a part of its own',
    scripted(exited("Error: Cannot find module 'zod'")),
    { kind: 'crash', told: { sentence: PART_GONE, fix: 'Install the server again, or ask its author.' } },
  ],
  [
    'says which key it wants',
    exited('Error: BRAVE_API_KEY environment variable is required'),
    { kind: 'key', name: 'BRAVE_API_KEY' },
  ],
  [
    'says so with more words around it',
    exited('starting', 'Please set GITHUB_TOKEN first', 'bye'),
    { kind: 'key', name: 'GITHUB_TOKEN' },
  ],
  ['wants a key without a name', exited('No API key provided.'), { kind: 'key', name: null }],
  ['was turned away', exited('HTTP 401 Unauthorized'), { kind: 'key', name: null }],
  [
    'wants a key and waits',
    broken('no answer within 30 s', 'NOTION_TOKEN is not set'),
    { kind: 'key', name: 'NOTION_TOKEN' },
  ],
  ['only names its key', exited('using EXA_API_KEY', 'TypeError: x is not a function'), { kind: 'crash', told: null }],
  ['ends by itself', exited('TypeError: x is not a function'), { kind: 'crash', told: null }],
  ['was killed', broken('it was ended by SIGSEGV'), { kind: 'crash', told: null }],
  ['does not answer', broken('no answer within 30 s'), { kind: 'slow', told: null }],
  [
    'finds no network',
    exited('npm error code EAI_AGAIN', 'npm error network'),
    { kind: 'slow', told: { sentence: NO_NETWORK, fix: 'Connect to the internet, then try again.' } },
  ],
  [
    'cannot list its tools in time',
    broken('its list of tools cannot be read: no answer within 15 s'),
    { kind: 'slow', told: null },
  ],
  [
    'cannot list its tools',
    broken('its list of tools cannot be read: its answer is malformed'),
    { kind: 'other', told: null },
  ],
  [
    'may not be run',
    broken('its program may not be run'),
    { kind: 'other', told: { sentence: NOT_ALLOWED, fix: 'Allow it in your system’s settings, or install it again.' } },
  ],
  ['has keys that cannot be read', { ...broken('x'), lostKeys: ['A'], areKeysShut: true }, { kind: 'locked' }],
  ['has lost a key', { ...broken('x'), lostKeys: ['A', 'B'] }, { kind: 'key', name: 'A' }],
  [
    'ended with words that sound like a time-out',
    broken('it exited with code 1 (no answer within 30 s)'),
    { kind: 'crash', told: null },
  ],
];

describe('a server', () => {
  test.each(CASES)('that %s', (_, facts, cause) => {
    expect(causeOfServer(facts, 'en')).toEqual(cause);
  });
});
