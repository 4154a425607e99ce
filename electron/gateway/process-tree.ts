import { execFile } from 'node:child_process';

const POLL_MS = 25;

/** Signals a whole process group; on Windows ends the tree below the process. True where there was something left. */
export function signalTree(pid: number, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  if (process.platform === 'win32') {
    execFile('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true }, () => undefined);
    return true;
  }
  try {
    return process.kill(-pid, signal);
  } catch {
    return false; // ESRCH: nothing is left of it
  }
}

/** True while any process of the group lives, the leader or what it started. */
export function isTreeAlive(pid: number): boolean {
  if (process.platform === 'win32') return false; // there, taskkill has seen to the tree
  try {
    return process.kill(-pid, 0);
  } catch (error) {
    // EPERM: something of another user lives there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Resolves to true once `isDone`, to false after `timeoutMs`. */
export async function waitUntil(isDone: () => boolean, timeoutMs: number): Promise<boolean> {
  const end = Date.now() + timeoutMs;
  while (!isDone()) {
    if (Date.now() >= end) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return true;
}
