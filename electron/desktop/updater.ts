import { existsSync } from 'node:fs';
import path from 'node:path';
import { app } from 'electron';
import { autoUpdater } from 'electron-updater';
import type { Updater } from '../control/updates-port.ts';

/** `null` where this program was not packaged to be updated: from a checkout, or by somebody who releases none. */
export function electronUpdater(): Updater | null {
  if (!app.isPackaged || !existsSync(path.join(process.resourcesPath, 'app-update.yml'))) return null;
  autoUpdater.logger = null;
  autoUpdater.autoDownload = true;
  // A person who quits wants it to be gone; what is downloaded is installed when they next say so.
  autoUpdater.autoInstallOnAppQuit = false;
  autoUpdater.allowDowngrade = false;
  autoUpdater.allowPrerelease = false;
  // Without a listener it would end the app; what went wrong is what `check` rejects with.
  autoUpdater.on('error', () => undefined);
  return {
    async check() {
      const found = await autoUpdater.checkForUpdates();
      // A download that fails or has the wrong digest has to be heard of: nobody else waits for it.
      await found?.downloadPromise;
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
