import type { CommandInput, CommandName, CommandOutput } from '../control/commands.ts';
import type { OpenWish } from '../control/getting-port.ts';
import type { Banner, Place, Snapshot } from '../control/snapshot.ts';
import type { ErrorWords } from '../core/error-sentences.ts';

/**
 * What the window may ask for: the rows of the command table that say `inWindow`, by name. The preload script cannot
 * load that table, so the names stand here once more; a test holds the two together.
 */
export const WINDOW_COMMANDS = [
  'snapshot',
  'review.list',
  'review.show',
  'review.approve',
  'review.keep-off',
  'review.undo',
  'continuity.rebind',
  'continuity.merge',
  'continuity.split',
  'pause',
  'resume',
  'language',
  'settings.set',
  'update.restart',
  'servers.list',
  'servers.show',
  'servers.tools',
  'servers.read',
  'servers.add',
  'servers.set',
  'servers.remove',
  'servers.check',
  'servers.policy',
  'servers.apply-policy',
  'getting.open',
  'getting.link',
  'getting.search',
  'getting.pick',
  'getting.fill',
  'getting.add',
  'getting.drop',
  'apps.list',
  'apps.connect',
  'apps.disconnect',
  'apps.disconnect-all',
  'apps.repair',
  'apps.restart',
  'import.look',
  'import.try',
  'import.take',
  'profiles.list',
  'profiles.create',
  'profiles.add',
  'profiles.remove',
  'profiles.assign',
  'profiles.unassign',
  'expose',
  'hide',
  'surface',
  'why',
  'history',
  'about',
  'setup.go',
  'setup.next',
  'demo.add',
  'demo.change',
  'demo.reset',
  'demo.ask',
] as const satisfies readonly CommandName[];
export type WindowCommand = (typeof WINDOW_COMMANDS)[number];

/** The wire between window and main process. */
export const CHANNELS = {
  invoke: 'holdfast:invoke',
  snapshot: 'holdfast:snapshot',
  focus: 'holdfast:focus',
  open: 'holdfast:open',
  banner: 'holdfast:banner',
} as const;

/** What a command came to. An error is a value here: thrown ones lose all but their message on the way. */
export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: ErrorWords };
export type { ErrorWords, OpenWish };

/** All that the page can reach of the main process, as `window.holdfast`. */
export interface HoldfastApi {
  invoke<N extends WindowCommand>(command: N, input: CommandInput<N>): Promise<Answer<CommandOutput<N>>>;
  /** After every commit. Returns what ends it. */
  onSnapshot(listener: (snapshot: Snapshot) => void): () => void;
  /** A notification or the tray asks for a place. Returns what ends it. */
  onFocus(listener: (place: Place) => void): () => void;
  /** A person opened a bundle or a link with this app. Returns what ends it. */
  onOpen(listener: (wish: OpenWish) => void): () => void;
  /** Something happened while the person looks at the window. Returns what ends it. */
  onBanner(listener: (banner: Banner) => void): () => void;
  /** Where a file is that was dropped here; empty where that cannot be told. */
  pathOf(file: File): string;
}

/** True for a command that the window may use; the page's text is not trusted. */
export function isWindowCommand(name: unknown): name is WindowCommand {
  return WINDOW_COMMANDS.some((command) => command === name);
}
