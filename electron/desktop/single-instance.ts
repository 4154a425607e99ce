import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { app } from 'electron';

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
}

/** What a second start tells the first one. */
export interface SecondStart {
  readonly isHidden: boolean;
}

/** Names the app, settles its data folder and claims it. The lock is per data folder, so the order matters. */
export function prepareApp(env: NodeJS.ProcessEnv, argv: readonly string[]): Prepared {
  const dataDir = settleDataDir(env);
  const isHidden = argv.includes('--hidden');
  const told: SecondStart = { isHidden };
  return { isFirst: app.requestSingleInstanceLock({ ...told }), dataDir, isHidden };
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

/** Calls back when a person starts the app once more. Starts that only want the gateway stay silent. */
export function onSecondStart(show: () => void): () => void {
  const listener = (_event: unknown, argv: readonly string[], _folder: string, told: unknown): void => {
    // Chromium sorts the arguments of a second start, so what it was told counts first.
    const isHidden = isSecondStart(told) ? told.isHidden : argv.includes('--hidden');
    if (!isHidden) show();
  };
  app.on('second-instance', listener);
  return () => {
    app.off('second-instance', listener);
  };
}

function isSecondStart(told: unknown): told is SecondStart {
  return typeof told === 'object' && told !== null && 'isHidden' in told && typeof told.isHidden === 'boolean';
}
