import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Installation } from './holdfast.ts';

/** How a data folder comes to take nothing any more. */
export interface Disk {
  readonly name: string;
  /** A path below the data folder, as this process reaches it. */
  reach(name: string): string;
  /** Nothing can be written from now on, by the gateway with this pid or by commands. */
  fill(gateway: number | undefined): void;
  /** There is room again. */
  free(): void;
  dispose(): void;
}

/** True where this user may mount something that nobody else sees. */
export const canMount = process.platform === 'linux' && spawnSync('unshare', ['-m', 'true']).status === 0;

/** Every way to fill the data folder of an installation that there is here; the last one needs no rights. */
export const DISKS: readonly (readonly [name: string, make: (installation: Installation) => Promise<Disk>])[] = [
  ...(canMount ? [['a disk of its own that is full', smallDisk] as const] : []),
  ['a limit on the size of files', async (installation) => fileLimit(installation)],
];

/** Runs everything of an installation where a mount of its own lies over the data folder. */
async function mounted(installation: Installation, mount: string): Promise<ChildProcess> {
  mkdirSync(installation.data, { recursive: true });
  const script = `${mount} && echo mounted && exec sleep 600`;
  const holder = spawn('unshare', ['-m', 'sh', '-c', script, 'sh', installation.data]);
  await new Promise<void>((resolve, reject) => {
    holder.stdout.once('data', () => resolve());
    holder.once('exit', (code) => reject(new Error(`mount ended with ${code}`)));
  });
  installation.wrap = (program) => ['nsenter', '-t', String(holder.pid), '-m', '--', ...program];
  return holder;
}

async function smallDisk(installation: Installation): Promise<Disk> {
  const holder = await mounted(installation, 'mount -t tmpfs -o size=4m,mode=0700 holdfast-test "$1"');
  const reach = (name: string): string => path.join(`/proc/${holder.pid}/root`, installation.data, name);
  return {
    name: 'disk',
    reach,
    fill: () => fillUp(reach('filler')),
    free: () => rmSync(reach('filler')),
    dispose: () => void holder.kill('SIGKILL'),
  };
}

function fillUp(file: string): void {
  const handle = openSync(file, 'w');
  try {
    for (;;) writeSync(handle, Buffer.alloc(4096));
  } catch {
    closeSync(handle); // that was the last of it
  }
}

/** `RLIMIT_FSIZE`: no file can be made to hold anything more, whoever asks. */
function fileLimit(installation: Installation): Disk {
  let limited: number | undefined;
  const limit = (bytes: string): void => {
    installation.wrap = (program) => (bytes === '0' ? ['prlimit', '--fsize=0:', '--', ...program] : program);
    if (limited === undefined) return;
    const { status } = spawnSync('prlimit', ['--pid', String(limited), `--fsize=${bytes}:`]);
    if (status !== 0) throw new Error(`prlimit ended with ${status}`);
  };
  return {
    name: 'limit',
    reach: (name) => path.join(installation.data, name),
    fill(gateway) {
      limited = gateway;
      limit('0');
    },
    free: () => limit('unlimited'),
    dispose: () => undefined,
  };
}

/** Makes a data folder read-only; gives back how to undo it. */
export async function readOnly(installation: Installation): Promise<() => void> {
  if (canMount) {
    const bind = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1"';
    const holder = await mounted(installation, bind);
    return () => void holder.kill('SIGKILL');
  }
  // Somebody without the rights to mount has none to write past this either.
  chmodSync(installation.data, 0o500);
  return () => chmodSync(installation.data, 0o700);
}
