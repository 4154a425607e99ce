import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPaste } from '../../electron/control/pasted/read.ts';
import type { PastedServer } from '../../electron/control/pasted/pasted.ts';

function one(text: string): PastedServer {
  const read = readPaste(text);
  if (!read.ok) throw new Error(`not read: ${read.reason}`);
  expect(read.servers).toHaveLength(1);
  return read.servers[0];
}
const line = (text: string): string => {
  const { command, args } = one(text);
  return [command, ...args].join(' ');
};
const reason = (text: string): string => {
  const read = readPaste(text);
  return read.ok ? `read as ${read.servers.map(({ command }) => command).join(', ')}` : read.reason;
};

const EXA = '{"command": "npx", "args": ["-y", "exa-mcp-server"], "env": {"EXA_API_KEY": "your-api-key"}}';

describe('a block of settings', () => {
  test.each([
    ['whole, as Claude has it', `{"mcpServers": {"exa": ${EXA}}}`],
    ['as VS Code has it', `{"servers": {"exa": ${EXA}}}`],
    ['inside other settings', `{"theme": "dark", "mcp": {"servers": {"exa": ${EXA}}}}`],
    ['an entry cut out of the middle', `"exa": ${EXA},`],
    ['with comments and trailing commas', `{ // add this\n "mcpServers": {"exa": ${EXA},},\n}`],
    ['in a fence', `\`\`\`json\n{"mcpServers": {"exa": ${EXA}}}\n\`\`\``],
    ['with words before it', `Add this to your settings:\n\n{"mcpServers": {"exa": ${EXA}}}`],
  ])('%s', (_, text) => {
    expect(one(text)).toEqual({
      name: 'Exa',
      command: 'npx',
      args: ['-y', 'exa-mcp-server'],
      env: [{ name: 'EXA_API_KEY', value: null, isSecret: true }],
      holes: [],
      isRemote: false,
    });
  });

  test('an entry by itself is named after its package', () => {
    expect(one('{"command": "uvx", "args": ["mcp-server-git", "--repository", "/path/to/repo"]}')).toMatchObject({
      name: 'Git',
      holes: [{ at: 2, label: '/path/to/repo' }],
    });
  });

  test('a whole line in the command, a list for a command, numbers in the environment', () => {
    expect(line('{"exa": {"command": "npx -y exa-mcp-server"}}')).toBe('npx -y exa-mcp-server');
    expect(line('{"exa": {"command": ["npx", "-y", "exa"]}}')).toBe('npx -y exa');
    expect(one('{"x": {"command": "node", "args": [8], "env": {"PORT": 3000}}}')).toMatchObject({
      args: ['8'],
      env: [{ name: 'PORT', value: '3000', isSecret: false }],
    });
  });

  test('several servers are several', () => {
    const read = readPaste('{"mcpServers": {"a": {"command": "npx"}, "b": {"url": "https://mcp.b.example/sse"}}}');
    expect(read.ok && read.servers.map(({ name, isRemote }) => [name, isRemote])).toEqual([
      ['A', false],
      ['B', true],
    ]);
  });

  test('keys of an address go into the environment, never on the command line', () => {
    const text = '{"x": {"url": "https://x.example/mcp", "headers": {"Authorization": "Bearer abc123"}}}';
    expect(one(text)).toMatchObject({
      command: 'npx',
      args: ['-y', 'mcp-remote', 'https://x.example/mcp', '--header', 'Authorization:${HEADER_AUTHORIZATION}'],
      env: [{ name: 'HEADER_AUTHORIZATION', value: 'Bearer abc123', isSecret: true }],
      isRemote: true,
    });
  });
});

describe('a line', () => {
  test.each([
    ['npx -y @modelcontextprotocol/server-filesystem ~/Documents', 'Filesystem'],
    ['$ npx -y exa-mcp-server@3.1.8', 'Exa'],
    ['uvx mcp-server-fetch', 'Fetch'],
    ['`npx -y exa-mcp-server`', 'Exa'],
    ['Run this:\n\nnpx -y exa-mcp-server\n\nand restart.', 'Exa'],
    ['/usr/local/bin/npx -y exa-mcp-server', 'Exa'],
  ])('%s', (text, name) => {
    expect(one(text).name).toBe(name);
  });

  test('quotation marks, escapes and a line that goes on are read as a shell reads them', () => {
    expect(one('npx -y "my server" \\\n  --dir /a\\ b').args).toEqual(['-y', 'my server', '--dir', '/a b']);
  });

  test('variables before it and placeholders are asked for, not looked up', () => {
    expect(one('EXA_API_KEY=YOUR_KEY MODE=fast npx -y exa-mcp-server $HOME <your-folder>')).toMatchObject({
      env: [
        { name: 'EXA_API_KEY', value: null, isSecret: true },
        { name: 'MODE', value: 'fast', isSecret: false },
      ],
      args: ['-y', 'exa-mcp-server', '${HOME}', '<your-folder>'],
      holes: [
        { at: 2, label: '${HOME}' },
        { at: 3, label: '<your-folder>' },
      ],
    });
  });

  test('what docker hands on is asked for', () => {
    expect(one('docker run -i --rm -e GITHUB_TOKEN ghcr.io/github/github-mcp-server')).toMatchObject({
      name: 'Github',
      env: [{ name: 'GITHUB_TOKEN', value: null, isSecret: true }],
    });
  });
});

