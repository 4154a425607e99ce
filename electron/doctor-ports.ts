import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { endpointFor, isPrivateEndpoint, launchFile, tokenFile } from './bridge/endpoint.ts';
import { readLaunch } from './bridge/start-gateway.ts';
import { bridgePath } from './bridge-files.ts';
import { connectToGateway, RemoteError, runRemotely } from './cli/client.ts';
import { HoldfastError } from './core/errors.ts';
import type { Stored } from './doctor/facts.ts';
import type { Asked, DoctorPorts } from './doctor/ports.ts';
import { isStillRunning, ProcessLedger } from './gateway/process-ledger.ts';
import { lookAtHosts } from './hosts/host-apps-access.ts';
import { StateFile } from './store/adapter.ts';
import { realFiles } from './store/files.ts';
import { Journal } from './store/journal.ts';
import { lockOwners } from './store/lock.ts';
import { folderNames } from './store/opening.ts';
import { Traces } from './store/traces.ts';
import { knownFolders } from './system/known-folders.ts';
import { packagedRuntimes, runtimesAtHand, type Runtimes } from './system/runtimes.ts';
import { DEFAULT_PATH } from './system/find-program.ts';
import { isBrought } from './system/start-plan.ts';
import { engines, version } from '../package.json';

/** A gateway that does not answer a small question by then is stuck. */
const ANSWER_MS = 5_000;

/** Where this user's host apps keep their settings. */
export interface UserPlace {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Gives the doctor its eyes. Nothing here writes, locks or starts anything. */
export function doctorPorts(
  dataDir: string,
  bridgeSource: string,
  user: UserPlace = { home: os.homedir(), env: process.env },
): DoctorPorts {
  const now = (): string => new Date().toISOString();
  const runtimes = runtimesBy(dataDir, bridgeSource);
  return {
    dataDir,
    platform: process.platform,
    own: {
      version,
      node: process.versions.node,
      electron: 'electron' in process.versions ? process.versions.electron : null,
      needed: engines.node.replace(/^\D+/, ''),
    },
    path: [user.env['PATH'] ?? DEFAULT_PATH, ...knownFolders({ platform: process.platform, ...user })].join(
      path.delimiter,
    ),
    isBrought: (command) => isBrought(command, { platform: process.platform, runtimes }),
    endpoint: endpointFor(dataDir),
    isPrivateEndpoint,
    stored: (which) => stored(dataDir, which),
    owners: () => lockOwners(realFiles, dataDir),
    ask: (command) => ask(dataDir, command),
    bridge: { installed: bridgePath(dataDir), source: bridgeSource },
    launch: () => readLaunch(dataDir),
    launchFile: launchFile(dataDir),
    tokenFile: tokenFile(dataDir),
    hostSettings: () => hostSettings(dataDir, user),
    serverProcesses: async () => {
      const records = new ProcessLedger(path.join(dataDir, 'processes')).records();
      const running = await Promise.all(records.map(isStillRunning));
      return records.filter((_, at) => running[at]).map(({ pid }) => pid);
    },
    journal: (limit) => Journal.toRead(realFiles, folderNames(dataDir).journal).recent(limit),
    calls: (limit) => Traces.toRead({ files: realFiles, dir: dataDir, now }).recent(limit),
    now,
  };
}

/** Packages have the bridge beside their runtimes. */
function runtimesBy(dataDir: string, bridgeSource: string): Runtimes[] {
  const { platform, arch, execPath, versions } = process;
  const packaged = packagedRuntimes({ roots: [path.dirname(bridgeSource), dataDir], platform, arch });
  return packaged ? [packaged] : 'electron' in versions ? [] : [runtimesAtHand(execPath, false)];
}

function stored(dataDir: string, which: 'present' | 'previous'): Stored {
  try {
    const file = new StateFile(realFiles, dataDir, version);
    const found = which === 'present' ? file.generation() : file.previousGeneration();
    if (found.kind !== 'good') return { kind: found.kind };
    const { document, old } = found;
    return { kind: 'good', format: old?.version ?? document.holdfast, state: document.state };
  } catch (error) {
    const isNewer = error instanceof HoldfastError && error.code === 'STORE_NEWER';
    return { kind: isNewer ? 'newer' : 'unreadable' };
  }
}

/** One question to the running gateway. Never throws. */
async function ask(dataDir: string, command: string): Promise<Asked> {
  try {
    const socket = await connectToGateway(dataDir);
    if (socket === undefined) return { kind: 'none' };
    const timer = setTimeout(() => socket.destroy(), ANSWER_MS);
    try {
      return { kind: 'answer', value: await runRemotely(socket, dataDir, command, {}) };
    } finally {
      clearTimeout(timer);
    }
  } catch (error) {
    if (error instanceof RemoteError) return { kind: 'refused', code: error.words.code, said: error.words.message };
    // Its own FORBIDDEN comes as the error above: this one is of a token that could not be read.
    const hasNoToken = error instanceof HoldfastError && error.code === 'FORBIDDEN';
    return { kind: hasNoToken ? 'no-token' : 'silent' };
  }
}

function hostSettings(dataDir: string, user: UserPlace): ReturnType<DoctorPorts['hostSettings']> {
  const seen = lookAtHosts({ dataDir, ...user, platform: process.platform, token: tokenIn(dataDir) });
  return seen.map(({ id, title, file, look }) => ({ id, name: title, file, look }));
}

function tokenIn(dataDir: string): string {
  try {
    return readFileSync(tokenFile(dataDir), 'utf8').trim();
  } catch {
    return ''; // nobody's, so that no entry is taken for ours
  }
}
