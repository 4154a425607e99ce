import { factSentences } from '../../electron/core/fact-sentences.ts';
import type { Cause } from '../../electron/core/causes.ts';
import type {
  AppView,
  Banner,
  OpenIncident,
  ReviewView,
  ServerView,
  SetupView,
  Snapshot,
} from '../../electron/control/snapshot.ts';
import type { Fact, Severity } from '../../electron/core/model.ts';
import type { Continuity } from '../../renderer/continuity.ts';
import { hint, review, type ReviewSample } from '../support/desktop-samples.ts';

const field = (name: string): string => `/definition/inputSchema/properties/${name}`;
const fact = (name: string, path: string, severity: Severity, more: Partial<Fact> = {}): Fact => ({
  class: name,
  path,
  severity,
  ...more,
});

type Sample = Omit<ReviewSample, 'change'> & {
  readonly facts: readonly Fact[];
  readonly kindOfChange?: ReviewView['change']['change'];
};

/** A review whose sentences are those that its facts make. */
export function changed({ facts, kindOfChange = 'changed', ...given }: Sample): ReviewView {
  const severity = given.severity ?? 'review';
  return review({ ...given, severity, change: { change: kindOfChange, facts, sentences: factSentences(facts) } });
}

const FACTS = {
  deletes: hint('destructiveHint', true),
  online: hint('openWorldHint', true),
  needs: fact('in.prop.added.required', field('accountId'), 'breaking'),
  drops: fact('in.prop.removed', field('maxAge'), 'review'),
  dropsMore: fact('in.prop.removed', field('subpages'), 'review'),
  optional: fact('in.prop.added.optional', field('timeZone'), 'compatible'),
  choices: fact('in.enum.widened', field('sortBy'), 'compatible'),
  answers: fact('out.prop.added', '/definition/outputSchema/properties/author', 'compatible'),
  wording: fact('description', '/definition/description', 'compatible'),
  limit: fact('in.bound.tightened', field('count'), 'review'),
} as const;

const exa = { server: 'srv-1' as never, serverName: 'Exa' };
const github = { server: 'srv-2' as never, serverName: 'GitHub' };
const demo = { server: 'srv-3' as never, serverName: 'Demo' };
const cursor = { app: 'cursor', appName: 'Cursor' };
const tool = (server: string, name: string, title: string) => ({
  ref: `${server}/tool/${name}`,
  originKey: name,
  title,
});

const careful = {
  ...exa,
  ...tool('srv-1', 'fetch_page', 'Fetch page'),
  severity: 'security' as const,
  facts: [FACTS.deletes, FACTS.needs, FACTS.drops, FACTS.dropsMore],
};
const check = {
  ...github,
  ...tool('srv-2', 'list_issues', 'List issues'),
  targetId: 'sha256:20',
  facts: [FACTS.drops],
};
const small = {
  ...demo,
  ...tool('srv-3', 'clock', 'Clock'),
  severity: 'compatible' as const,
  targetId: 'sha256:30',
  facts: [FACTS.optional],
};
const small2 = {
  ...github,
  ...tool('srv-2', 'search_code', 'Search code'),
  severity: 'compatible' as const,
  targetId: 'sha256:40',
  facts: [FACTS.wording, FACTS.answers],
};

export const REVIEWS = {
  careful: [changed({ ...careful, id: 'rev-10' }), changed({ ...careful, ...cursor, id: 'rev-11' })],
  check: [changed({ ...check, id: 'rev-20' })],
  checkTwoApps: [changed({ ...check, id: 'rev-20' }), changed({ ...check, ...cursor, id: 'rev-21' })],
  small: [changed({ ...small, id: 'rev-30' })],
  small2: [changed({ ...small2, id: 'rev-40' })],
  many: [
    changed({
      ...check,
      ...tool('srv-2', 'list_pulls', 'List pull requests'),
      id: 'rev-20',
      facts: [FACTS.needs, FACTS.drops, FACTS.limit, FACTS.choices, FACTS.answers, FACTS.optional, FACTS.wording],
      severity: 'breaking',
    }),
  ],
  keptOff: [changed({ ...careful, id: 'rev-10', state: 'kept-off', decision: 7 })],
  approved: [changed({ ...small2, id: 'rev-40', state: 'approved', decision: 8 })],
  outdated: [
    changed({ ...check, id: 'rev-20', state: 'superseded' }),
    changed({ ...check, id: 'rev-22', targetId: 'sha256:21' }),
  ],
} as const;

/** A backlog of changes, and some of tools that nobody used for long. */
export function backlog(count: number, unused = 0): ReviewView[] {
  return Array.from({ length: count + unused }, (_, at) => {
    const kind = at % 4 === 0 ? careful : at % 4 === 1 ? check : small;
    const name = `tool_${at}`;
    return changed({
      ...kind,
      ...tool(kind.server, name, `${kind.title} ${at + 1}`),
      id: `rev-${(at + 0x100).toString(16)}`,
      targetId: `sha256:${at}`,
      ...(at >= count && { isUnused: true }),
    });
  });
}