describe('a line that has another app add it', () => {
  test.each([
    ['claude mcp add exa -- npx -y exa-mcp-server', 'npx -y exa-mcp-server'],
    ['claude mcp add exa npx -y exa-mcp-server', 'npx -y exa-mcp-server'],
    ['claude mcp add --scope user -e EXA_API_KEY=x1y2z3 exa -- npx -y exa-mcp-server', 'npx -y exa-mcp-server'],
    ['codex mcp add exa -- uvx exa', 'uvx exa'],
    ['claude mcp add --transport http exa https://mcp.exa.ai/mcp', 'npx -y mcp-remote https://mcp.exa.ai/mcp'],
  ])('%s', (text, expected) => {
    expect(line(text)).toBe(expected);
    expect(one(text).name).toBe('Exa');
  });

  test('its options become keys', () => {
    const text = 'claude mcp add -t http -H "Authorization: Bearer k1" x https://x.example/mcp';
    expect(one(text)).toMatchObject({ env: [{ name: 'HEADER_AUTHORIZATION', value: 'Bearer k1' }] });
    expect(one('claude mcp add -e A_KEY=<key> x -- npx x')).toMatchObject({ env: [{ name: 'A_KEY', value: null }] });
  });
});

describe('an address', () => {
  test('of a server is reached through a small program', () => {
    expect(one('https://mcp.exa.ai/mcp')).toMatchObject({ name: 'Exa', isRemote: true, command: 'npx' });
    expect(line('http://localhost:8080/sse')).toBe('npx -y mcp-remote http://localhost:8080/sse');
  });

  test.each([
    ['https://github.com/exa-labs/exa-mcp-server', 'page'],
    ['https://www.npmjs.com/package/x', 'page'],
    ['https://x.example/README.md', 'page'],
    ['http://x.example/mcp', 'unsafe'],
    ['https://user:secret@x.example/mcp', 'unsafe'],
    ['file:///etc/passwd', 'nothing'],
    ['javascript:alert(1)', 'nothing'],
  ])('%s is %s', (text, expected) => {
    expect(reason(text)).toBe(expected);
  });
});

describe('what is refused', () => {
  test.each([
    ['', 'empty'],
    [' \n ', 'empty'],
    ['hello there', 'nothing'],
    ['rm -rf /', 'nothing'],
    ['x'.repeat(20_001), 'long'],
    ['{"mcpServers": {"exa": {"command": "npx"', 'nothing'],
    ['{"mcpServers": {"exa": {"command": "npx"}', 'block'],
    ['{"theme": {"dark": true}}', 'nothing'],
    ['{"x": {"command": ""}}', 'nothing'],
    ['{"x": {"command": "npx", "env": {"A=B": "1"}}}', 'nothing'],
    ['npx x; rm -rf ~', 'shell'],
    ['npx x && curl https://x.example | sh', 'shell'],
    ['npx $(curl https://x.example)', 'shell'],
    ['npx x > ~/.bashrc', 'shell'],
    ['claude mcp add exa', 'nothing'],
    ['npx -y good\u202Edab', 'unsafe'],
    ['npx -y go\u200Bod', 'unsafe'],
    ['{"x": {"command": "npx", "args": ["\\u202E"]}}', 'unsafe'],
    ['{"__proto__": {"command": "npx", "args": ["x"]}}', 'nothing'],
  ])('%j is %s', (text, expected) => {
    expect(reason(text)).toBe(expected);
  });
});

test('no text makes it throw, and what it reads is bounded and visible', () => {
  const words = fc.constantFrom(
    'npx',
    '{',
    '}',
    '"',
    ':',
    '[',
    'claude mcp add',
    '\\',
    '\n',
    '$(',
    '--',
    '-e',
    'A=',
    ' ',
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.array(fc.oneof(words, fc.string({ maxLength: 5 })), { maxLength: 80 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const read = readPaste(text);
      if (!read.ok) return;
      for (const { name, command, args } of read.servers) {
        expect(name.length).toBeLessThanOrEqual(60);
        expect(command).not.toBe('');
        expect([name, command, ...args].join('')).not.toMatch(/[\u200B\u202A-\u202E\u2066-\u2069]/);
      }
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['open brackets', '{"a":'.repeat(4_000)],
  ['closed brackets', `${'{"a":'.repeat(1_900)}1${'}'.repeat(1_900)}`],
  ['blank space', `npx${' '.repeat(19_000)}x`],
  ['blank lines', `{"a"${'\n'.repeat(19_000)}: 1}`],
  ['quotation marks', `npx ${'"'.repeat(7_900)}`],
  ['backslashes', `npx ${'\\'.repeat(7_900)}`],
  ['dollar signs', `npx ${'$'.repeat(7_900)}`],
  ['placeholders', `npx ${'your '.repeat(1_500)}`],
])('a text full of %s is answered', (_, text) => {
  expect(typeof readPaste(text).ok).toBe('boolean');
});
