import type { Snapshot } from '../control/snapshot.ts';
import { words } from '../core/words.ts';

export type TrayAct = 'review' | 'pause-hour' | 'pause' | 'resume' | 'open' | 'quit';

/** One line of the tray's menu, before Electron makes it native. */
export type TrayLine =
  | { readonly type: 'text'; readonly label: string }
  | { readonly type: 'separator' }
  | { readonly type: 'act'; readonly label: string; readonly act: TrayAct }
  | { readonly type: 'submenu'; readonly label: string; readonly lines: readonly TrayLine[] };

/** How things stand, in one line: the menu's first, and the tooltip. */
export function trayStatus(snapshot: Snapshot): string {
  const { language, waiting } = snapshot;
  switch (snapshot.tray) {
    case 'paused':
      return words('tray.paused', language);
    case 'error': {
      const broken = snapshot.servers.find((server) => server.state === 'problem');
      return broken === undefined
        ? words('tray.notSaved', language)
        : words('tray.error', language, { server: broken.name });
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
export function trayMenu(snapshot: Snapshot): TrayLine[] {
  const { language } = snapshot;
  return [
    { type: 'text', label: trayStatus(snapshot) },
    { type: 'act', label: words('tray.review', language), act: 'review' },
    { type: 'separator' },
    pauseLine(snapshot),
    { type: 'separator' },
    { type: 'act', label: words('tray.open', language), act: 'open' },
    { type: 'act', label: words('tray.quit', language), act: 'quit' },
  ];
}

function pauseLine({ language, tray }: Snapshot): TrayLine {
  if (tray === 'paused') return { type: 'act', label: words('tray.resume', language), act: 'resume' };
  return {
    type: 'submenu',
    label: words('tray.pause', language),
    lines: [
      { type: 'act', label: words('tray.pauseHour', language), act: 'pause-hour' },
      { type: 'act', label: words('tray.pauseOpen', language), act: 'pause' },
    ],
  };
}
