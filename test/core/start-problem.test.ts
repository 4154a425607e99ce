import { describe, expect, test } from 'vitest';
import { startProblem, type StartFacts } from '../../electron/core/start-problem.ts';
import { START_PROBLEM_CODES, startProblemWords } from '../../electron/core/start-problem-words.ts';
import { jargonIn } from '../support/jargon.ts';

const LOG = 'npm error A complete log of this run can be found in: /h/.npm/_logs/2026-11-30T20_21_13_391Z-debug-0.log';

type Case = readonly [name: string, program: string, printed: string, code: string, subject: string, reason?: string];

/** What real programs printed, run for this table (Node 20, npm 11, Python 3.11, Docker 28), and how they ended. */
const RECORDED: readonly Case[] = [
  [
    'npx of no such package',
    'npx -y mcp-sever@1.0.0',
    `npm error code E404\nnpm error 404 Not Found - GET https://registry.npmjs.org/mcp-sever\nnpm error 404  The requested resource 'mcp-sever@1.0.0' could not be found or you do not have permission to access it.\n${LOG}`,
    'package-missing',
    'mcp-sever@1.0.0',
  ],
  [
    'npx of no such version',
    'npx -y @brave/brave-search-mcp-server@2.0.0',
    `npm error code ETARGET\nnpm error notarget No matching version found for @brave/brave-search-mcp-server@2.0.0.\n${LOG}`,
    'version-missing',
    '@brave/brave-search-mcp-server@2.0.0',
  ],
  [
    'npx without a network',
    'npx -y semver@7.6.3',
    `npm error code ENOTFOUND\nnpm error syscall getaddrinfo\nnpm error errno ENOTFOUND\nnpm error network request to http://registry.invalid/semver failed, reason: getaddrinfo ENOTFOUND registry.invalid\nnpm error network This is a problem related to network connectivity.\nnpm error network If you are behind a proxy, please make sure that the 'proxy' config is set properly.  See: 'npm help config'\n${LOG}`,
    'needs-network',
    'npx',
  ],
  [
    'npx behind a closed door',
    'npx -y semver@7.6.3',
    `npm error   code: 'ECONNREFUSED',\nnpm error   errno: 'ECONNREFUSED',\nnpm error   syscall: 'connect',\nnpm error   address: '127.0.0.1',\nnpm error }\nnpm error If you are behind a proxy, please make sure that the 'proxy' config is set properly.  See: 'npm help config'\n${LOG}`,
    'needs-network',
    'npx',
  ],
  [
    'npx offline with nothing kept',
    'npx -y semver@7.6.3',
    `npm error code ENOTCACHED\nnpm error request to https://registry.npmjs.org/semver failed: cache mode is 'only-if-cached' but no cached response is available.\n${LOG}`,
    'needs-network',
    'npx',
  ],
  [
    'npx behind a proxy that looks in',
    'npx -y semver@7.6.3',
    `npm error code DEPTH_ZERO_SELF_SIGNED_CERT\nnpm error errno DEPTH_ZERO_SELF_SIGNED_CERT\nnpm error request to https://localhost:8443/semver failed, reason: self-signed certificate\n${LOG}`,
    'traffic-inspected',
    'npx',
  ],
  [
    'npx that may not write',
    'npx -y semver@7.6.3',
    'npm error code EACCES\nnpm error syscall mkdir\nnpm error path /h/c\nnpm error errno EACCES\nnpm error Your cache folder contains root-owned files, due to a bug in previous versions of npm which has since been addressed.',
    'not-allowed',
    'npx',
  ],
  [
    'npx of a server for a newer Node',
    'npx -y eng',
    "npm warn EBADENGINE Unsupported engine {\nnpm warn EBADENGINE   required: { node: '>=22.0.0' },\nconst x = await using y;\nSyntaxError: await is only valid in async functions and the top level bodies of modules\n    at wrapSafe (node:internal/modules/cjs/loader:1464:18)\nNode.js v20.20.2",
    'runtime-old',
    'Node.js',
  ],
  [
    'a script that is gone',
    'node /srv/server.js',
    "  throw err;\n  ^\nError: Cannot find module '/srv/server.js'\n    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)\n  code: 'MODULE_NOT_FOUND',\nNode.js v20.20.2",
    'file-missing',
    '/srv/server.js',
  ],
  [
    'a server that lacks a part (recorded)',
    'node s.js',
    "Fatal error in main(): Cannot find module '/srv/run/inst/node_modules/@modelcontextprotocol/sdk/dist/esm/server/mcp' imported from /srv/run/inst/node_modules/@heroku/mcp-server/dist/index.js",
    'file-missing',
    '/srv/run/inst/node_modules/@modelcontextprotocol/sdk/dist/esm/server/mcp',
  ],
  [
    'a server that lacks its binary part',
    'node s.js',
    "Error: Cannot find module '../build/Release/keytar.node'\nRequire stack:\n- /srv/run/inst/node_modules/keytar/lib/keytar.js",
    'part-missing',
    '../build/Release/keytar.node',
  ],
  [
    'a Python script that is gone',
    'python3 /srv/nope.py',
    "/usr/bin/python3: can't open file '/srv/nope.py': [Errno 2] No such file or directory",
    'file-missing',
    '/srv/nope.py',
    'it exited with code 2',
  ],
  [
    'a Python module that is not there',
    'python3 -m mcp_server_nope',
    '/usr/bin/python3: No module named mcp_server_nope',
    'part-missing',
    'mcp_server_nope',
  ],
  [
    'a Python library that is not there',
    'python3 s.py',
    'Traceback (most recent call last):\n  File "s.py", line 1, in <module>\nModuleNotFoundError: No module named \'mcp\'',
    'part-missing',
    'mcp',
  ],
  [
    'Docker that is not running',
    'docker run -i --rm mcp/fetch',
    "docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?\nRun 'docker run --help' for more information",
    'engine-off',
    'docker',
    'it exited with code 125',
  ],
  [
    'a folder that is gone',
    'npx -y @modelcontextprotocol/server-filesystem /home/a/gone',
    'Warning: Cannot access directory /home/a/gone, skipping\nError: None of the specified directories are accessible',
    'file-missing',
    '/home/a/gone',
  ],
  [
    'a port in use',
    'node s.js',
    "Emitted 'error' event on Server instance at:\n  code: 'EADDRINUSE',\n  port: 8080",
    'port-taken',
    'node',
  ],
  [
    'a program named in the first line of a script',
    './tool',
    '/usr/bin/env: ‘nosuchinterp’: No such file or directory',
    'part-missing',
    'nosuchinterp',
    'it exited with code 127',
  ],
  [
    'Airtable without its key',
    'npx -y airtable-mcp-server',
    'Error: airtable-mcp-server: No API key provided. Set it in the `AIRTABLE_API_KEY` environment variable\n    at new AirtableService (file:///c/_npx/490b/node_modules/airtable-mcp-server/dist/airtableService.js:11:19)',
    'key-missing',
    'AIRTABLE_API_KEY',
  ],
  [
    'Slack without its keys',
    'npx -y @modelcontextprotocol/server-slack',
    'Please set SLACK_BOT_TOKEN and SLACK_TEAM_ID environment variables',
    'key-missing',
    'SLACK_BOT_TOKEN',
  ],
  [
    'Perplexity without its key',
    'npx -y @perplexity-ai/mcp-server',
    'Error: PERPLEXITY_API_KEY environment variable is required',
    'key-missing',
    'PERPLEXITY_API_KEY',
  ],
  [
    'Linear without its key',
    'npx -y @tacticlaunch/mcp-linear',
    'API token not found in command line args or environment variables\nError starting MCP Linear Error: Linear credentials not found. Provide an API token via --token, LINEAR_API_TOKEN, or LINEAR_API_KEY, or sign in with `mcp-linear auth login`.',
    'key-missing',
    '',
  ],
  [
    'Postgres without its address',
    'npx -y @modelcontextprotocol/server-postgres',
    'Please provide a database URL as a command-line argument',
    'needs-more',
    'npx',
  ],
  [
    'Nx without its folder',
    'npx -y nx-mcp',
    'Please provide a workspace root as the first argument or with --workspacePath',
    'needs-more',
    'npx',
  ],
  [
    'Apify without a network',
    'npx -y @apify/actors-mcp-server',
    'WARN  ApifyClient: API request failed 4 times. Max attempts: 9.\nCause:Error: getaddrinfo EAI_AGAIN api.apify.com',
    'unreachable',
    'npx',
    'no answer within 30 s',
  ],
  [
    'a database that is off',
    'node s.js',
    "Error: connect ECONNREFUSED 127.0.0.1:5432\n  code: 'ECONNREFUSED'",
    'unreachable',
    'node',
  ],
  [
    'a server of npx with a database that is off',
    'npx -y pg-mcp@1.0.0',
    'Error: connect ECONNREFUSED 127.0.0.1:5432',
    'unreachable',
    'npx',
  ],
  [
    'no memory',
    'node s.js',
    'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
    'out-of-memory',
    'node',
    'it was ended by SIGABRT',
  ],
  ['a program that is no server', '/bin/ls', 'x', 'not-a-server', 'ls', 'it exited with code 0'],
  ['a program that is not there', '/opt/x/tool.exe', '', 'program-missing', 'tool', 'its program was not found'],
  ['a folder in place of a program', '/opt/x', '', 'not-allowed', 'x', 'its program may not be run'],
  ['a crash without a word', 'node s.js', '', 'crashed', 'node'],
  ['a crash of the machine’s doing', 'node s.js', '', 'ended-by-system', 'node', 'it was ended by SIGKILL'],
  ['a crash in machine code', 'tool', '', 'crashed', 'tool', 'it was ended by SIGSEGV'],
  ['silence', 'node s.js', 'Loading modules: No module named x is needed', 'too-slow', 'node', 'no answer within 30 s'],
  [
    'silence of a server without its key',
    'node s.js',
    'Waiting: FOO_API_KEY is not set',
    'key-missing',
    'FOO_API_KEY',
    'no answer within 30 s',
  ],
];

