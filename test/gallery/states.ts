import type { Snapshot } from '../../electron/control/snapshot.ts';
import { words } from '../../electron/core/words.ts';
import type { View } from '../../renderer/view.ts';
import type { Answers } from '../renderer/fake-api.ts';
import type { Act } from './acts.ts';
import { ADDING_STATES } from './adding-states.ts';
import { ok, refused, toolOf, type World } from './gateway.ts';
import { MORE_STATES } from './more-states.ts';
import {
  APPS,
  backlog,
  BEHIND_APPS,
  CONTINUITY,
  REVIEWS,
  SERVERS,
  SETUPS,
  TROUBLED,
  TROUBLED_APPS,
  UPGRADES,
} from './samples.ts';

/** One state of one screen: what the gateway has, where the window is, and what the person has done there. */
export interface GalleryState {
  readonly snapshot?: Partial<Snapshot>;
  /** What of it is told in words. */
  readonly told?: (language: Snapshot['language']) => Partial<Snapshot>;
  readonly world?: Partial<World>;
  readonly answers?: Answers;
  readonly view?: View;
  readonly act?: 'approve' | 'new-set' | 'help' | 'open-all' | 'restart' | 'banner' | Act;
  /** No filled button is owed: nothing is asked here, or the decision has its own rule. */
  readonly filled?: number | 'any';
}

const both = { claude: 'on', cursor: 'unwanted', vscode: 'unwanted' } as const;
type Happened = World['events'][number];
function happened(sequence: number, type: Happened['type'], at: string, text: Happened['text']): Happened {
  return { at: `${at}:00.000Z`, sequence, type, text };
}

export const WORLD: World = {
  tools: [
    toolOf('Fetch page', { ...both, claude: 'changed' }, 'sha256:2'),
    toolOf('Find similar', both),
    toolOf('Search web', { ...both, cursor: 'on' }),
    toolOf('Crawl page', { ...both, claude: 'missing', cursor: 'unwanted' }, null),
    toolOf('Company research', { ...both, claude: 'unwanted' }),
  ],
  sets: [
    {
      id: 'set-1',
      name: 'Work',
      apps: ['claude'],
      servers: [
        {
          server: 'Exa',
          all: false,
          chosen: [
            { kind: 'tool', originKey: 'search_web' },
            { kind: 'tool', originKey: 'find_similar' },
          ],
          excluded: [],
        },
      ],
    },
    { id: 'set-2', name: 'Home', apps: [], servers: [{ server: 'GitHub', all: true, chosen: [], excluded: [] }] },
  ] as unknown as World['sets'], // plain strings stand for branded ids
  events: [
    happened(8, 'decided', '2026-09-01T10:04', {
      en: 'You approved “Search code” of GitHub for Claude.',
      'zh-CN': '你为 Claude 允许了 GitHub 的“Search code”。',
    }),
    happened(7, 'decided', '2026-09-01T10:00', {
      en: 'You keep “Fetch page” of Exa off in Claude.',
      'zh-CN': '你让 Exa 的“Fetch page”在 Claude 中保持关闭。',
    }),
    happened(6, 'contraction', '2026-09-01T09:58', {
      en: 'Taken out of Claude: “Fetch page”.',
      'zh-CN': '已从 Claude 中移除：“Fetch page”。',
    }),
    happened(5, 'observed', '2026-08-31T15:20', {
      en: 'The lists of Weather could not be read; nothing was changed.',
      'zh-CN': '无法读取 Weather 的列表，没有任何改动。',
    }),
    happened(4, 'server-added', '2026-08-31T15:00', {
      en: 'Added the server GitHub.',
      'zh-CN': '已添加服务 GitHub。',
    }),
    happened(3, 'consumer-added', '2026-08-31T14:59', {
      en: 'Added the app Claude.',
      'zh-CN': '已添加应用 Claude。',
    }),
  ],
};

