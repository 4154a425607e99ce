import { describe, expect, test } from 'vitest';
import { CATALOGUE, searchCatalogue } from '../../electron/getting/catalogue.ts';
import { fillOffer } from '../../electron/getting/fill-offer.ts';
import { packageWay, remoteWay } from '../../electron/getting/package-offer.ts';
import { packageShape, remoteShape } from '../../electron/getting/server-json.ts';
import { launchRoute } from '../../electron/core/launch.ts';

const named = { name: 'Notes', about: 'Keeps notes.', version: '1.0.0' };
const wayOf = (pack: Record<string, unknown>) =>
  packageWay(packageShape.parse({ transport: { type: 'stdio' }, ...pack }), named);
const npm = { registryType: 'npm', identifier: '@a/notes', version: '1.2.3' };

function line(pack: Record<string, unknown>, values: Record<string, string[]> = {}): unknown {
  const way = wayOf(pack);
  if (way.way !== 'command') return way;
  const { command, args, env } = fillOffer(way.offer, values);
  const keys = Object.keys(env).length === 0 ? '' : ` with ${JSON.stringify(env)}`;
  return `${[command, ...args].join(' ')}${keys}`;
}

describe('a package becomes the command that starts exactly it', () => {
  const rows: [string, Record<string, unknown>, string][] = [
    ['npm', npm, 'npx -y @a/notes@1.2.3'],
    ['npm with its own place', { ...npm, registryBaseUrl: 'https://registry.npmjs.org/' }, 'npx -y @a/notes@1.2.3'],
    [
      'npm with options of npx',
      {
        ...npm,
        runtimeHint: 'npx',
        runtimeArguments: [
          { type: 'positional', value: '--yes' },
          { type: 'named', name: '-y', description: 'Without a question' },
        ],
      },
      'npx -y @a/notes@1.2.3',
    ],
    ['PyPI', { registryType: 'pypi', identifier: 'mcp-notes', version: '0.5.0' }, 'uvx mcp-notes==0.5.0'],
    [
      'PyPI with arguments',
      {
        ...{ registryType: 'pypi', identifier: 'mcp-notes', version: '0.5.0', runtimeHint: 'uvx' },
        packageArguments: [{ type: 'positional', value: 'serve' }],
      },
      'uvx mcp-notes==0.5.0 serve',
    ],
    [
      'an image',
      {
        registryType: 'oci',
        identifier: 'docker.io/a/notes:1.0',
        environmentVariables: [{ name: 'MODE', value: 'x' }],
      },
      'docker run -i --rm -e MODE docker.io/a/notes:1.0 with {"MODE":"x"}',
    ],
    [
      'an image with options of docker',
      {
        ...{ registryType: 'oci', identifier: 'localhost:5000/a/notes:1.0' },
        environmentVariables: [{ name: 'KEY', value: 'x' }],
        runtimeArguments: [
          ...['run', '-i', '--rm', '--init', '-e', 'KEY'].map((value) => ({ type: 'positional', value })),
          { type: 'named', name: '-e', value: 'LANG' },
        ],
      },
      'docker run -i --rm -e KEY -e LANG --init localhost:5000/a/notes:1.0 with {"KEY":"x"}',
    ],
    [
      'an image with its tag beside it',
      { registryType: 'oci', registryBaseUrl: 'https://docker.io', identifier: 'a/notes', version: '2.1' },
      'docker run -i --rm a/notes:2.1',
    ],
    [
      'an image by its digest',
      { registryType: 'oci', identifier: `ghcr.io/a/notes@sha256:${'0'.repeat(64)}` },
      `docker run -i --rm ghcr.io/a/notes@sha256:${'0'.repeat(64)}`,
    ],
    ['NuGet', { registryType: 'nuget', identifier: 'A.Notes', version: '0.4.0-beta' }, 'dnx A.Notes@0.4.0-beta --yes'],
    [
      'NuGet with arguments',
      {
        ...{ registryType: 'nuget', identifier: 'A.Notes', version: '0.4.0' },
        packageArguments: [
          { type: 'positional', value: 'mcp' },
          { type: 'positional', value: 'start' },
        ],
      },
      'dnx A.Notes@0.4.0 --yes -- mcp start',
    ],
  ];
  test.each(rows)('%s', (_, pack, expected) => {
    expect(line(pack)).toBe(expected);
  });
});

