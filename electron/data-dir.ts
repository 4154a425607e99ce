import os from 'node:os';
import path from 'node:path';

const NAME = 'Holdfast';

/** The data folder: what was asked for, else `HOLDFAST_HOME`, else where Electron keeps an app's data on this system. */
export function dataDir(asked?: string, env: NodeJS.ProcessEnv = process.env, platform = process.platform): string {
  const named = asked ?? env['HOLDFAST_HOME'];
  if (named !== undefined && named !== '') return path.resolve(named);
  const home = os.homedir();
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', NAME);
  if (platform === 'win32') return path.join(env['APPDATA'] ?? path.join(home, 'AppData', 'Roaming'), NAME);
  const config = env['XDG_CONFIG_HOME'];
  return path.join(config !== undefined && path.isAbsolute(config) ? config : path.join(home, '.config'), NAME);
}
