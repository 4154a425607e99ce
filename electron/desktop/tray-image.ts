import type { Snapshot } from '../control/snapshot.ts';

/**
 * The picture of a state, below the resources folder; `npm run icons` makes them. Each state has a shape of its own.
 * macOS colours a template itself, a Windows taskbar picks the size from an ICO, Linux panels take a PNG.
 * @param isDark whether the panel behind it is dark, as far as the system tells
 */
export function trayImage(state: Snapshot['tray'], platform: NodeJS.Platform, isDark: boolean): string {
  if (platform === 'darwin') return `tray/${state}Template.png`;
  const look = isDark ? 'dark' : 'light';
  return `tray/${state}-${look}.${platform === 'win32' ? 'ico' : 'png'}`;
}
