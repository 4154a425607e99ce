import path from 'node:path';
import { bridgeRuntimePath } from './bridge-files.ts';
import type { Starts } from './starts.ts';
import { packagedRuntimes, runtimesAtHand } from './system/runtimes.ts';

/** What a desktop program needs to start, and host apps do not pass on to a bridge. */
const SESSION_VARIABLES = [
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'DBUS_SESSION_BUS_ADDRESS',
  'XDG_RUNTIME_DIR',
  'XDG_SESSION_TYPE',
  'XDG_CURRENT_DESKTOP',
  'XDG_CONFIG_HOME',
  'XDG_DATA_DIRS',
  'LANG',
] as const;

export interface DesktopProgram {
  readonly dataDir: string;
  readonly execPath: string;
  readonly isPackaged: boolean;
  readonly appPath: string;
  readonly resourcesPath: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
  readonly arch?: string;
}

/** How host apps start the bridge: with the Node that a package carries, else with Electron's executable as one. */
function bridgeRuntime({ dataDir, platform }: DesktopProgram, command: string, node: string | undefined) {
  if (node === undefined)
    // Last, or an AppImage's launcher would put the switch first, where Node does not know it.
    return { runtime: { command, args: [], trailing: ['--no-sandbox'], env: { ELECTRON_RUN_AS_NODE: '1' } } };
  const runtime = { command: bridgeRuntimePath(dataDir, platform), args: [], env: {} };
  return { runtime, runtimeSource: node, retired: [command] };
}

/**
 * How host apps start the bridge, and the bridge starts this app: on the packaged Node, or on Electron's own executable
 * where there is none.
 */
export function desktopStarts(program: DesktopProgram): Starts {
  const { dataDir, env, isPackaged, appPath, resourcesPath } = program;
  const { platform = process.platform, arch = process.arch } = program;
  const packaged = packagedRuntimes({ roots: [...(isPackaged ? [resourcesPath] : []), dataDir], platform, arch });
  // An AppImage runs from a mount whose path is another one each time.
  const command = env['APPIMAGE'] ?? program.execPath;
  const isUnsandboxed = program.argv.includes('--no-sandbox');
  const session = SESSION_VARIABLES.flatMap((name): [string, string][] => {
    const value = env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return {
    bridgeSource: isPackaged ? path.join(resourcesPath, 'bridge.cjs') : path.join(appPath, 'dist', 'bridge.cjs'),
    // A packaged Electron cannot run as Node.
    runtimes: [...(packaged ? [packaged] : []), ...(isPackaged ? [] : [runtimesAtHand(program.execPath, true)])],
    ...bridgeRuntime(program, command, packaged?.node?.file),
    launch: {
      command,
      args: [...(isPackaged ? [] : [appPath]), '--hidden', ...(isUnsandboxed ? ['--no-sandbox'] : [])],
      env: { ...Object.fromEntries(session), HOLDFAST_HOME: dataDir },
    },
  };
}
