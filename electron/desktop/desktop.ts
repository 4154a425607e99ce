import path from 'node:path';
import { app } from 'electron';
import type { CommandOutput } from '../control/commands.ts';
import type { Place, Snapshot } from '../control/snapshot.ts';
import { parseRef } from '../core/identity.ts';
import type { IncidentId, IncidentLoss, ServerId } from '../core/model.ts';
import { displayName } from '../core/sentences.ts';
import { IncidentNotes } from './incident-notes.ts';
import type { IncidentNews } from './notices.ts';
import { desktopNotifier } from './notifier.ts';
import { onSecondStart } from './single-instance.ts';
import type { TrayAct } from './tray-menu.ts';
import { TrayIcon } from './tray.ts';
import { MainWindow, type WindowLink } from './window.ts';

export interface DesktopDeps {
  readonly link: WindowLink;
  /** Runs one command of the table; rejects with a `HoldfastError`. */
  readonly run: (command: string, input: unknown) => Promise<unknown>;
  readonly snapshot: () => Snapshot;
  /** Servers that some app wants. */
  readonly inUse: () => readonly ServerId[];
  /** Ends the app in good order. */
  readonly quit: () => Promise<void>;
  readonly rendererFile: string;
  readonly preloadFile: string;
  readonly resourcesDir: string;
  /** Start without showing the window. */
  readonly isHidden: boolean;
}

/** Tray, window and notifications: what a person sees, and nothing that decides. */
export interface Desktop {
  /** To be called after every commit. */
  update(snapshot: Snapshot): void;
  /** Resolves when the incident's notification is shown or turned out to be needless. */
  notify(incident: IncidentId): Promise<void>;
  showWindow(place?: Place): void;
  dispose(): void;
}

/** Builds the desktop; `app` has to be ready. */
export function createDesktop(deps: DesktopDeps): Desktop {
  const { resourcesDir, snapshot } = deps;
  const iconFile = path.join(resourcesDir, 'icon.png');
  const window = new MainWindow({ ...deps, iconFile });
  const open = (place?: Place): void => {
    window.show(place);
  };
  const notifier = desktopNotifier(iconFile);
  const notes = new IncidentNotes({
    notifier,
    snapshot,
    removedBy: (incident) => removedBy(deps, incident),
    run: deps.run,
    open,
    isWindowInFront: () => window.isInFront,
  });
  const tray = new TrayIcon(
    {
      resourcesDir,
      act: (act) => {
        if (act.do === 'open') open(act.place);
        else trayActs(deps, open)[act.do]();
      },
      inUse: () => new Set(deps.inUse()),
    },
    snapshot(),
  );
  const forgetSecondStart = onSecondStart(() => {
    open();
  });
  const stay = (): void => undefined; // without a listener Electron would end the app with its window
  app.on('window-all-closed', stay);
  const onActivate = (): void => {
    open();
  };
  app.on('activate', onActivate);
  if (!deps.isHidden) open();
  return {
    update(next) {
      deps.link.pushSnapshot(next);
      tray.update(next);
      notes.update(next);
    },
    notify: (incident) => notes.notify(incident),
    showWindow: open,
    dispose() {
      forgetSecondStart();
      app.off('window-all-closed', stay);
      app.off('activate', onActivate);
      notifier.dispose();
      tray.dispose();
      window.dispose();
    },
  };
}

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
    quit: () => void deps.quit(),
  };
}

async function removedBy({ run }: DesktopDeps, id: IncidentId): Promise<Omit<IncidentNews, 'reviews'>> {
  // The table pairs this name with this answer.
  const { incidents } = (await run('review.list', {})) as CommandOutput<'review.list'>;
  const incident = incidents.find((other) => other.id === id);
  const named = (lost: readonly IncidentLoss[] = []): string[] =>
    [...new Set(lost.map(({ ref }) => ref))].map((ref) => displayName(parseRef(ref)));
  const { server = '', missing, unusable } = incident ?? {};
  return { serverName: server, removed: named(missing), unusable: named(unusable) };
}
