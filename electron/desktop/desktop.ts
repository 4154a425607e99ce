import path from 'node:path';
import { app, powerMonitor, type WebContents } from 'electron';
import type { Place, Snapshot } from '../control/snapshot.ts';
import type { IncidentId, ServerId } from '../core/model.ts';
import type { Tried } from './note-plan.ts';
import { Notes, type Clock, type NotesDeps } from './notes.ts';
import { lockContents } from './lockdown.ts';
import { desktopNotifier } from './notifier.ts';
import type { Opened } from './opened.ts';
import { onSecondStart } from './single-instance.ts';
import type { TrayAct } from './tray-menu.ts';
import { TrayIcon } from './tray.ts';
import { MainWindow, type WindowLink } from './window.ts';

export interface DesktopDeps {
  readonly link: WindowLink;
  /** Runs one command of the table; rejects with a `HoldfastError`. */
  readonly run: (command: string, input: unknown) => Promise<unknown>;
  readonly snapshot: () => Snapshot;
  readonly facts: Pick<NotesDeps, 'lost' | 'broken' | 'inForce'> & {
    /** Servers that some app wants. */
    readonly inUse: () => readonly ServerId[];
  };
  /** Marks that the person need not hear of this incident any more. */
  readonly told: (incident: IncidentId) => void;
  /** Ends the app in good order. */
  readonly quit: () => Promise<void>;
  readonly rendererFile: string;
  readonly preloadFile: string;
  readonly resourcesDir: string;
  /** Start without showing the window. */
  readonly isHidden: boolean;
  /** What a person opens with the app. */
  readonly opened: Opened;
}

/** Tray, window and notifications: what a person sees, and nothing that decides. */
export interface Desktop {
  /** To be called after every commit. */
  update(snapshot: Snapshot): void;
  /** An incident that the person should hear of, in its time. */
  hear(incident: IncidentId): void;
  /** An app tried to use something that is off. */
  tried(tried: Tried): void;
  showWindow(place?: Place): void;
  dispose(): void;
}

/** Builds the desktop; `app` has to be ready. */
export function createDesktop(deps: DesktopDeps): Desktop {
  const { resourcesDir, snapshot } = deps;
  const iconFile = path.join(resourcesDir, 'icon.png');
  const window = new MainWindow({
    ...deps,
    iconFile,
    onFront: () => {
      notes.look();
    },
  });
  const open = (place?: Place): void => {
    window.show(place);
  };
  const notifier = desktopNotifier(iconFile, () => {
    open(firstWaiting(snapshot()));
  });
  const notes = new Notes({
    ...deps.facts,
    notifier,
    clock: CLOCK,
    snapshot,
    run: deps.run,
    open,
    told: deps.told,
    isWindowInFront: () => window.isInFront,
    banner: (banner) => {
      deps.link.banner(banner);
    },
  });
  const onResume = (): void => {
    notes.look(); // timers stood still
  };
  powerMonitor.on('resume', onResume);
  const tray = makeTray(deps, open);
  const stopListening = listenToApp(open, deps.opened);
  if (!deps.isHidden) open();
  deps.opened.listen((wish) => window.showWish(wish));
  return {
    update(next) {
      deps.link.pushSnapshot(next);
      tray.update(next);
      notes.update(next);
    },
    hear(incident) {
      notes.hear(incident);
    },
    tried(tried) {
      notes.tried(tried);
    },
    showWindow: open,
    dispose() {
      stopListening();
      powerMonitor.off('resume', onResume);
      notes.dispose();
      notifier.dispose();
      tray.dispose();
      window.dispose();
    },
  };
}

function makeTray(deps: DesktopDeps, open: (place?: Place) => void): TrayIcon {
  const acts = trayActs(deps, open);
  const act = (chosen: TrayAct): void => {
    if (chosen.do === 'open') open(chosen.place);
    else acts[chosen.do]();
  };
  const inUse = (): Set<ServerId> => new Set(deps.facts.inUse());
  return new TrayIcon({ resourcesDir: deps.resourcesDir, act, inUse }, deps.snapshot());
}

/** A second start and a click on the Dock open the window; without windows the app stays. */
function listenToApp(open: () => void, opened: Opened): () => void {
  const show = (): void => {
    open();
  };
  const forgetSecondStart = onSecondStart(show, (wish) => {
    opened.tell(wish);
  });
  const onContents = (_event: unknown, contents: WebContents): void => {
    lockContents(contents); // whoever makes some, now or later
  };
  app.on('web-contents-created', onContents);
  const stay = (): void => undefined; // without a listener Electron would end the app with its window
  app.on('window-all-closed', stay);
  app.on('activate', show);
  return () => {
    forgetSecondStart();
    app.off('web-contents-created', onContents);
    app.off('window-all-closed', stay);
    app.off('activate', show);
  };
}

const CLOCK: Clock = {
  now: () => Date.now(),
  after(delayMs, act) {
    const timer = setTimeout(act, delayMs).unref();
    return () => {
      clearTimeout(timer);
    };
  },
};

/** With one tool there is one thing to look at; with several, or none, the list is the place to start. */
function firstWaiting({ reviews }: Snapshot): Place {
  const waiting = reviews.filter(({ state, quiet }) => state === 'pending' && !quiet);
  const [first] = waiting;
  return first !== undefined && new Set(waiting.map(({ ref }) => ref)).size === 1 ? first.id : 'inbox';
}

function trayActs(
  deps: DesktopDeps,
  open: (place?: Place) => void,
): Readonly<Record<Exclude<TrayAct['do'], 'open'>, () => void>> {
  const run = (command: string, input: unknown): void => {
    deps.run(command, input).catch((error: unknown) => {
      console.error(`holdfast: the tray's “${command}” failed.`, error);
      open();
    });
  };
  return {
    review: () => {
      open(firstWaiting(deps.snapshot()));
    },
    'pause-hour': () => {
      run('pause', { minutes: 60 });
    },
    pause: () => {
      run('pause', {});
    },
    resume: () => {
      run('resume', {});
    },
    update: () => {
      run('update.restart', {});
    },
    quit: () => void deps.quit(),
  };
}
