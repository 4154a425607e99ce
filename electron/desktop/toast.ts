import type { NotificationConstructorOptions } from 'electron';
import type { Note } from './note.ts';

/** Makes Electron's options of a note: no sound, no urgency, one button at most. */
export type ToOptions = (note: Note, appIcon: string) => NotificationConstructorOptions;

/** What Windows takes for one name of a toast. */
const MAX_TAG = 64;

const plain = ({ title, body }: Note): NotificationConstructorOptions => ({ title, body, silent: true });

function buttons({ button }: Note): Pick<NotificationConstructorOptions, 'actions'> {
  return { actions: button === null ? [] : [{ type: 'button', text: button.label }] };
}

/** A toast with the same tag replaces the earlier one, also in the list of notifications. */
const windowsToast: ToOptions = (note, appIcon) => ({
  ...plain(note),
  ...buttons(note),
  id: note.id.slice(0, MAX_TAG),
  icon: appIcon,
  timeoutType: 'default',
});

/** The system shows the app's own icon; another one would stand beside it. Without a signature nothing is shown. */
const macToast: ToOptions = (note) => ({ ...plain(note), ...buttons(note), id: note.id });

/** Electron shows no buttons on Linux, whatever it is given. */
const linuxToast: ToOptions = (note, appIcon) => ({ ...plain(note), icon: appIcon, urgency: 'normal' });

const SIDES: Partial<Readonly<Record<NodeJS.Platform, ToOptions>>> = { win32: windowsToast, darwin: macToast };

/** How this system wants it. */
export function toastOf(platform: NodeJS.Platform): ToOptions {
  return SIDES[platform] ?? linuxToast;
}

/**
 * Is a note away for good? After its time on Windows it lies in the list of notifications, where it can still be clicked
 * and has to be removed.
 */
export function isGone(reason: string | undefined): boolean {
  return reason !== 'timedOut';
}
