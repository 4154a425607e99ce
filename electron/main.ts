import path from 'node:path';
import { app, dialog, powerMonitor, safeStorage } from 'electron';
import { asHoldfastError, HoldfastError } from './core/errors.ts';
import { errorWords } from './core/error-sentences.ts';
import { ignoreClosedOutput, onCrash } from './crash.ts';
import { createDesktop, type Desktop } from './desktop/desktop.ts';
import { secretBox } from './desktop/secret-box.ts';
import { loginStart } from './desktop/login-start.ts';
import { prepareApp, settleDataDir, type Prepared } from './desktop/single-instance.ts';
import { desktopFacts, triedOf } from './desktop-facts.ts';
import { desktopStarts, type DesktopProgram } from './desktop-starts.ts';
import { openHoldfast, type Holdfast } from './headless.ts';
import { withholdLaunch } from './bridge-files.ts';
import { restoreHostsNow } from './restore-hosts.ts';
import { RESTORE_HOSTS } from './starts.ts';
import { endOnce, type Ending } from './ending.ts';
import { serveWindow } from './ipc/main.ts';
import { electronUpdater } from './desktop/updater.ts';
import { isMisplaced } from './desktop/placement.ts';
import { updatesOf } from './updates.ts';
import { realFiles } from './store/files.ts';
import { UpdatesFile } from './store/updates-file.ts';

// The servers' process trees end with the app. No dialog: nobody may be there to close it.
const crashes = onCrash((status) => app.exit(status));
ignoreClosedOutput();
if (process.argv.includes(RESTORE_HOSTS)) {
  leaveForGood();
  app.exit(0);
} else {
  const prepared = prepareApp(process.env, process.argv);
  if (prepared.isFirst) void app.whenReady().then(() => start(prepared).catch(refuse));
  else app.exit(0);
}

async function start({ dataDir, isHidden, opened }: Prepared): Promise<void> {
  if (isMisplaced(process.execPath, process.platform)) throw new HoldfastError('APP_MISPLACED');
  const appPath = app.getAppPath();
  const inApp = (...parts: string[]): string => path.join(appPath, ...parts);
  // What happens before the desktop stands is shown by it when it does.
  const desktop: { current?: Desktop } = {};
  const starts = desktopStarts({ ...thisProgram(), dataDir });
  const updates = updatesOf(electronUpdater(), {
    wish: new UpdatesFile(realFiles, dataDir),
    hasCalls: () => holdfast.gateway.hasCalls,
    onReady: () => holdfast.control.pushSnapshot(),
    leave: () => leaveForUpdate(dataDir, ending),
    onProblem: report,
  });
  const holdfast = await openHoldfast({
    dataDir,
    ...starts,
    login: loginStart(app, { ...starts.launch, dataDir: process.env['HOLDFAST_HOME'] }),
    updates,
    box: secretBox(safeStorage, process.platform) ?? 'unavailable',
    onSnapshot: (snapshot) => desktop.current?.update(snapshot),
    onNotice: (incident) => desktop.current?.hear(incident),
    onTrace: (line) => {
      const tried = triedOf(holdfast.control, line);
      if (tried !== null) desktop.current?.tried(tried);
    },
    onProblem: complain,
  });
  const { control } = holdfast;
  crashes.mask = holdfast.mask;
  await speakTheirLanguage(control);
  const rendererFile = inApp('dist', 'renderer', 'index.html');
  const link = serveWindow({
    run: holdfast.run,
    language: () => control.state.settings.language,
    rendererFile,
    log: complain,
  });
  const ending = endOnce({
    close: () => holdfast.close().catch(report),
    dispose: () => desktop.current?.dispose(),
    exit: () => app.exit(0),
  });
  desktop.current = createDesktop({
    link,
    run: holdfast.run,
    snapshot: () => control.snapshot(),
    facts: desktopFacts(holdfast),
    told: (incident) => void control.told(incident).catch(report),
    quit: () => ending.quit(),
    rendererFile,
    preloadFile: inApp('dist', 'preload.cjs'),
    resourcesDir: inApp('resources'),
    isHidden,
    opened,
  });
  await holdfast.listen();
  updates?.start();
  watchSystem(holdfast, ending);
}

function watchSystem({ control, gateway }: Holdfast, ending: Ending): void {
  powerMonitor.on('resume', () => void gateway.observeInUse(control.serversInUse()).catch(report));
  app.on('before-quit', (event) => {
    if (ending.hasLeft) return;
    event.preventDefault();
    void ending.quit();
  });
}

function thisProgram(): Omit<DesktopProgram, 'dataDir'> {
  const { execPath, resourcesPath, argv, env } = process;
  return { execPath, resourcesPath, argv, env, isPackaged: app.isPackaged, appPath: app.getAppPath() };
}

/** For an uninstaller: no window, no lock, and a running app is not asked. */
function leaveForGood(): void {
  const dataDir = settleDataDir(process.env);
  // First, or an app that still runs would start what is about to be removed.
  withholdLaunch(dataDir, 'removed');
  restoreHostsNow(dataDir);
  try {
    const { launch } = desktopStarts({ ...thisProgram(), dataDir });
    loginStart(app, { ...launch, dataDir: process.env['HOLDFAST_HOME'] }).set(false);
  } catch (error) {
    report(error);
  }
}

/** The updater ends the app itself, when it has what it needs. */
async function leaveForUpdate(dataDir: string, ending: Ending): Promise<void> {
  app.on('window-all-closed', () => undefined);
  // Windows replaces no file of a program that runs, and a bridge would start it.
  if (process.platform === 'win32') withholdLaunch(dataDir, 'update');
  await ending.leave();
}

/** A first start speaks the system's language, where that is one of ours. */
async function speakTheirLanguage(control: Holdfast['control']): Promise<void> {
  if (control.state.sequence > 0 || !app.getLocale().toLowerCase().startsWith('zh')) return;
  await control.dispatch({ type: 'language', at: new Date().toISOString(), language: 'zh-CN' });
}

function report(error: unknown): void {
  complain(asHoldfastError(error));
}

function complain(error: HoldfastError): void {
  const { message, next } = errorWords(error);
  console.error(`${message} ${next}`);
}

/** The app cannot run: one sentence, the next step, and the end. */
function refuse(thrown: unknown): void {
  const { message, next } = errorWords(asHoldfastError(thrown));
  console.error(`${message} ${next}`);
  if (!process.argv.includes('--hidden')) dialog.showErrorBox('Holdfast', `${message}\n\n${next}`);
  app.exit(1);
}