describe('a package that is not certain to be the one that is named is not started', () => {
  const rows: [string, string, Record<string, unknown>][] = [
    ['kept elsewhere', 'elsewhere', { ...npm, registryBaseUrl: 'https://npm.example.com' }],
    ['of another kind', 'kind', { ...npm, registryType: 'cargo' }],
    ['of a kind that objects have', 'kind', { ...npm, registryType: 'constructor' }],
    ['started by hand', 'transport', { ...npm, transport: { type: 'streamable-http' } }],
    ['without a version', 'version', { ...npm, version: undefined }],
    ['of the latest version', 'version', { ...npm, version: 'latest' }],
    ['of a range', 'version', { ...npm, version: '^1.0.0' }],
    ['with an option for a version', 'version', { ...npm, version: '1.0.0 --registry=x' }],
    ['with an option for a name', 'name', { ...npm, identifier: '--eval=x' }],
    ['with an address for a name', 'name', { ...npm, identifier: 'https://x.example/a.tgz' }],
    ['with a folder for a name', 'name', { ...npm, identifier: '../x' }],
    ['from a repository', 'name', { ...npm, identifier: 'github:a/b' }],
    ['of PyPI from an address', 'name', { registryType: 'pypi', identifier: 'x @ https://y', version: '1' }],
    ['an image of no version', 'version', { registryType: 'oci', identifier: 'a/notes' }],
    ['an image of the latest version', 'version', { registryType: 'oci', identifier: 'a/notes:latest' }],
    ['an image that is an option', 'name', { registryType: 'oci', identifier: '--privileged', version: '1' }],
    ['with an option for a name that looks plain', 'name', { ...npm, identifier: '-p' }],
    ['with another program', 'runtime', { ...npm, runtimeHint: 'bash' }],
    ['a bundle without a fingerprint', 'fingerprint', { registryType: 'mcpb', identifier: 'https://x.example/a.mcpb' }],
    [
      'a bundle from an open connection',
      'address',
      { registryType: 'mcpb', identifier: 'http://x.example/a.mcpb', fileSha256: 'a'.repeat(64) },
    ],
    [
      'with a key on the command line',
      'secret',
      { ...npm, packageArguments: [{ type: 'named', name: '--key', isSecret: true, isRequired: true }] },
    ],
    [
      'with a key in a part of an argument',
      'secret',
      { ...npm, packageArguments: [{ type: 'positional', value: 'k={k}', variables: { k: { isSecret: true } } }] },
    ],
  ];
  test.each(rows)('%s', (_, why, pack) => {
    expect(wayOf(pack)).toEqual({ way: 'none', why });
  });
});

describe('an entry that would have something else run under the name of its package is refused', () => {
  const pypi = { registryType: 'pypi', identifier: 'notes', version: '1.0' };
  const oci = { registryType: 'oci', identifier: 'a/notes:1.0' };
  const steering = ['npm_config_registry', 'NPM_CONFIG_REGISTRY', 'NODE_OPTIONS', 'UV_INDEX_URL', 'PIP_INDEX_URL'];
  const variables = [...steering, 'PATH', 'DOCKER_HOST', 'OPENSSL_CONF', 'DOTNET_STARTUP_HOOKS'];
  test.each(variables)('with a value, a default or a choice for %s; not where a person fills it in', (name) => {
    const withMore = (more: object) => wayOf({ ...npm, environmentVariables: [{ name, ...more }] });
    for (const more of [{ value: 'x' }, { value: '{a}', variables: { a: {} } }, { default: 'x' }, { choices: ['x'] }])
      expect(withMore(more)).toEqual({ way: 'none', why: 'steers' });
    expect(withMore({}).way).toBe('command');
  });

  test.each(['NODE_ENV', 'PYTHONUNBUFFERED', 'NOTES_PATH'])('while a value for %s is taken', (name) => {
    expect(wayOf({ ...npm, environmentVariables: [{ name, value: 'x' }] }).way).toBe('command');
  });

  const words = (...values: string[]) => values.map((value) => ({ type: 'positional', value }));
  const rows: [string, Record<string, unknown>, unknown[]][] = [
    ['npx with a registry', npm, words('--registry=https://evil.example')],
    ['npx with a registry in two parts', npm, [{ type: 'named', name: '--registry', value: 'https://evil.example' }]],
    ['npx with another package', npm, words('-y', '--package=evil')],
    ['npx with a package before this one', npm, words('evil')],
    ['npx with an option that has a value', npm, [{ type: 'named', name: '-y', value: 'evil' }]],
    ['npx with a blank', npm, [{ type: 'named', name: '-y', default: 'evil' }]],
    ['npx with a word to fill in', npm, [{ type: 'positional', valueHint: 'package' }]],
    ['npx with an option that objects have', npm, words('constructor')],
    ['uvx with a source', pypi, words('--from', 'git+https://evil.example/x')],
    ['uvx with a Python of its own', pypi, [{ type: 'named', name: '--python', value: '/tmp/x' }]],
    ['docker with the whole disk', oci, words('-v', '/:/h')],
    ['docker with all rights', oci, [{ type: 'named', name: '--privileged' }]],
    ['docker with a value on the line', oci, words('-e', 'A=b')],
    ['docker with an option for a variable', oci, words('-e', '--privileged')],
    ['docker with nothing after -e', oci, words('-e')],
    ['docker with another image', oci, words('run', 'evil/x')],
    ['-e for npx', npm, words('-e', 'A')],
    ['dnx with a source', { registryType: 'nuget', identifier: 'A', version: '1' }, words('--source', 'https://x')],
  ];
  test.each(rows)('%s', (_, pack, runtimeArguments) => {
    expect(wayOf({ ...pack, runtimeArguments })).toEqual({ way: 'none', why: 'steers' });
  });
});

