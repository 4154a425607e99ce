import { existsSync } from 'node:fs';
import path from 'node:path';
import { app } from 'electron';
import { autoUpdater } from 'electron-updater';
import type { Updater } from '../control/updates-port.ts';

/** `null` where this program was not packaged to be updated: from a checkout, or by somebody who releases none. */
export function electronUpdater(log: (error: unknown) => void): Updater | null {
  if (!app.isPackaged || !existsSync(path.join(process.resourcesPath, 'app-update.yml'))) return null;
  autoUpdater.logger = null;
  autoUpdater.autoDownload = true;
  // A person who quits wants it to be gone; what is downloaded is installed when they next say so.
  autoUpdater.autoInstallOnAppQuit = false;
  autoUpdater.allowDowngrade = false;
  autoUpdater.allowPrerelease = false;
  // Without a listener it would end the app.
  autoUpdater.on('error', log);
  return {
    async check() {
      await autoUpdater.checkForUpdates();
    },
    onDownloaded(listener) {
      autoUpdater.on('update-downloaded', ({ version }) => {
        listener(version);
      });
    },
    install() {
      autoUpdater.quitAndInstall(true, true);
    },
  };
}
