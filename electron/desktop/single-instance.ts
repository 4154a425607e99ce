import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { app } from 'electron';
import type { OpenWish } from '../control/getting-port.ts';
import { wishIn } from './open-wish.ts';
import { Opened } from './opened.ts';

/** The id that the installer gives the start-menu shortcut: without it Windows shows no notification. */
const APP_ID = 'app.holdfast.gateway';
/** What Windows calls for a click on a toast; the same at each start, so that toasts of an earlier one are found. */
const TOAST_ACTIVATOR = '{7C1E8B52-3A0D-4C39-9B7E-51F0C6D2A8E4}';

export interface Prepared {
  /** False where the app runs already: it has been told, and this process has nothing more to do. */
  readonly isFirst: boolean;
  readonly dataDir: string;
  /** Started to serve apps only: no window. */
  readonly isHidden: boolean;
  /** What a person opens with the app, now and later. */
  readonly opened: Opened;
}

/** What a second start tells the first one. */
export interface SecondStart {
  readonly isHidden: boolean;
  readonly wish?: OpenWish;
}

/** Names the app, settles its data folder and claims it. The lock is per data folder, so the order matters. */
export function prepareApp(env: NodeJS.ProcessEnv, argv: readonly string[]): Prepared {
  const dataDir = settleDataDir(env);
  const isHidden = argv.includes('--hidden');
  const wish = wishIn(argv, process.cwd());
  const opened = new Opened(wish);
  const told: SecondStart = { isHidden, ...(wish && { wish: { ...wish } }) };
  return { isFirst: app.requestSingleInstanceLock({ ...told }), dataDir, isHidden, opened };
}

/** Names the app and settles its data folder; a running app takes no notice. */
export function settleDataDir(env: NodeJS.ProcessEnv): string {
  app.setName('Holdfast');
  if (process.platform === 'win32') nameOnWindows();
  const home = env['HOLDFAST_HOME'];
  if (home !== undefined && home !== '') {
    const dataDir = path.resolve(home);
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    app.setPath('userData', dataDir);
  }
  return app.getPath('userData');
}

function nameOnWindows(): void {
  app.setAppUserModelId(APP_ID);
  // Older versions of Electron have no such thing.
  if ('setToastActivatorCLSID' in app) app.setToastActivatorCLSID(TOAST_ACTIVATOR);
}

/** Calls back when a person starts the app once more, or opens something with it. Starts that only want the gateway stay silent. */
export function onSecondStart(show: () => void, open: (wish: OpenWish) => void): () => void {
  const listener = (_event: unknown, argv: readonly string[], folder: string, told: unknown): void => {
    // Chromium sorts the arguments of a second start, so what it was told counts first.
    const isOurs = isSecondStart(told);
    const wish = isOurs ? told.wish : wishIn(argv, folder);
    if (wish !== undefined) return open(wish);
    if (!(isOurs ? told.isHidden : argv.includes('--hidden'))) show();
  };
  app.on('second-instance', listener);
  return () => {
    app.off('second-instance', listener);
  };
}

function isSecondStart(told: unknown): told is SecondStart {
  if (typeof told !== 'object' || told === null || !('isHidden' in told) || typeof told.isHidden !== 'boolean')
    return false;
  return !('wish' in told) || isWish(told.wish);
}

function isWish(wish: unknown): wish is OpenWish {
  if (typeof wish !== 'object' || wish === null || !('type' in wish) || !('text' in wish)) return false;
  return (wish.type === 'file' || wish.type === 'link') && typeof wish.text === 'string';
}
