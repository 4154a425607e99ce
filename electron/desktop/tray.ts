import path from 'node:path';
import { Menu, nativeImage, powerMonitor, Tray, type MenuItemConstructorOptions, type NativeImage } from 'electron';
import type { Snapshot } from '../control/snapshot.ts';
import { trayMenu, trayStatus, type TrayAct, type TrayLine } from './tray-menu.ts';

export interface TrayDeps {
  readonly resourcesDir: string;
  readonly act: (act: TrayAct) => void;
  readonly open: () => void;
}

/** Where each desktop takes its picture from: macOS colours a template itself, Windows wants 16 pixels, Linux 22. */
const SUFFIX: Partial<Record<NodeJS.Platform, string>> = { darwin: 'Template', win32: '-16' };

/** The tray icon and its menu. Keep the object: an icon whose object is collected vanishes. */
export class TrayIcon {
  readonly #deps: TrayDeps;
  readonly #images = new Map<Snapshot['tray'], NativeImage>();
  #snapshot: Snapshot;
  #tray: Tray;
  readonly #onResume = (): void => {
    this.#tray.destroy();
    this.#tray = this.#make();
  };

  constructor(deps: TrayDeps, snapshot: Snapshot) {
    this.#deps = deps;
    this.#snapshot = snapshot;
    this.#tray = this.#make();
    // Some desktops lose the icon while the computer sleeps.
    powerMonitor.on('resume', this.#onResume);
  }

  update(snapshot: Snapshot): void {
    const isSamePicture = snapshot.tray === this.#snapshot.tray;
    this.#snapshot = snapshot;
    if (!isSamePicture) this.#tray.setImage(this.#image());
    this.#describe(this.#tray);
  }

  dispose(): void {
    powerMonitor.off('resume', this.#onResume);
    this.#tray.destroy();
  }

  #make(): Tray {
    const tray = new Tray(this.#image());
    // On macOS a click opens the menu.
    if (process.platform !== 'darwin') tray.on('click', this.#deps.open);
    this.#describe(tray);
    return tray;
  }

  #describe(tray: Tray): void {
    tray.setToolTip(trayStatus(this.#snapshot));
    // Linux shows a changed menu only when it is set again.
    tray.setContextMenu(Menu.buildFromTemplate(trayMenu(this.#snapshot).map((line) => this.#native(line))));
  }

  #native(line: TrayLine): MenuItemConstructorOptions {
    switch (line.type) {
      case 'separator':
        return { type: 'separator' };
      case 'text':
        return { label: literal(line.label), enabled: false };
      case 'submenu':
        return { label: literal(line.label), submenu: line.lines.map((inner) => this.#native(inner)) };
      case 'act':
        return {
          label: literal(line.label),
          click: () => {
            this.#deps.act(line.act);
          },
        };
    }
  }

  #image(): NativeImage {
    const state = this.#snapshot.tray;
    const known = this.#images.get(state);
    if (known !== undefined) return known;
    const file = `tray-${state}${SUFFIX[process.platform] ?? ''}.png`;
    const image = nativeImage.createFromPath(path.join(this.#deps.resourcesDir, file));
    this.#images.set(state, image);
    return image;
  }
}

/** One ampersand would underline the letter behind it. */
function literal(label: string): string {
  return label.replaceAll('&', '&&');
}
