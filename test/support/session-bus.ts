import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import path from 'node:path';

const DAEMON = 'dbus-daemon';
/** A Linux desktop can be played here. */
export const hasBus = process.platform === 'linux' && spawnSync(DAEMON, ['--version']).status === 0;

/** A session bus of its own, for this process and what it starts; ends when it is told to. */
export async function startBus(): Promise<ChildProcess> {
  const config = path.resolve(import.meta.dirname, 'session.conf');
  const bus = spawn(DAEMON, [`--config-file=${config}`, '--print-address', '--nofork']);
  const address = await new Promise<string>((resolve) => bus.stdout.once('data', (line) => resolve(String(line))));
  process.env['DBUS_SESSION_BUS_ADDRESS'] = address.trim();
  return bus;
}
