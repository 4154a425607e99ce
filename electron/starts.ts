import path from 'node:path';
import type { HoldfastOptions } from './headless.ts';

/** What is asked for on the command line of an uninstaller. */
export const RESTORE_HOSTS = '--restore-hosts';

/** Node with this program's bundle: how the command line starts bridge and gateway. */
export function nodeStarts(
  dataDir: string,
  cliFile: string,
): Pick<HoldfastOptions, 'bridgeSource' | 'runtime' | 'launch'> {
  return {
    bridgeSource: path.join(path.dirname(cliFile), 'bridge.cjs'),
    runtime: { command: process.execPath, args: [], env: {} },
    launch: { command: process.execPath, args: [cliFile, 'serve', '--home', dataDir], env: {} },
  };
}