/** What others print, by their sources and by reports: they could not be run here. */
const REPORTED: readonly Case[] = [
  [
    'uvx of no such package',
    'uvx mcp-sever',
    '  × No solution found when resolving tool dependencies:\n  ╰─▶ Because mcp-sever was not found in the package registry and you require mcp-sever, we can conclude that your requirements are unsatisfiable.',
    'package-missing',
    'mcp-sever',
  ],
  [
    'uvx without a network',
    'uvx mcp-server-time',
    'error: Request failed after 3 retries\n  Caused by: Failed to fetch: `https://pypi.org/simple/mcp-server-time/`\n  Caused by: error sending request for url\n  Caused by: dns error: failed to lookup address information',
    'needs-network',
    'uvx',
    'it exited with code 2',
  ],
  [
    'uvx behind a proxy that looks in',
    'uvx mcp-server-time',
    '  Caused by: invalid peer certificate: UnknownIssuer',
    'traffic-inspected',
    'uvx',
  ],
  [
    'uvx of a server for a newer Python',
    'uvx pkg',
    '  ╰─▶ Because the current Python version (3.9.6) does not satisfy Python>=3.10 and pkg==1.0 depends on Python>=3.10',
    'runtime-old',
    'Python',
  ],
  [
    'Docker of no such image',
    'docker run -i --rm no/such',
    "docker: Error response from daemon: pull access denied for no/such, repository does not exist or may require 'docker login'",
    'image-missing',
    'no/such',
  ],
  [
    'a full disk',
    'npx -y x',
    'npm error code ENOSPC\nnpm error nospc ENOSPC: no space left on device, write',
    'disk-full',
    'npx',
  ],
  [
    'a program for a newer Linux',
    '/opt/tool',
    "/opt/tool: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by /opt/tool)",
    'runtime-old',
    'Linux',
  ],
  ['a program for another processor', '/opt/tool', '', 'wrong-machine', 'tool', 'spawn Unknown system error -86'],
  [
    'a key that was taken back',
    'node s.js',
    'Error: Request failed with status code 401: Unauthorized',
    'key-refused',
    '',
  ],
];

