import type { Snapshot } from '../../electron/control/snapshot.ts';
import { START_PROBLEM_CODES, startProblemWords } from '../../electron/core/start-problem-words.ts';
import { clicks, inTurn, opensAll, presses, writes } from './acts.ts';
import { problem, refused, toolOf } from './gateway.ts';
import { MORE_REVIEWS } from './more-samples.ts';
import { app, APPS, CONTINUITY, REVIEWS, server, SERVERS, SETUPS, TROUBLED } from './samples.ts';
import type { GalleryState } from './states.ts';

const calm = { servers: SERVERS, apps: APPS } as const;
const never = (): never => new Promise(() => undefined) as never; // an answer that does not come
const review = (reviews: Snapshot['reviews'], more: GalleryState = {}): GalleryState => ({
  snapshot: { ...calm, reviews },
  view: { screen: 'review', key: `${reviews[0]?.ref ?? ''} ${reviews[0]?.targetId ?? ''}` },
  ...more,
});
const first = (setup: Snapshot['setup'], more: GalleryState = {}): GalleryState => ({
  snapshot: setup === undefined ? {} : { setup },
  ...more,
});
const story = (
  change: 'small' | 'careful',
  state: 'coming' | 'waiting' | 'decided',
  reviews: Snapshot['reviews'] = [],
) => ({
  snapshot: { ...calm, reviews, setup: { ...SETUPS.story, story: { change, state } } },
});
const onServer = { view: { screen: 'server', key: 'srv-1' } } as const;
const DEMO = server({ name: 'Demo', isExample: true, tools: 2 });
const EXAMPLE = app({ id: 'example' as never, name: 'Example app', withheld: [] }); // a sample id
const MANY_TOOLS = Array.from({ length: 240 }, (_, at) =>
  toolOf(`Tool ${at + 1}`, { claude: at % 3 ? 'on' : 'unwanted' }),
);
const setUp = clicks('.button.filled');

/** Every problem that a server's start is known to have, with the words and the fix it has. */
function startProblems(language: Snapshot['language']): Partial<Snapshot> {
  const told = START_PROBLEM_CODES.map((code, at) =>
    server({
      ...{ id: `srv-${at + 20}` as never, name: `Server ${at + 1}`, state: 'problem', problem: '–' }, // a sample id
      cause: { kind: 'other', told: startProblemWords({ code, subject: 'notes' }, language) },
    }),
  );
  return { servers: told };
}

