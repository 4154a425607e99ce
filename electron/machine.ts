import os from 'node:os';
import { bridgePath, bridgeRuntimePath, giveLaunchBack, withholdLaunch, type Start } from './bridge-files.ts';
import type { HostAppsPort } from './control/host-apps-port.ts';
import { entryHome } from './entry-home.ts';
import { Getting } from './getting/getting.ts';
import { PUBLIC_REGISTRY } from './getting/registry.ts';
import type { HoldfastOptions } from './headless.ts';
import type { HostAccessOptions } from './hosts/app-edits.ts';
import { hostAppsAccess } from './hosts/host-apps-access.ts';
import { appRestarts } from './hosts/restart-app.ts';
import { restoreHosts } from './hosts/restore-hosts.ts';
import { setupPort } from './setup-port.ts';
import { programsOf } from './programs-port.ts';
import { realFiles } from './store/files.ts';
import { version } from '../package.json';

export type Machine = ReturnType<typeof machineParts>;

/** What the control plane uses of this machine: host apps' settings, first run, and where servers are got from. */
export function machineParts(options: HoldfastOptions, token: string) {
  const machine = machineOf(options, token);
  const access = hostAppsAccess(machine);
  const hosts: typeof access & Pick<HostAppsPort, 'disconnectAll' | 'restarts' | 'restart'> = {
    ...access,
    ...appRestarts(machine, programsOf(machine)),
    connect: (id, edit) => {
      const done = access.connect(id, edit);
      if (!edit.dryRun) giveLaunchBack(options.dataDir, options.launch);
      return done;
    },
    disconnectAll: () => {
      const restored = restoreHosts({ ...machine, isTimeUp: () => false });
      // Apps that still run would start it again, while a person removes it.
      if (restored.every(({ outcome }) => outcome !== 'left')) withholdLaunch(options.dataDir, 'removed');
      return restored;
    },
  };
  return { hosts, setup: setupPort(realFiles, machine), getting: gettingOf(options) };
}

const now = (): string => new Date().toISOString();

/** This machine as far as host apps and their settings go. */
function machineOf(options: HoldfastOptions, token: string): HostAccessOptions {
  const { dataDir } = options;
  const { env, platform } = process;
  const place = { dataDir, home: os.homedir(), platform };
  const named = entryHome(place);
  return { ...place, env, token, bridge: bridgeStart(options, named), entryHome: named, now };
}

/** How host apps start the bridge; what runs it may be in the data folder, too. */
function bridgeStart({ dataDir, runtime, runtimeSource }: HoldfastOptions, named: string): Start {
  const isCarried = runtimeSource !== undefined && runtime.command === bridgeRuntimePath(dataDir);
  return {
    ...runtime,
    ...(isCarried && { command: bridgeRuntimePath(named) }),
    args: [...runtime.args, bridgePath(named)],
  };
}

/** `HOLDFAST_REGISTRY` names a registry of one's own. */
function gettingOf({ dataDir, bridgeSource }: HoldfastOptions): Getting {
  const named = process.env['HOLDFAST_REGISTRY'];
  return new Getting({
    dataDir,
    home: os.homedir(),
    platform: process.platform,
    registry: named !== undefined && /^https?:\/\//.test(named) ? named.replace(/\/+$/, '') : PUBLIC_REGISTRY,
    now,
    fetch: (...request) => fetch(...request),
    bridgeSource,
    version,
  });
}
