/** The six screens of the sidebar, in its order; Ctrl and a digit goes there. */
export const SCREENS = ['inbox', 'servers', 'apps', 'sets', 'activity', 'settings'] as const;
export type Screen = (typeof SCREENS)[number];

/** Where the person is. */
export type View =
  | { readonly screen: Screen | 'add-server' | 'import' | 'first-run' }
  | { readonly screen: 'review' | 'server' | 'set' | 'continuity'; readonly key: string };

const PARENTS: Readonly<Partial<Record<View['screen'], Screen>>> = {
  review: 'inbox',
  continuity: 'inbox',
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
