import path from 'node:path';
import { Menu, nativeImage, nativeTheme, powerMonitor, Tray } from 'electron';
import type { MenuItemConstructorOptions, NativeImage } from 'electron';
import type { Snapshot } from '../control/snapshot.ts';
import { onTrayHost } from './tray-host.ts';
import { trayImage } from './tray-image.ts';
import { trayFacts, trayMenu, trayStatus, type TrayAct, type TrayLine } from './tray-menu.ts';

/** A desktop that wakes, or starts its panel anew, says so several times; an icon is not taken down while it is still put up. */
const SETTLE_MS = 1_000;

export interface TrayDeps {
  readonly resourcesDir: string;
  readonly act: (act: TrayAct) => void;
  /** Servers that some app wants. */
  readonly inUse: () => ReadonlySet<string>;
}

/** The tray icon and its menu. Keep the object: an icon whose object is collected vanishes. */
export class TrayIcon {
  readonly #deps: TrayDeps;
  readonly #images = new Map<string, NativeImage>();
  #snapshot: Snapshot;
  #tray: Tray;
  #file: string;
  #due: NodeJS.Timeout | undefined;
  readonly #rebuild = (): void => {
    clearTimeout(this.#due);
    this.#due = setTimeout(() => {
      this.#tray.destroy();
      this.#tray = this.#make();
    }, SETTLE_MS);
  };
  readonly #onTheme = (): void => {
    this.#draw();
  };
  readonly #stopHost: () => void;

  constructor(deps: TrayDeps, snapshot: Snapshot) {
    this.#deps = deps;
    this.#snapshot = snapshot;
    this.#file = this.#wanted();
    this.#tray = this.#make();
    // Some desktops lose the icon while the computer sleeps, and none knows it after a restart of the panel.
    powerMonitor.on('resume', this.#rebuild);
    this.#stopHost = process.platform === 'linux' ? onTrayHost(this.#rebuild) : (): void => undefined;
    nativeTheme.on('updated', this.#onTheme);
  }

  update(snapshot: Snapshot): void {
    this.#snapshot = snapshot;
    this.#draw();
    this.#describe(this.#tray);
  }

  dispose(): void {
    powerMonitor.off('resume', this.#rebuild);
    nativeTheme.off('updated', this.#onTheme);
    clearTimeout(this.#due);
    this.#stopHost();
    this.#tray.destroy();
  }

  #make(): Tray {
    const tray = new Tray(this.#image());
    // On macOS a click opens the menu.
    if (process.platform !== 'darwin') {
      tray.on('click', () => {
        this.#deps.act({ do: 'open' });
      });
    }
    this.#describe(tray);
    return tray;
  }

  #draw(): void {
    const file = this.#wanted();
    if (file === this.#file) return;
    this.#file = file;
    this.#tray.setImage(this.#image());
  }

  #describe(tray: Tray): void {
    const facts = trayFacts(this.#snapshot, this.#deps.inUse());
    tray.setToolTip(trayStatus(this.#snapshot, facts));
    // Linux shows a changed menu only when it is set again.
    tray.setContextMenu(Menu.buildFromTemplate(trayMenu(this.#snapshot, facts).map((line) => this.#native(line))));
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
    const known = this.#images.get(this.#file);
    if (known !== undefined) return known;
    const image = nativeImage.createFromPath(path.join(this.#deps.resourcesDir, this.#file));
    this.#images.set(this.#file, image);
    return image;
  }

  #wanted(): string {
    return trayImage(this.#snapshot.tray, process.platform, isPanelDark());
  }
}

/** On Windows the taskbar may be dark while windows are light; older versions of Electron do not tell it. */
function isPanelDark(): boolean {
  const system = 'shouldUseDarkColorsForSystemIntegratedUI' in nativeTheme;
  const isTold = system && process.platform === 'win32';
  return isTold ? nativeTheme.shouldUseDarkColorsForSystemIntegratedUI : nativeTheme.shouldUseDarkColors;
}

/** One ampersand would underline the letter behind it. */
function literal(label: string): string {
  return label.replaceAll('&', '&&');
}
