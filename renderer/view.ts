/** The six screens of the sidebar, in its order; Ctrl and a digit goes there. */
export const SCREENS = ['inbox', 'servers', 'apps', 'sets', 'activity', 'settings'] as const;
export type Screen = (typeof SCREENS)[number];

/** Where the person is. */
export type View =
  | { readonly screen: Screen | 'add-server' | 'import' | 'first-run' }
  | { readonly screen: 'server' | 'set' | 'continuity' | 'incident'; readonly key: string }
  /** `from`: the upgrade that it was opened from, and that it leads back to. */
  | { readonly screen: 'review'; readonly key: string; readonly from?: string };

const PARENTS: Readonly<Partial<Record<View['screen'], Screen>>> = {
  review: 'inbox',
  continuity: 'inbox',
  incident: 'inbox',
  'first-run': 'inbox',
  server: 'servers',
  'add-server': 'servers',
  import: 'servers',
  set: 'sets',
};

/** The screen that a page belongs to. */
export function screenOf({ screen }: View): Screen {
  return PARENTS[screen] ?? (screen as Screen); // all the others are screens of the sidebar
}