const mixed = [...REVIEWS.careful, ...REVIEWS.check, ...REVIEWS.small, ...REVIEWS.small2];
const usual = { servers: SERVERS, apps: APPS, reviews: mixed } as const;
const calm = { servers: SERVERS, apps: APPS } as const;
const never = (): never => new Promise(() => undefined) as never; // an answer that does not come
const review = (reviews: readonly { readonly ref: string; readonly targetId: string }[]): View => ({
  screen: 'review',
  key: `${reviews[0]?.ref ?? ''} ${reviews[0]?.targetId ?? ''}`,
});
/** Each of their changes asks, and two small ones were approved. */
const ASKING = SERVERS.map((one) => ({ ...one, policy: 'review', offersAlways: true }) as const);
const reviewState = (reviews: Snapshot['reviews'], servers: Snapshot['servers'] = SERVERS): GalleryState => ({
  snapshot: { ...calm, reviews, servers },
  view: review(reviews),
});
const continuity = (change: (typeof CONTINUITY)[keyof typeof CONTINUITY]): GalleryState => ({
  snapshot: { ...calm, continuity: [change] },
  view: { screen: 'continuity', key: change.id },
});
const first = (setup: (typeof SETUPS)[keyof typeof SETUPS]): GalleryState => ({ snapshot: { setup } });

const FOUND: Answers = {
  'apps.list': () =>
    ok({
      apps: [],
      found: [
        { id: 'zed', name: 'Zed', servers: 0, isReadable: true },
        { id: 'windsurf', name: 'Windsurf', servers: 3, isReadable: true },
        { id: 'codex', name: 'Codex', servers: 0, isReadable: false },
      ],
    }),
};

