import { execFile } from 'node:child_process';
import { membersOf } from '../system/process-start.ts';

const FIRST_POLL_MS = 25;
const MAX_POLL_MS = 200;

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
    process.kill(-pid, 0);
  } catch (error) {
    // EPERM: something of another user lives there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  // A group also answers while all of it has ended and nobody has asked how yet.
  return process.platform !== 'linux' || membersOf(pid).length > 0;
}

/** Resolves to true once `isDone`, to false after `timeoutMs`. */
export async function waitUntil(isDone: () => boolean, timeoutMs: number): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  for (let pollMs = FIRST_POLL_MS; !isDone(); pollMs = Math.min(pollMs * 1.5, MAX_POLL_MS)) {
    if (performance.now() >= end) return false;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  return true;
}