describe('what a package asks for', () => {
  const pack = {
    ...npm,
    environmentVariables: [
      { name: 'KEY', isRequired: true, isSecret: true, default: 'published', description: 'Your key' },
      { name: 'LEVEL', default: 'info', choices: ['info', 'debug'] },
      { name: 'AUTH', value: 'Basic {user}', variables: { user: { isRequired: true } } },
      { name: 'OPTIONAL' },
    ],
    packageArguments: [
      { type: 'named', name: '--port', format: 'number', description: 'Where' },
      { type: 'named', name: '--root', value: '{dir}', isRepeated: true, variables: { dir: { format: 'filepath' } } },
      { type: 'positional', valueHint: 'folder', format: 'filepath', isRequired: true, isRepeated: true },
    ],
  };
  const way = wayOf(pack);
  const fields = way.way === 'command' ? way.offer.fields : [];

  test('is told with its type and default; a key has no default', () => {
    expect(fields).toMatchObject([
      { key: 'KEY', isSecret: true, isRequired: true, default: [], about: 'Your key' },
      { key: 'LEVEL', default: ['info'], choices: ['info', 'debug'] },
      { key: 'AUTH.user', title: 'user', isRequired: true },
      { key: 'OPTIONAL', isRequired: false },
      { title: 'port', type: 'number' },
      { title: 'dir', type: 'file', isMany: true },
      { title: 'folder', type: 'file', isMany: true, isRequired: true },
    ]);
  });

  test('stands in the line where it belongs, repeated with its option; what stays empty is left out', () => {
    const [port = '', dir = '', folder = ''] = fields.slice(4).map(({ key }) => key);
    const values = { KEY: ['s'], 'AUTH.user': ['ada'], [dir]: ['/a', '/b'], [folder]: ['/x', '/y'] };
    expect(line(pack, values)).toBe(
      'npx -y @a/notes@1.2.3 --root /a --root /b /x /y with {"KEY":"s","LEVEL":"info","AUTH":"Basic ada"}',
    );
    expect(line(pack, { ...values, [port]: ['8080'], LEVEL: ['debug'] })).toContain('--port 8080');
    expect(line(pack)).toContain('<folder>');
  });
});

describe('a server on the internet', () => {
  const remote = (more: Record<string, unknown>) =>
    remoteWay(remoteShape.parse({ type: 'streamable-http', url: 'https://mcp.example.com/mcp', ...more }), named);

  test('is reached with its keys in the environment', () => {
    const headers = [
      { name: 'X-API-Key', isRequired: true, isSecret: true },
      { name: 'X-Mode', value: 'fast' },
      { name: 'X-Other' },
    ];
    const way = remote({ headers });
    const offer = way.way === 'command' ? way.offer : undefined;
    expect(offer && fillOffer(offer, { HEADER_X_API_KEY: ['k'] })).toEqual({
      command: 'npx',
      args: [
        ...['-y', 'mcp-remote', 'https://mcp.example.com/mcp'],
        ...['--header', 'X-API-Key:${HEADER_X_API_KEY}', '--header', 'X-Mode:${HEADER_X_MODE}'],
      ],
      env: { HEADER_X_API_KEY: 'k', HEADER_X_MODE: 'fast' },
      missing: [],
      wrong: [],
    });
    expect(offer?.isRemote).toBe(true);
  });

  test.each([
    ['an open connection', 'address', { url: 'http://mcp.example.com' }],
    ['a password in its address', 'address', { url: 'https://a:b@mcp.example.com' }],
    ['blanks in its address', 'form', { url: 'https://{tenant}.example.com' }],
    ['another protocol', 'transport', { type: 'websocket' }],
  ])('is not reached over %s', (_, why, more) => {
    expect(remote(more)).toEqual({ way: 'none', why });
  });
});

describe('the list that comes with Holdfast', () => {
  test.each(CATALOGUE.map((entry) => [entry.id, entry] as const))(
    '%s is pinned, published and can be started',
    (_, entry) => {
      const ways = [
        ...(entry.package === undefined ? [] : [packageWay(entry.package, named)]),
        ...(entry.remote === undefined ? [] : [remoteWay(entry.remote, named)]),
      ];
      expect(ways).toHaveLength(1);
      const [way] = ways;
      const { command = '', args = [] } = way?.way === 'command' ? fillOffer(way.offer, {}) : {};
      expect(launchRoute({ command, args })).toBe(`npm:${entry.package?.identifier}`);
      expect(args).toContain(`${entry.package?.identifier}@${entry.version}`);
    },
  );

  test('has from ten to a hundred servers, each once, each with what was looked at', () => {
    expect(CATALOGUE.length).toBeGreaterThanOrEqual(10);
    expect(new Set(CATALOGUE.map(({ id }) => id)).size).toBe(CATALOGUE.length);
    for (const { reviewed, version } of CATALOGUE) expect(reviewed.from).toContain(version);
  });

  test('is searched in both languages, by every word', () => {
    const ids = (word: string): string[] => searchCatalogue(word).map(({ id }) => id);
    expect(ids('FILES folders')).toEqual(['filesystem']);
    expect(ids('文件夹')).toContain('filesystem');
    expect(ids('no such thing')).toEqual([]);
    expect(ids('')).toHaveLength(CATALOGUE.length);
  });
});