/** Every state there is to be seen, by name. */
export const STATES = {
  inbox: { snapshot: usual, filled: 'any' },
  'inbox-empty': { snapshot: calm },
  'inbox-catch-up': { snapshot: { ...calm, reviews: backlog(9, 7) }, filled: 'any', act: 'open-all' },
  'inbox-loading': { answers: { snapshot: never }, filled: 0 },
  'inbox-error': { answers: { snapshot: () => refused('INTERNAL') } },
  'inbox-approved': { snapshot: { ...calm, reviews: REVIEWS.small }, act: 'approve' },
  'inbox-decided': {
    snapshot: { ...calm, reviews: [...REVIEWS.keptOff, ...REVIEWS.approved] },
    act: 'open-all',
  },
  'inbox-gone': {
    snapshot: {
      ...calm,
      tray: 'paused',
      missing: [{ app: 'Claude', serverName: 'Exa', title: 'Crawl page' }],
    },
    told: (language) => ({ notices: [words('notice.restored', language)] }),
  },
  'inbox-continuity': { snapshot: { ...usual, continuity: Object.values(CONTINUITY).slice(2) }, filled: 'any' },
  banner: { snapshot: usual, view: { screen: 'servers' }, filled: 0, act: 'banner' },
  'inbox-upgrades': { snapshot: { ...calm, ...UPGRADES.mixed }, filled: 0 },
  'inbox-upgrade-small': { snapshot: { ...calm, ...UPGRADES.small } },
  incident: { snapshot: { ...calm, ...UPGRADES.mixed }, view: { screen: 'incident', key: 'inc-1' } },
  'incident-claims': { snapshot: { ...calm, ...UPGRADES.claims }, view: { screen: 'incident', key: 'inc-1' } },
  'incident-gone': { snapshot: calm, view: { screen: 'incident', key: 'inc-1' } },
  'review-careful': reviewState(REVIEWS.careful),
  'review-check': reviewState(REVIEWS.checkTwoApps),
  'review-small': reviewState(REVIEWS.small, ASKING),
  'review-many': { ...reviewState(REVIEWS.many), act: 'open-all' },
  'review-kept-off': { ...reviewState(REVIEWS.keptOff), filled: 0 },
  'review-outdated': reviewState(REVIEWS.outdated),
  'review-gone': { snapshot: calm, view: { screen: 'review', key: 'gone' } },
  'review-refused': {
    ...reviewState(REVIEWS.check),
    answers: { 'review.approve': () => refused('REVIEW_STALE') },
    act: 'approve',
  },
  renamed: continuity(CONTINUITY.renamed),
  'renamed-careful': continuity(CONTINUITY.renamedCareful),
  'renamed-several': continuity(CONTINUITY.renamedSeveral),
  merged: continuity(CONTINUITY.merged),
  split: continuity(CONTINUITY.split),
  servers: { snapshot: usual, view: { screen: 'servers' }, filled: 0 },
  'servers-empty': { snapshot: { apps: APPS }, view: { screen: 'servers' } },
  'servers-problems': { snapshot: { apps: APPS, servers: TROUBLED }, view: { screen: 'servers' }, filled: 0 },
  'servers-keys': { snapshot: { ...calm, keys: 'locked' }, view: { screen: 'servers' }, filled: 0 },
  server: { snapshot: usual, view: { screen: 'server', key: 'srv-1' }, filled: 0, act: 'open-all' },
  'server-no-app': { snapshot: { servers: SERVERS }, view: { screen: 'server', key: 'srv-1' } },
  'server-no-tools': { snapshot: calm, world: { tools: [] }, view: { screen: 'server', key: 'srv-1' } },
  'server-error': {
    snapshot: calm,
    answers: { 'servers.tools': () => refused('INTERNAL') },
    view: { screen: 'server', key: 'srv-1' },
  },
  'server-loading': {
    snapshot: calm,
    answers: { 'servers.tools': never },
    view: { screen: 'server', key: 'srv-1' },
    filled: 0,
  },
  ...ADDING_STATES,
  apps: { snapshot: usual, answers: FOUND, view: { screen: 'apps' }, filled: 0, act: 'open-all' },
  'apps-found': { snapshot: { servers: SERVERS }, answers: FOUND, view: { screen: 'apps' }, filled: 0 },
  'apps-empty': { snapshot: { servers: SERVERS }, view: { screen: 'apps' } },
  'apps-restart': { snapshot: { ...calm, apps: BEHIND_APPS }, view: { screen: 'apps' }, filled: 0 },
  'apps-restart-asked': {
    snapshot: { ...calm, apps: BEHIND_APPS },
    view: { screen: 'apps' },
    filled: 0,
    act: 'restart',
  },
  'apps-trouble': { snapshot: { ...calm, apps: TROUBLED_APPS }, view: { screen: 'apps' }, filled: 0 },
  sets: { snapshot: usual, view: { screen: 'sets' }, filled: 0 },
  'sets-empty': { snapshot: calm, world: { sets: [] }, view: { screen: 'sets' } },
  'sets-new': { snapshot: calm, view: { screen: 'sets' }, act: 'new-set' },
  'sets-error': { snapshot: calm, answers: { 'profiles.list': () => refused('INTERNAL') }, view: { screen: 'sets' } },
  set: { snapshot: { ...calm, servers: SERVERS.slice(0, 1) }, view: { screen: 'set', key: 'set-1' }, filled: 0 },
  'set-no-tools': { snapshot: { apps: APPS }, view: { screen: 'set', key: 'set-1' } },
  activity: {
    snapshot: { ...calm, reviews: [...REVIEWS.keptOff, ...REVIEWS.approved] },
    view: { screen: 'activity' },
    filled: 0,
  },
  'activity-empty': { snapshot: calm, world: { events: [] }, view: { screen: 'activity' } },
  'activity-error': { snapshot: calm, answers: { history: () => refused('INTERNAL') }, view: { screen: 'activity' } },
  settings: {
    snapshot: { ...calm, preferences: { startAtLogin: true, tell: 'careful', lookForUpdates: true } },
    view: { screen: 'settings' },
    filled: 0,
  },
  'settings-paused': { snapshot: { tray: 'paused' }, view: { screen: 'settings' }, filled: 0, act: 'open-all' },
  help: { snapshot: usual, act: 'help', filled: 'any' },
  'first-found': first(SETUPS.found),
  'first-none': first(SETUPS.none),
  'first-damaged': first(SETUPS.damaged),
  'first-done': first(SETUPS.done),
  'first-restart': first(SETUPS.restart),
  'first-try': first(SETUPS.try),
  'first-works': first(SETUPS.works),
  'first-example': first(SETUPS.example),
  'story-small': { snapshot: { ...calm, reviews: REVIEWS.small, setup: SETUPS.story }, filled: 'any' },
  'story-over': { snapshot: { ...calm, setup: SETUPS.storyOver } },
  ...MORE_STATES,
} as const satisfies Record<string, GalleryState>;
export type StateName = keyof typeof STATES;
