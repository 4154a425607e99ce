import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { app } from 'electron';

/** Also the name of the start-menu shortcut's id, which Windows needs before it shows a notification. */
const APP_ID = 'invalid.holdfast.app';

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
  if (process.platform === 'win32') app.setAppUserModelId(APP_ID);
  const home = env['HOLDFAST_HOME'];
  if (home !== undefined && home !== '') {
    const dataDir = path.resolve(home);
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    app.setPath('userData', dataDir);
  }
  return app.getPath('userData');
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
