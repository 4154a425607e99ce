import type { AppView, Place, ServerView, Snapshot } from '../control/snapshot.ts';
import { words } from '../core/words.ts';

export type TrayAct =
  | { readonly do: 'review' | 'pause-hour' | 'pause' | 'resume' | 'update' | 'quit' }
  | { readonly do: 'open'; readonly place?: Place };

/** One line of the tray's menu, before Electron makes it native. */
export type TrayLine =
  | { readonly type: 'text'; readonly label: string }
  | { readonly type: 'separator' }
  | { readonly type: 'act'; readonly label: string; readonly act: TrayAct }
  | { readonly type: 'submenu'; readonly label: string; readonly lines: readonly TrayLine[] };

/** What the tray tells beyond the snapshot. */
export interface TrayFacts {
  /** Names of apps that have to be restarted before they see an update. */
  readonly restart: readonly string[];
  /** Servers that an app wants and that do not work. */
  readonly broken: readonly Pick<ServerView, 'name'>[];
}

/** A menu is no list: beyond these the window tells. */
const MAX_LINES = 3;

/** What the menu offers to mend: apps that wait for a restart, servers in use with a problem. */
export function trayFacts({ apps, servers }: Snapshot, inUse: ReadonlySet<string>): TrayFacts {
  return {
    restart: apps.filter(isBehind).map(({ name }) => name),
    broken: servers.filter(({ id, state }) => state === 'problem' && inUse.has(id)),
  };
}

/** It runs, and has not fetched what is in force; what cannot be told is no reason to restart anything. */
function isBehind({ connected, fetched }: AppView): boolean {
  return connected > 0 && fetched?.isCurrent === false;
}

/** How things stand, in one line: the menu's first, and the tooltip. */
export function trayStatus(snapshot: Snapshot, { broken }: TrayFacts): string {
  const { language, waiting } = snapshot;
  switch (snapshot.tray) {
    case 'paused':
      return words('tray.paused', language);
    case 'error': {
      const [first] = broken;
      return first === undefined
        ? words('tray.notSaved', language)
        : words('tray.error', language, { server: first.name });
    }
    case 'attention': {
      const isOne = new Intl.PluralRules(language).select(waiting) === 'one';
      return words(isOne ? 'tray.attention.one' : 'tray.attention.other', language, { n: waiting });
    }
    case 'ok':
      return words(snapshot.readyTools === 1 ? 'tray.ok.one' : 'tray.ok.other', language, { n: snapshot.readyTools });
  }
}

/** The tray's whole menu. */
export function trayMenu(snapshot: Snapshot, facts: TrayFacts): TrayLine[] {
  const { language } = snapshot;
  return [
    { type: 'text', label: trayStatus(snapshot, facts) },
    { type: 'act', label: words('tray.review', language), act: { do: 'review' } },
    ...mendLines(snapshot, facts),
    { type: 'separator' },
    pauseLine(snapshot),
    { type: 'separator' },
    ...updateLines(snapshot),
    { type: 'act', label: words('tray.open', language), act: { do: 'open' } },
    { type: 'act', label: words('tray.quit', language), act: { do: 'quit' } },
  ];
}

/** Only where there is something to mend. */
function mendLines({ language }: Snapshot, { restart, broken }: TrayFacts): TrayLine[] {
  const restarts = restart.slice(0, MAX_LINES).map((consumer): TrayLine => ({
    type: 'act',
    label: words('tray.restart', language, { consumer }),
    act: { do: 'open', place: 'apps' },
  }));
  const fixes = broken.slice(0, MAX_LINES).map(({ name: server }): TrayLine => ({
    type: 'act',
    label: words('tray.fix', language, { server }),
    act: { do: 'open', place: 'servers' },
  }));
  const lines = [...restarts, ...fixes];
  return lines.length === 0 ? [] : [{ type: 'separator' }, ...lines];
}

function updateLines({ language, update }: Snapshot): TrayLine[] {
  if (update === undefined) return [];
  return [{ type: 'act', label: words('tray.update', language, { version: update.version }), act: { do: 'update' } }];
}

function pauseLine({ language, tray }: Snapshot): TrayLine {
  if (tray === 'paused') return { type: 'act', label: words('tray.resume', language), act: { do: 'resume' } };
  return {
    type: 'submenu',
    label: words('tray.pause', language),
    lines: [
      { type: 'act', label: words('tray.pauseHour', language), act: { do: 'pause-hour' } },
      { type: 'act', label: words('tray.pauseOpen', language), act: { do: 'pause' } },
    ],
  };
}