export const server = (given: Partial<ServerView> = {}): ServerView => ({
  id: 'srv-1' as never, // a sample id
  name: 'Exa',
  version: '3.2.1',
  state: 'working',
  problem: null,
  cause: null,
  tools: 8,
  policy: 'follow-safe',
  offersAlways: false,
  ...given,
});
export const SERVERS = [
  server({ policy: 'review' }),
  server({ id: 'srv-2' as never, name: 'GitHub', version: '2.4.0', tools: 41, policy: 'follow-safe' }),
  server({ id: 'srv-3' as never, name: 'Demo', version: '1.0.0', state: 'idle', tools: 2 }),
];
const problem = 'It ended right after it started.';
export const TROUBLED = [
  server({
    id: 'srv-4' as never,
    name: 'Notion',
    version: null,
    state: 'problem',
    problem,
    cause: { kind: 'key', name: 'NOTION_TOKEN' },
  }),
  server({ id: 'srv-5' as never, name: 'Files', state: 'problem', problem, cause: { kind: 'crash', told: null } }),
  server({ id: 'srv-6' as never, name: 'Git', state: 'problem', problem, cause: { kind: 'program', program: 'uvx' } }),
  server({ id: 'srv-7' as never, name: 'Weather', state: 'problem', problem, cause: { kind: 'slow', told: null } }),
  server({ id: 'srv-8' as never, name: 'Mail', state: 'working', cause: { kind: 'partial' } }),
  server({ id: 'srv-10' as never, name: 'Vault', state: 'problem', problem, cause: { kind: 'locked' } }),
  server({ id: 'srv-11' as never, name: 'Odd', state: 'problem', problem, cause: { kind: 'other', told: null } }),
  server({ id: 'srv-9' as never, name: 'Notes', state: 'starting', tools: 0 }),
];

const at = '2026-09-01T10:00:00.000Z';
export const app = (given: Partial<AppView> = {}): AppView => ({
  id: 'claude' as never, // a sample id
  name: 'Claude',
  connected: 1,
  entries: 12,
  epoch: 4,
  fetched: { at, isCurrent: true },
  trouble: null,
  withheld: [],
  ...given,
});
export const APPS = [
  app({ withheld: [{ title: 'Fetch page', kind: 'tool', reason: 'changed' }] }),
  app({ id: 'cursor' as never, name: 'Cursor', entries: 5 }),
  app({ id: 'vscode' as never, name: 'VS Code', entries: 0, connected: 0 }),
];
/** Apps that have not fetched what is in force: one that can be restarted from here, and one that cannot. */
export const BEHIND_APPS = [
  app({ fetched: { at, isCurrent: false }, canRestart: true }),
  app({ id: 'codex' as never, name: 'Codex', fetched: { at, isCurrent: false } }),
  app({ id: 'cursor' as never, name: 'Cursor', canRestart: true }),
];
export const TROUBLED_APPS = [
  app({ fetched: { at, isCurrent: false }, withheld: APPS[0]?.withheld ?? [] }),
  app({ id: 'cursor' as never, name: 'Cursor', entries: 5, fetched: { at, isCurrent: true } }),
  app({ id: 'vscode' as never, name: 'VS Code', connected: 0, trouble: 'disconnected' }),
  app({ id: 'gemini' as never, name: 'Gemini', connected: 0, trouble: 'unreadable' }),
  app({ id: 'zed' as never, name: 'Zed', connected: 0, fetched: null }),
];

const dropped = { en: ['No longer asks for: max age.'], 'zh-CN': ['不再需要：max age。'] };
const deletes = { en: ['Can now delete or overwrite things.'], 'zh-CN': ['现在可以删除或覆盖内容。'] };
const nothing = { en: [], 'zh-CN': [] };
const crawl = { ref: 'srv-1/tool/crawl_page', title: 'Crawl page', wasUsed: true };
const fetchPage = {
  ref: 'srv-1/tool/fetch_page',
  title: 'Fetch page',
  sentences: dropped,
  severity: 'breaking',
} as const;
const readSite = { ref: 'srv-1/tool/read_site', title: 'Read site', sentences: nothing, severity: 'none' } as const;
const named = (ref: string, title: string) => ({ ref, title });
const fresh = (ref: string, title: string, severity: Severity) =>
  ({ ref, title, basis: 'told', severity, sentences: nothing }) as const;