function factsOf([, program, printed, , , reason = 'it exited with code 1']: Case): StartFacts {
  const [command = '', ...args] = program.split(' ');
  return { reason, command, args, lastWords: printed.split('\n') };
}

describe('why a server does not start', () => {
  test.each([...RECORDED, ...REPORTED].map((row) => [row[0], row] as const))('is told of %s', (_, row) => {
    expect(startProblem(factsOf(row))).toEqual({
      code: row[3],
      subject: row[4],
    });
  });

  test('is told whatever a server prints, and in a short time', () => {
    const words = [
      'a'.repeat(20_000),
      "'".repeat(20_000),
      'Cannot find module '.repeat(1_000),
      '‘'.repeat(20_000),
      'A_'.repeat(10_000),
    ];
    const facts = { reason: 'it exited with code 1', command: 'x', args: ['y'], lastWords: words };
    expect(START_PROBLEM_CODES).toContain(startProblem(facts).code);
  });
});

describe.each(START_PROBLEM_CODES)('the words of %s', (code) => {
  test.each(['en', 'zh-CN'] as const)('in %s are a sentence and one thing to do, without jargon', (language) => {
    for (const subject of ['', 'x\u202e\n{subject}']) {
      const { sentence, fix } = startProblemWords({ code, subject }, language);
      expect(sentence).toMatch(/^\S.*[.。]$/);
      expect(fix).toMatch(/^\S.*[.。]$/);
      expect(`${sentence}${fix}`).not.toMatch(/[\u202e\n]/);
      expect(jargonIn(startProblemWords({ code, subject: 'x' }, language).sentence + fix, language)).toEqual([]);
    }
  });
});
