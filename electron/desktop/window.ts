import { pathToFileURL } from 'node:url';
import { app, BrowserWindow, nativeTheme, type WebContents } from 'electron';
import type { OpenWish } from '../control/getting-port.ts';
import type { Banner, Place, Snapshot } from '../control/snapshot.ts';
import { lockContents, lockSession } from './lockdown.ts';

/** The main process's end of the window's wire; the composition root passes it in. */
export interface WindowLink {
  attach(contents: WebContents): void;
  pushSnapshot(snapshot: Snapshot): void;
  focus(place: Place): void;
  openWish(wish: OpenWish): void;
  banner(banner: Banner): void;
}

export interface WindowDeps {
  readonly link: WindowLink;
  readonly rendererFile: string;
  readonly preloadFile: string;
  readonly iconFile: string;
  /** The person looks at it. */
  readonly onFront: () => void;
}

const PAPER = { light: '#FFFFFF', dark: '#16181C' };

/** The one window. Made at the first need, hidden rather than closed, made anew if its page process dies. */
export class MainWindow {
  readonly #deps: WindowDeps;
  #window: BrowserWindow | undefined;
  #isLoaded = false;
  #focusNext: Place | undefined;
  #wishNext: OpenWish | undefined;
  #isQuitting = false;
  readonly #onBeforeQuit = (): void => {
    this.#isQuitting = true;
  };

  constructor(deps: WindowDeps) {
    this.#deps = deps;
    app.on('before-quit', this.#onBeforeQuit);
  }

  /** Brings the window to the front, on one review or screen if given. */
  show(place?: Place): void {
    const window = (this.#window ??= this.#make());
    if (place !== undefined) this.#focus(place);
    // A new window shows itself when its page is painted, so that nothing flashes.
    if (!this.#isLoaded) return;
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  /** Brings the window to the front, with what was opened laid out there. */
  showWish(wish: OpenWish): void {
    this.show();
    if (this.#isLoaded) this.#deps.link.openWish(wish);
    else this.#wishNext = wish;
  }

  /** True while the person looks at it: what happens is visible there. */
  get isInFront(): boolean {
    return this.#window?.isFocused() === true && this.#window.isVisible();
  }

  dispose(): void {
    app.off('before-quit', this.#onBeforeQuit);
    this.#isQuitting = true;
    this.#window?.destroy();
    this.#window = undefined;
  }

  #focus(place: Place): void {
    if (this.#isLoaded) this.#deps.link.focus(place);
    else this.#focusNext = place;
  }

  #make(): BrowserWindow {
    const window = new BrowserWindow({
      width: 900,
      height: 640,
      minWidth: 320,
      minHeight: 400,
      show: false,
      title: 'Holdfast',
      icon: this.#deps.iconFile,
      autoHideMenuBar: true,
      backgroundColor: nativeTheme.shouldUseDarkColors ? PAPER.dark : PAPER.light,
      webPreferences: {
        preload: this.#deps.preloadFile,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webviewTag: false,
        // It would fetch its dictionaries from the network.
        spellcheck: false,
      },
    });
    const { webContents } = window;
    lockSession(webContents.session, this.#deps.rendererFile);
    lockContents(webContents);
    this.#deps.link.attach(webContents);
    this.#listen(window);
    void window.loadFile(this.#deps.rendererFile);
    return window;
  }

  #listen(window: BrowserWindow): void {
    window.on('page-title-updated', (event) => {
      event.preventDefault();
    });
    window.once('ready-to-show', () => {
      this.#isLoaded = true;
      window.show();
    });
    window.webContents.once('did-finish-load', () => {
      this.#isLoaded = true;
      if (this.#focusNext !== undefined) this.#deps.link.focus(this.#focusNext);
      this.#focusNext = undefined;
      if (this.#wishNext !== undefined) this.#deps.link.openWish(this.#wishNext);
      this.#wishNext = undefined;
    });
    window.webContents.on('did-navigate', (_event, url) => {
      // Chromium asks nobody before it goes to an empty page.
      if (url !== pathToFileURL(this.#deps.rendererFile).href) void window.loadFile(this.#deps.rendererFile);
    });
    window.on('focus', this.#deps.onFront);
    window.on('close', (event) => {
      if (this.#isQuitting) return;
      event.preventDefault();
      window.hide();
    });
    window.on('closed', () => {
      this.#forget(window);
    });
    window.webContents.on('render-process-gone', (_event, details) => {
      if (details.reason === 'clean-exit') return;
      console.error(`holdfast: the window's page ended (${details.reason}); it is made anew when it is next opened.`);
      this.#forget(window);
      window.destroy();
    });
  }

  #forget(window: BrowserWindow): void {
    if (this.#window !== window) return;
    this.#window = undefined;
    this.#isLoaded = false;
  }
}