const base = { kind: 'tool', serverName: 'Exa', apps: ['Claude', 'Cursor'] } as const;
export const CONTINUITY = {
  renamed: { ...base, type: 'renamed', id: 'con-1', old: [crawl], now: [{ ...fetchPage, basis: 'guess' }] },
  renamedCareful: {
    ...base,
    type: 'renamed',
    id: 'con-1',
    old: [crawl],
    now: [{ ...fetchPage, basis: 'told', severity: 'security', sentences: deletes }],
  },
  renamedSeveral: {
    ...base,
    type: 'renamed',
    id: 'con-2',
    old: [crawl],
    now: [
      { ...fetchPage, basis: 'guess' },
      { ...readSite, basis: 'guess' },
    ],
  },
  merged: {
    ...base,
    type: 'merged',
    id: 'con-3',
    now: [fresh('srv-1/tool/agent_run', 'Agent run', 'breaking')],
    old: [
      { ...named('a', 'Create run'), wasUsed: true },
      { ...named('b', 'Wait'), wasUsed: false },
      { ...named('c', 'Get output'), wasUsed: false },
      { ...named('d', 'Cancel'), wasUsed: false },
    ],
  },
  split: {
    ...base,
    type: 'split',
    id: 'con-4',
    old: [{ ...named('srv-1/tool/manage_page', 'Manage page'), wasUsed: true }],
    now: [fresh('e', 'Read page', 'review'), fresh('f', 'Write page', 'security'), fresh('g', 'List pages', 'review')],
  },
} as const satisfies Record<string, Continuity>;

const claimed: Fact = {
  ...{ class: 'hint.readOnlyHint.claimed', path: '/definition/annotations/readOnlyHint' },
  ...{ after: true, severity: 'security' },
};
const claims = ['Search web', 'Find similar', 'Company research'].map((title, at) =>
  changed({
    ...{ ...exa, ...tool('srv-1', `claims_${at}`, title), id: `rev-6${at}` },
    ...{ severity: 'security' as const, facts: [claimed] },
  }),
);
const smalls = ['Crawl page', 'Answer'].flatMap((title, at) =>
  [{}, cursor].map((app, other) =>
    changed({
      ...{ ...exa, ...tool('srv-1', `small_${at}`, title), ...app, id: `rev-7${at}${other}` },
      ...{ severity: 'compatible' as const, facts: [FACTS.optional] },
    }),
  ),
);
const group = (cause: Cause, reviews: readonly ReviewView[], id = 'inc-1') => ({
  ...{ id, cause },
  reviews: reviews.map((review) => review.id),
});
const incident = (groups: OpenIncident['groups']): OpenIncident => ({
  ...{ id: 'inc-1' as OpenIncident['id'], serverName: 'Exa', fromVersion: '1.2.0', toVersion: '1.3.0' }, // a sample id
  ...{ groups, missing: 1, quiet: 2 },
});
/** What a notification would tell. */
const banner = { place: 'inbox', reviews: [] } as const;
export const BANNERS: Readonly<Record<Snapshot['language'], Banner>> = {
  en: {
    title: 'Fetch page can do more now',
    body: 'Can now delete or overwrite things. It’s off until you decide.',
    openLabel: 'Review',
    ...banner,
  },
  'zh-CN': {
    title: '“Fetch page”现在能做更多事',
    body: '现在可以删除或覆盖内容。在你决定之前保持关闭。',
    openLabel: '查看',
    ...banner,
  },
};
/** Changes of one upgrade, with the incident that groups them. */
export const UPGRADES = {
  mixed: {
    reviews: [...REVIEWS.careful, ...claims, ...smalls],
    incidents: [
      incident([group('careful', REVIEWS.careful), group('claims', claims, 'inc-1.0a1b2c3d'), group('small', smalls)]),
    ],
  },
  claims: { reviews: claims, incidents: [incident([group('claims', claims, 'inc-1.0a1b2c3d')])] },
  small: { reviews: smalls, incidents: [incident([group('small', smalls)])] },
} as const satisfies Record<string, Pick<Snapshot, 'reviews' | 'incidents'>>;

const claude = { id: 'claude', name: 'Claude', servers: 3, isReadable: true };
const example = { id: 'example', name: 'Example app', servers: 0, isReadable: true, isExample: true };
const setup = (given: Partial<SetupView>): SetupView => ({
  ...{ step: 'found', apps: [claude], working: 0, all: 0, usedBy: null, story: null },
  ...given,
});
export const SETUPS = {
  found: setup({ apps: [claude, { id: 'cursor', name: 'Cursor', servers: 1, isReadable: true }] }),
  none: setup({ apps: [] }),
  someDamaged: setup({ apps: [claude, { id: 'cursor', name: 'Cursor', servers: 0, isReadable: false }] }),
  damaged: setup({ apps: [{ ...claude, isReadable: false }] }),
  done: setup({ step: 'done', working: 3, all: 4 }),
  restart: setup({ step: 'done', working: 3, all: 4, apps: [{ ...claude, canRestart: true }] }),
  try: setup({ step: 'try' }),
  works: setup({ step: 'try', usedBy: 'Claude' }),
  example: setup({ step: 'try', apps: [example] }),
  story: setup({ step: 'story', story: { change: 'small', state: 'waiting' } }),
  storyOver: setup({ step: 'story', apps: [example], story: { change: 'careful', state: 'decided' } }),
} as const satisfies Record<string, SetupView>;