/** States beyond the usual ones: what fails, what is half done, and what is seldom seen. */
export const MORE_STATES = {
  'inbox-update': { snapshot: { ...calm, update: { version: '0.2.0' } } },
  'inbox-kept-off': { snapshot: { ...calm, reviews: REVIEWS.check }, act: clicks(['.card .button', 1]) },
  'inbox-refused': {
    snapshot: { ...calm, reviews: REVIEWS.check },
    answers: { 'review.approve': () => refused('REVIEW_STALE') },
    act: 'approve',
    filled: 'any',
  },
  'inbox-small-approved': {
    snapshot: { ...calm, reviews: [...REVIEWS.careful, ...REVIEWS.small, ...REVIEWS.small2] },
    act: clicks('.top .button'),
    filled: 'any',
  },
  'inbox-hostile': { snapshot: { ...calm, reviews: MORE_REVIEWS.hostile }, filled: 'any' },
  'review-new': review(MORE_REVIEWS.fresh),
  'review-approved': review(REVIEWS.approved, { filled: 0 }),
  'review-changes-things': review(MORE_REVIEWS.changes),
  'review-program': review(MORE_REVIEWS.program),
  'review-orders': review(MORE_REVIEWS.orders, { act: 'open-all' }),
  'review-prompt': review(MORE_REVIEWS.prompt),
  'review-hostile': review(MORE_REVIEWS.hostile, { act: 'open-all' }),
  'review-per-app': review(MORE_REVIEWS.halfDecided, { act: 'open-all' }),
  'review-loading': review(REVIEWS.careful, { answers: { 'review.show': never } }),
  'review-unreadable': review(REVIEWS.careful, { answers: { 'review.show': () => refused('INTERNAL') } }),
  'review-always': {
    ...review(REVIEWS.small, { act: clicks('.box') }),
    snapshot: { ...calm, reviews: REVIEWS.small, servers: SERVERS.map((one) => ({ ...one, offersAlways: true })) },
  },
  'renamed-picked': {
    snapshot: { ...calm, continuity: [CONTINUITY.renamedSeveral] },
    view: { screen: 'continuity', key: 'con-2' },
    act: clicks('.dot'),
  },
  'renamed-gone': { snapshot: calm, view: { screen: 'continuity', key: 'con-9' } },
  'renamed-refused': {
    snapshot: { ...calm, continuity: [CONTINUITY.renamed] },
    view: { screen: 'continuity', key: 'con-1' },
    answers: { 'continuity.rebind': () => refused('REVIEW_STALE') },
    act: clicks('.bar .button'),
  },
  'split-ticked': {
    snapshot: { ...calm, continuity: [CONTINUITY.split] },
    view: { screen: 'continuity', key: 'con-4' },
    act: clicks('.box'),
  },
  'servers-told': { told: startProblems, view: { screen: 'servers' }, filled: 0 },
  'servers-key-file': { snapshot: { ...calm, keys: 'file' }, view: { screen: 'servers' }, filled: 0 },
  'servers-unopenable': { snapshot: { ...calm, keys: 'unopenable' }, view: { screen: 'servers' }, filled: 0 },
  'servers-no-key-store': { snapshot: { ...calm, keys: 'no-key-store' }, view: { screen: 'servers' }, filled: 0 },
  'servers-removed': {
    ...{ snapshot: calm, view: { screen: 'servers' }, filled: 0 },
    act: inTurn(presses('Enter', '.icon-button'), clicks(['.option', 2])),
  },
  'server-demo': { snapshot: { ...calm, servers: [DEMO] }, ...onServer, filled: 0 },
  'server-demo-asked': {
    ...{ snapshot: { servers: [DEMO], apps: [EXAMPLE] }, ...onServer, filled: 0 },
    act: clicks('section .stack .button'),
  },
  'server-many-tools': { snapshot: calm, world: { tools: MANY_TOOLS }, ...onServer, filled: 0 },
  'server-not-found': {
    ...{ snapshot: calm, world: { tools: MANY_TOOLS }, ...onServer, filled: 0 },
    act: writes('input[type=search]', 'zzz'),
  },
  'server-needs-key': {
    ...{ snapshot: { ...calm, servers: TROUBLED.map((one) => ({ ...one })) }, filled: 0 },
    view: { screen: 'server', key: 'srv-4' },
  },
  'server-keys-saved': {
    ...{ snapshot: calm, ...onServer, filled: 0 },
    act: inTurn(writes('input[type=password]', 'not-a-real-key'), clicks('form .button')),
  },
  'server-gone': { snapshot: calm, view: { screen: 'server', key: 'srv-99' } },
  'apps-menu': { snapshot: calm, view: { screen: 'apps' }, filled: 0, act: presses('Enter', '.icon-button') },
  'apps-picker': { snapshot: calm, view: { screen: 'apps' }, filled: 0, act: presses('Enter', '.trigger') },
  'apps-disconnected': {
    ...{ snapshot: calm, view: { screen: 'apps' }, filled: 0 },
    act: inTurn(presses('Enter', '.icon-button'), clicks('.option')),
  },
  'sets-loading': { snapshot: calm, answers: { 'profiles.list': never }, view: { screen: 'sets' }, filled: 0 },
  'set-loading': {
    snapshot: calm,
    answers: { 'profiles.list': never },
    view: { screen: 'set', key: 'set-1' },
    filled: 0,
  },
  'set-error': {
    snapshot: calm,
    answers: { 'profiles.list': () => refused('INTERNAL') },
    view: { screen: 'set', key: 'set-1' },
  },
  'set-gone': { snapshot: calm, view: { screen: 'set', key: 'set-99' } },
  'activity-problems': {
    ...{ snapshot: calm, view: { screen: 'activity' }, filled: 0 },
    act: inTurn(presses('Enter', '.trigger'), presses('End', '.floating'), presses('Enter', '.floating')),
  },
  'activity-none-of-these': {
    ...{ snapshot: calm, world: { events: [] }, view: { screen: 'activity' } },
    act: inTurn(presses('Enter', '.trigger'), presses('End', '.floating'), presses('Enter', '.floating')),
  },
  'activity-loading': { snapshot: calm, answers: { history: never }, view: { screen: 'activity' }, filled: 0 },
  'settings-removed': {
    ...{ snapshot: calm, view: { screen: 'settings' }, filled: 0 },
    answers: {
      'apps.disconnect-all': () => ({
        ok: true,
        value: { files: [{ file: '/home/ada/.zed/settings', outcome: 'left' }] },
      }),
    },
    act: inTurn(opensAll, clicks('section:last-of-type .button')),
  },
  'settings-language': {
    ...{ snapshot: calm, view: { screen: 'settings' }, filled: 0 },
    act: presses('Enter', '.trigger'),
  },
  'settings-no-login': {
    ...{ snapshot: { ...calm, preferences: { tell: 'dot', startAtLogin: null } }, view: { screen: 'settings' } },
    filled: 0,
  },
  'first-some-damaged': first(SETUPS.someDamaged),
  'first-none-ticked': first(SETUPS.found, { act: clicks('.box', ['.box', 1]) }),
  'first-busy': first(SETUPS.found, { answers: { 'setup.go': never }, act: setUp }),
  'first-failed': first(SETUPS.found, { answers: { 'setup.go': () => refused('INTERNAL') }, act: setUp }),
  'first-saved': first(SETUPS.found, {
    answers: { 'setup.go': () => ({ ok: true, value: { backups: 2, problems: [] } }) },
    act: async (settle, gateway) => {
      await setUp(settle, gateway);
      gateway.push({ setup: SETUPS.done });
      await settle();
    },
  }),
  'first-partly': first(SETUPS.found, {
    answers: {
      'setup.go': () => ({
        ok: true,
        value: {
          backups: 1,
          problems: [problem('HOST_CONFIG_UNREADABLE', { app: 'Cursor', file: '/home/ada/.cursor/settings' })],
        },
      }),
    },
    act: async (settle, gateway) => {
      await setUp(settle, gateway);
      gateway.push({ setup: SETUPS.done });
      await settle();
    },
  }),
  'first-all-work': first({ ...SETUPS.done, working: 4 }),
  'first-example-works': first({ ...SETUPS.example, usedBy: 'Example app' }, { act: clicks('.stack .button') }),
  'story-coming': story('small', 'coming'),
  'story-small-over': story('small', 'decided'),
  'story-careful': { ...story('careful', 'waiting', MORE_REVIEWS.changes), filled: 'any' },
} as const satisfies Record<string, GalleryState>;
