import { existsSync, readFileSync } from 'node:fs';

/** What tells of a wall around this process; the system is looked at where a test does not say. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly exists: (file: string) => boolean;
  readonly read: (file: string) => string;
}

const HERE: Surroundings = {
  env: process.env,
  exists: existsSync,
  read: (file) => readFileSync(file, 'utf8'),
};

/** A confined snap, as AppArmor names it. One in "complain" mode is not walled off. */
const SNAP = /^snap\.[^ ]+ \(enforce\)/;

/**
 * Whether the host app lives behind a wall (flatpak, snap): what is started from here sees another file system, and would
 * keep its data where nobody finds it. On Windows an app of the Store looks like any other from inside; its entry says it.
 */
export function isWalled({ env, exists, read }: Surroundings = HERE): boolean {
  if (exists('/.flatpak-info')) return true;
  try {
    return SNAP.test(read('/proc/self/attr/current'));
  } catch {
    // No AppArmor, and so no wall of that kind; what is left is what the snap itself says.
    return env['SNAP'] !== undefined && /[\\/]snap[\\/][^\\/]+[\\/][^\\/]+$/.test(env['HOME'] ?? '');
  }
}
