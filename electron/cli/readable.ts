import { z } from 'zod';
import { cleanName } from '../core/display.ts';
import { PRESETS, type Preset } from '../core/model.ts';
import { EDIT_VIEWS } from './readable-edit.ts';
import { EVIDENCE_VIEWS } from './readable-evidence.ts';
import { IMPORT_VIEWS } from './readable-import.ts';
import { GETTING_VIEWS } from './readable-getting.ts';
import { table } from './readable-table.ts';

const shapes = {
  servers: z.object({
    keysNote: z.string().nullish(),
    servers: z.array(
      z.object({
        name: z.string(),
        version: z.string().nullable(),
        state: z.string(),
        command: z.string(),
        args: z.array(z.string()),
      }),
    ),
  }),
  forgotten: z.object({ about: z.string() }),
  show: z.object({
    server: z.string(),
    version: z.string().nullable(),
    state: z.string(),
    problem: z.string().nullable(),
    command: z.string(),
    args: z.array(z.string()),
    lastWords: z.array(z.string()),
    noise: z.number(),
    crashes: z.number(),
    troubles: z.array(z.object({ kind: z.string(), reason: z.string() })),
    processes: z.array(z.object({ pid: z.number(), consumer: z.string().nullable() })),
  }),
  check: z.object({
    server: z.string(),
    problem: z.string().nullable(),
    kinds: z.record(z.string(), z.object({ status: z.string(), count: z.number(), reason: z.string().optional() })),
    changes: z.array(z.object({ originKey: z.string(), kind: z.string(), change: z.string(), severity: z.string() })),
  }),
  apps: z.object({
    apps: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        connections: z.number(),
        entries: z.number(),
        withheld: z.number(),
      }),
    ),
    found: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
  surface: z.object({
    app: z.string(),
    epoch: z.number(),
    entries: z.array(z.object({ name: z.string(), server: z.string(), kind: z.string() })),
    withheld: z.array(z.object({ originKey: z.string(), server: z.string(), kind: z.string(), reason: z.string() })),
  }),
  policy: z.object({
    server: z.string(),
    policy: z.enum(PRESETS),
    accepted: z.array(z.string()),
    acceptable: z.number(),
    reviews: z.array(z.unknown()).optional(),
  }),
  why: z.object({ sentences: z.array(z.string()), next: z.string() }),
  incidents: z.object({
    incidents: z.array(
      z.object({
        id: z.string(),
        server: z.string(),
        fromVersion: z.string().nullable(),
        toVersion: z.string().nullable(),
        followed: z.array(z.string()),
        missing: z.array(z.unknown()),
        unusable: z.array(z.unknown()),
        groups: z.array(
          z.object({
            id: z.string(),
            cause: z.string(),
            quiet: z.boolean(),
            reviews: z.array(z.string()),
            sentences: z.object({ en: z.array(z.string()) }),
          }),
        ),
      }),
    ),
    reviews: z.array(z.object({ id: z.string(), state: z.string() })),
  }),
  reviews: z.object({
    left: z.array(z.object({ id: z.string(), reason: z.enum(['security', 'stale']) })).optional(),
    reviews: z.array(
      z.object({
        id: z.string(),
        appName: z.string(),
        serverName: z.string(),
        title: z.string(),
        severity: z.string(),
        state: z.string(),
        change: z.object({ sentences: z.object({ en: z.array(z.string()) }) }),
      }),
    ),
  }),
};

const VIEWS: Readonly<Record<string, (result: unknown) => string>> = {
  'servers.list': (result) => {
    const { servers, keysNote } = shapes.servers.parse(result);
    const rows = servers.map((s) => [cleanName(s.name), s.state, s.version ?? '', [s.command, ...s.args].join(' ')]);
    return `${table(rows)}${typeof keysNote !== 'string' ? '' : `\n${keysNote}\n`}`;
  },
  'servers.show': (result) => shown(shapes.show.parse(result)),
  'servers.check': (result) => checked(shapes.check.parse(result)),
  'servers.forget-keys': (result) => `${shapes.forgotten.parse(result).about}\n`,
  'apps.list': (result) => {
    const { apps, found } = shapes.apps.parse(result);
    const rows = apps.map((a) => [
      a.id,
      cleanName(a.name),
      `${a.connections} connected`,
      `${a.entries} on`,
      `${a.withheld} off`,
    ]);
    return table([...rows, ...found.map(({ id, name }) => [id, cleanName(name), 'found, not connected'])]);
  },
  surface: (result) => surface(shapes.surface.parse(result)),
  'review.list': (result) => `${upgrades(shapes.incidents.parse(result))}${reviews(shapes.reviews.parse(result))}`,
  'review.approve': (result) => reviews(shapes.reviews.parse(result)),
  'review.keep-off': (result) => reviews(shapes.reviews.parse(result)),
  'review.undo': (result) => reviews(shapes.reviews.parse(result)),
  'servers.policy': (result) => policy(shapes.policy.parse(result)),
  'servers.apply-policy': (result) => policy(shapes.policy.parse(result)),
  why: (result) => {
    const { sentences, next } = shapes.why.parse(result);
    return `${[...sentences, next].join('\n')}\n`;
  },
  ...EDIT_VIEWS,
  ...IMPORT_VIEWS,
  ...EVIDENCE_VIEWS,
  ...GETTING_VIEWS,
};

