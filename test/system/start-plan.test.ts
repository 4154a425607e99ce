import { describe, expect, test } from 'vitest';
import { launchRoute } from '../../electron/core/launch.ts';
import type { Runtimes } from '../../electron/system/runtimes.ts';
import { isBrought, startPlan, type Machine } from '../../electron/system/start-plan.ts';

const packaged: Runtimes = {
  node: { file: '/app/node/bin/node', env: {} },
  npm: '/app/node/lib/node_modules/npm',
  uv: '/app/uv/uv',
  isPackaged: true,
};
const atHand: Runtimes = {
  node: { file: '/opt/electron', env: { ELECTRON_RUN_AS_NODE: '1' } },
  npm: '/opt/npm',
  uv: null,
  isPackaged: false,
};

interface Has {
  readonly programs?: Readonly<Record<string, string>>;
  readonly runtimes?: readonly Runtimes[];
  readonly files?: Readonly<Record<string, string>>;
  readonly platform?: NodeJS.Platform;
}

function machine({ programs = {}, runtimes = [], files = {}, platform = 'linux' }: Has): Machine {
  return {
    platform,
    runtimes,
    path: platform === 'win32' ? ['C:\\one', 'C:\\two'] : ['/one', '/two'],
    find: (command) => (Object.hasOwn(programs, command) ? (programs[command] ?? null) : null),
    isFile: (file) => Object.hasOwn(files, file),
    read: (file) => files[file] ?? null,
    interpreter: 'C:\\Windows\\cmd.exe',
  };
}

/** The command line that a wanted one becomes. */
function line(wanted: readonly string[], has: Has, env: Record<string, string> = {}): readonly string[] {
  const [command = '', ...args] = wanted;
  const plan = startPlan({ command, args, env, cacheDir: '/data/caches/s' }, machine(has));
  return [plan.command, ...plan.args];
}

const NPX = ['npx', '-y', 'pkg@1.2.3', '--flag'];
const mine = { programs: { npx: '/mine/npx', node: '/mine/node', uvx: '/mine/uvx', tool: '/mine/tool' } };

describe('what is started', () => {
  test.each<[string, readonly string[], Has, readonly string[]]>([
    [
      'our npx before theirs',
      NPX,
      { ...mine, runtimes: [packaged] },
      ['/app/node/bin/node', '/app/node/lib/node_modules/npm/bin/npx-cli.js', ...NPX.slice(1)],
    ],
    ['their npx without ours', NPX, { ...mine, runtimes: [atHand] }, ['/mine/npx', ...NPX.slice(1)]],
    [
      'what is at hand on a bare machine',
      NPX,
      { runtimes: [atHand] },
      ['/opt/electron', '/opt/npm/bin/npx-cli.js', ...NPX.slice(1)],
    ],
    [
      'npm likewise',
      ['npm', 'exec', 'pkg'],
      { runtimes: [packaged] },
      ['/app/node/bin/node', '/app/node/lib/node_modules/npm/bin/npm-cli.js', 'exec', 'pkg'],
    ],
    [
      'our uv in place of uvx',
      ['uvx', 'pkg==1.0', 'x'],
      { ...mine, runtimes: [packaged] },
      ['/app/uv/uv', 'tool', 'run', 'pkg==1.0', 'x'],
    ],
    ['our uv', ['uv', 'run', 'x.py'], { runtimes: [packaged] }, ['/app/uv/uv', 'run', 'x.py']],
    ['their uvx without ours', ['uvx', 'pkg'], { ...mine, runtimes: [atHand] }, ['/mine/uvx', 'pkg']],
    ['their node before ours', ['node', 's.js'], { ...mine, runtimes: [packaged] }, ['/mine/node', 's.js']],
    ['our node on a bare machine', ['node', 's.js'], { runtimes: [packaged, atHand] }, ['/app/node/bin/node', 's.js']],
    ['a program by its file', ['tool', 'a b'], mine, ['/mine/tool', 'a b']],
    [
      'a path as it is written',
      ['/else/npx', 'x'],
      { programs: { '/else/npx': '/else/npx' }, runtimes: [packaged] },
      ['/else/npx', 'x'],
    ],
    ['what is not found as it is written', ['ghost', 'x'], { runtimes: [packaged] }, ['ghost', 'x']],
    ['another case is another program', ['NPX', 'x'], { runtimes: [packaged] }, ['NPX', 'x']],
  ])('is %s', (_, wanted, has, started) => {
    expect(line(wanted, has)).toEqual(started);
  });

  const nodejs = 'C:\\Program Files\\nodejs';
  const npm = `${nodejs}\\node_modules\\npm\\bin`;
  const shim = 'C:\\npm\\srv.cmd';
  const shimText = 'title & "%_prog%"  "%dp0%\\node_modules\\srv\\cli.js" %*';
  const win = (
    programs: Record<string, string>,
    files: Record<string, string> = {},
    runtimes: Runtimes[] = [],
  ): Has => ({
    platform: 'win32',
    programs,
    files,
    runtimes,
  });
  test.each<[string, readonly string[], Has, readonly string[]]>([
    ['a program', ['python', 'x y'], win({ python: 'C:\\py\\python.exe' }), ['C:\\py\\python.exe', 'x y']],
    [
      'npx through its script',
      ['npx', '-y', 'pkg'],
      win({ npx: `${nodejs}\\npx.cmd` }, { [`${npm}\\npx-cli.js`]: '', [`${nodejs}\\node.exe`]: '' }),
      [`${nodejs}\\node.exe`, `${npm}\\npx-cli.js`, '-y', 'pkg'],
    ],
    [
      'npx.cmd as well',
      ['npx.cmd', 'pkg'],
      win({ 'npx.cmd': `${nodejs}\\npx.cmd`, node: 'C:\\n\\node.exe' }, { [`${npm}\\npx-cli.js`]: '' }),
      ['C:\\n\\node.exe', `${npm}\\npx-cli.js`, 'pkg'],
    ],
    [
      'our npx before theirs, by any of its names',
      ['NPX.CMD', 'pkg'],
      win({}, {}, [{ ...packaged, node: { file: 'C:\\app\\node.exe', env: {} }, npm: 'C:\\app\\npm' }]),
      ['C:\\app\\node.exe', 'C:\\app\\npm\\bin\\npx-cli.js', 'pkg'],
    ],
    [
      'what npm installed through its script',
      ['srv', 'C:\\My files'],
      win({ srv: shim, node: 'C:\\n\\node.exe' }, { [shim]: shimText, 'C:\\npm\\node_modules\\srv\\cli.js': '' }),
      ['C:\\n\\node.exe', 'C:\\npm\\node_modules\\srv\\cli.js', 'C:\\My files'],
    ],
    [
      'another batch file through the interpreter, in full quotes',
      ['tool', 'a&b'],
      win({ tool: 'C:\\t\\tool.cmd' }, { 'C:\\t\\tool.cmd': 'python x.py %*' }),
      ['C:\\Windows\\cmd.exe', '/d', '/s', '/c', '"C:\\t\\tool.cmd ^^^"a^^^&b^^^""'],
    ],
    [
      'no batch file at all where an argument cannot be passed',
      ['tool', 'a\nb'],
      win({ tool: 'C:\\t\\tool.cmd' }),
      ['C:\\t\\tool.cmd', 'a\nb'],
    ],
  ])('is on Windows %s', (_, wanted, has, started) => {
    expect(line(wanted, has)).toEqual(started);
  });
});

