import path from 'node:path';
import type { HoldfastOptions } from './headless.ts';
import { packagedRuntimes, runtimesAtHand } from './system/runtimes.ts';

/** What is asked for on the command line of an uninstaller. */
export const RESTORE_HOSTS = '--restore-hosts';

/** How bridge, gateway and servers are started. */
export type Starts = Pick<
  HoldfastOptions,
  'bridgeSource' | 'runtime' | 'launch' | 'runtimes' | 'runtimeSource' | 'retired'
>;

/** Node with this program's bundle: how the command line starts bridge and gateway. */
export function nodeStarts(dataDir: string, cliFile: string): Starts {
  const { platform, arch, execPath } = process;
  const packaged = packagedRuntimes({ roots: [dataDir], platform, arch });
  return {
    bridgeSource: path.join(path.dirname(cliFile), 'bridge.cjs'),
    runtimes: [...(packaged ? [packaged] : []), runtimesAtHand(execPath, false)],
    runtime: { command: process.execPath, args: [], env: {} },
    launch: { command: process.execPath, args: [cliFile, 'serve', '--home', dataDir], env: {} },
  };
}
