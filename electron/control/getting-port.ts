import type { Getting } from '../getting/getting.ts';

/** Files, links and lists that servers come from; see {@link Getting}. */
export type GettingPort = Pick<
  Getting,
  'open' | 'search' | 'pick' | 'laidOut' | 'taken' | 'drop' | 'isVersionOf' | 'writeHostBundle'
>;

/** What a person opened with this app: a bundle or a link. It is only laid out in the window. */
export interface OpenWish {
  readonly type: 'file' | 'link';
  readonly text: string;
}