describe('what it is started with', () => {
  const envOf = (wanted: readonly string[], has: Has, env: Record<string, string> = {}) => {
    const [command = '', ...args] = wanted;
    return startPlan({ command, args, env, cacheDir: '/data/caches/s' }, machine(has)).env;
  };

  test('is the PATH of this machine, our Node first where that was started', () => {
    expect(envOf(['tool'], mine)).toEqual({ PATH: '/one:/two' });
    expect(envOf(NPX, { runtimes: [packaged] })['PATH']).toBe('/app/node/bin:/one:/two');
    expect(envOf(['tool'], { platform: 'win32' })).toEqual({ PATH: 'C:\\one;C:\\two' });
  });

  test('is what the person set, before all else', () => {
    const own = { PATH: '/theirs', npm_config_cache: '/c', npm_config_yes: 'false', KEY: 'x' };
    expect(envOf(NPX, { runtimes: [packaged] }, own)).toMatchObject(own);
    expect(envOf(['tool'], { platform: 'win32' }, { Path: 'C:\\x' })).toEqual({ Path: 'C:\\x' });
  });

  test('is what makes Node of another program', () => {
    expect(envOf(NPX, { runtimes: [atHand] })).toMatchObject({ ELECTRON_RUN_AS_NODE: '1' });
    expect(envOf(['tool'], mine)).not.toHaveProperty('ELECTRON_RUN_AS_NODE');
  });

  test('is a store of its own for what a package runner downloads, whoever’s runner it is', () => {
    for (const has of [mine, { runtimes: [packaged] }]) {
      expect(envOf(NPX, has)).toMatchObject({ npm_config_cache: '/data/caches/s/npm', npm_config_yes: 'true' });
      expect(envOf(['uvx', 'x'], has)).toMatchObject({ UV_CACHE_DIR: '/data/caches/s/uv' });
    }
    expect(envOf(['/usr/bin/npx', 'x'], mine)).toMatchObject({ npm_config_cache: '/data/caches/s/npm' });
  });

  test.each([
    [['npx', '-y', 'pkg@1.2.3'], true],
    [['npx', '@scope/pkg@1.2.3-beta.1'], true],
    [['npx', '--package=pkg@1.2.3', 'bin'], true],
    [['npx', 'pkg'], false],
    [['npx', 'pkg@latest'], false],
    [['npx', 'pkg@1'], false],
    [['npx', 'pkg@^1.2.3'], false],
    [['npx', 'pkg', '--mail=me@1.2.3.4'], false],
    [['uvx', 'pkg@1.2.3'], false],
  ])('is for %j the store before the network: %s', (wanted, is) => {
    expect(envOf(wanted, mine)['npm_config_prefer_offline']).toBe(is ? 'true' : undefined);
  });
});

test('how a program is started here says nothing about what it is', () => {
  const launch = { command: 'npx', args: ['-y', 'pkg@1.2.3'] };
  const before = launchRoute(launch);
  startPlan({ ...launch, env: {}, cacheDir: '/c' }, machine({ runtimes: [packaged] }));
  expect(launchRoute(launch)).toBe(before);
  expect(before).toBe('npm:pkg');
});

test.each([
  ['npx', [packaged], true],
  ['uvx', [packaged], true],
  ['node', [atHand], true],
  ['uvx', [atHand], false],
  ['npx', [], false],
  ['docker', [packaged, atHand], false],
  ['/usr/bin/npx', [packaged], false],
])('%s is brought along by %j: %s', (command, runtimes, is) => {
  expect(isBrought(command, { platform: 'linux', runtimes })).toBe(is);
});