/** A result for people; what has no view of its own is shown as indented JSON. */
export function readable(name: string, result: unknown): string {
  const view = Object.hasOwn(VIEWS, name) ? VIEWS[name] : undefined;
  return view === undefined ? `${JSON.stringify(result, null, 2)}\n` : view(result);
}

function shown(server: z.output<typeof shapes.show>): string {
  const processes = server.processes.map(({ pid, consumer }) => `${pid}${consumer === null ? '' : ` for ${consumer}`}`);
  const facts = [
    ['server', cleanName(server.server)],
    ['state', server.state],
    ['problem', server.problem ?? ''],
    ['version', server.version ?? ''],
    ['command', [server.command, ...server.args].join(' ')],
    ['processes', processes.join(', ')],
    ...server.troubles.map(({ kind, reason }) => [`list of ${kind}`, reason]),
    ['failed in a row', server.crashes === 0 ? '' : String(server.crashes)],
    ['lines that are no messages', server.noise === 0 ? '' : String(server.noise)],
  ].filter(([, fact]) => fact !== '');
  const said =
    server.lastWords.length === 0 ? '' : `What it said last:\n${server.lastWords.map((l) => `  ${l}\n`).join('')}`;
  return `${table(facts)}${said}`;
}

const POLICY_SENTENCES: Readonly<Record<Preset, string>> = {
  review: 'you are asked about every change',
  'follow-safe': 'safe changes are followed',
  follow: 'all changes but risky ones are followed',
};

function policy(view: z.output<typeof shapes.policy>): string {
  const { server, reviews, accepted, acceptable } = view;
  return [
    `${cleanName(server)}: ${POLICY_SENTENCES[view.policy]}.`,
    ...(reviews === undefined ? [] : [`Accepted now: ${reviews.length}.`]),
    ...(accepted.length === 0 ? [] : [`Accepted automatically and on (${accepted.length}): ${accepted.join(', ')}`]),
    ...(acceptable === 0 ? [] : [`Waiting, and accepted with --apply: ${acceptable}.`]),
    '',
  ].join('\n');
}

function checked({ server, problem, kinds, changes }: z.output<typeof shapes.check>): string {
  const rows = Object.entries(kinds).map(([kind, { status, count, reason }]) => [
    kind,
    status,
    String(count),
    reason ?? '',
  ]);
  const news = changes.map(({ kind, originKey, change, severity }) => [change, kind, originKey, severity]);
  const head = problem === null ? '' : `${cleanName(server)}: ${problem}\n`;
  const isRead = Object.values(kinds).every(({ status }) => status !== 'failed' && status !== 'incomplete');
  const nothing = isRead ? 'Nothing has changed.\n' : 'What you use of it was left as it is.\n';
  return `${head}${table(rows)}${news.length === 0 ? nothing : table(news)}`;
}

function surface({ app, epoch, entries, withheld }: z.output<typeof shapes.surface>): string {
  const on = entries.map((entry) => ['on', entry.kind, entry.name, cleanName(entry.server), '']);
  const off = withheld.map((entry) => [
    ...['off', entry.kind, cleanName(entry.originKey), cleanName(entry.server)],
    entry.reason,
  ]);
  return `${app}, epoch ${epoch}\n${table([...on, ...off])}`;
}

/** Upgrades of which something waits, each with its groups: any of these ids can be decided. */
function upgrades({ incidents, reviews: items }: z.output<typeof shapes.incidents>): string {
  const waits = new Set(items.filter(({ state }) => state === 'pending').map(({ id }) => id));
  const open = incidents.filter(({ groups }) => groups.some((group) => group.reviews.some((id) => waits.has(id))));
  const parts = open.map(({ id, server, fromVersion, toVersion, followed, missing, unusable, groups }) => {
    const counts = [
      followed.length === 0 ? '' : `${followed.length} accepted automatically`,
      missing.length === 0 ? '' : `${missing.length} gone`,
      unusable.length === 0 ? '' : `${unusable.length} unusable`,
    ].filter((count) => count !== '');
    const change = fromVersion === toVersion ? '' : ` ${fromVersion ?? '?'} -> ${toVersion ?? '?'}`;
    const head = [`${id}  ${cleanName(server)}${change}`, ...counts].join(', ');
    const rows = groups.map((group) => [
      ` ${group.id}`,
      `${group.reviews.filter((one) => waits.has(one)).length} waiting`,
      group.quiet ? `${group.cause} (quiet)` : group.cause,
      group.sentences.en.slice(0, 3).join(' '),
    ]);
    return `${head}\n${table(rows)}`;
  });
  return parts.length === 0 ? '' : `${parts.join('')}\n`;
}

const LEFT_SENTENCES = {
  security: 'To be looked at by itself',
  stale: 'The server has moved on, or it was not shown',
} as const;

function reviews({ reviews: items, left = [] }: z.output<typeof shapes.reviews>): string {
  const alone = left.map(({ id, reason }) => `${LEFT_SENTENCES[reason]}: ${id}\n`).join('');
  if (items.length === 0) return alone === '' ? 'Nothing to decide.\n' : alone;
  return `${alone}${table(
    items.map((r) => [r.id, r.state, r.severity, r.title, r.serverName, r.appName, r.change.sentences.en.join(' ')]),
  )}`;
}
