import { z } from 'zod';

const shapes = {
  servers: z.object({
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
  }),
  surface: z.object({
    app: z.string(),
    epoch: z.number(),
    entries: z.array(z.object({ name: z.string(), server: z.string(), kind: z.string() })),
    withheld: z.array(z.object({ originKey: z.string(), server: z.string(), kind: z.string(), reason: z.string() })),
  }),
  reviews: z.object({
    left: z.array(z.object({ id: z.string(), reason: z.string() })).optional(),
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

type Table = readonly (readonly string[])[];

const VIEWS: Readonly<Record<string, (result: unknown) => string>> = {
  'servers.list': (result) =>
    table(
      shapes.servers
        .parse(result)
        .servers.map((s) => [s.name, s.state, s.version ?? '', [s.command, ...s.args].join(' ')]),
    ),
  'servers.check': (result) => checked(shapes.check.parse(result)),
  'apps.list': (result) =>
    table(
      shapes.apps
        .parse(result)
        .apps.map((a) => [a.id, a.name, `${a.connections} connected`, `${a.entries} on`, `${a.withheld} off`]),
    ),
  surface: (result) => surface(shapes.surface.parse(result)),
  'review.list': (result) => reviews(shapes.reviews.parse(result)),
  'review.approve': (result) => reviews(shapes.reviews.parse(result)),
  'review.keep-off': (result) => reviews(shapes.reviews.parse(result)),
  'review.undo': (result) => reviews(shapes.reviews.parse(result)),
};

/** A result for people; what has no view of its own is shown as indented JSON. */
export function readable(name: string, result: unknown): string {
  const view = Object.hasOwn(VIEWS, name) ? VIEWS[name] : undefined;
  return view === undefined ? `${JSON.stringify(result, null, 2)}\n` : view(result);
}

function checked({ server, problem, kinds, changes }: z.output<typeof shapes.check>): string {
  const rows = Object.entries(kinds).map(([kind, { status, count, reason }]) => [
    kind,
    status,
    String(count),
    reason ?? '',
  ]);
  const news = changes.map(({ kind, originKey, change, severity }) => [change, kind, originKey, severity]);
  const head = problem === null ? '' : `${server}: ${problem}\n`;
  return `${head}${table(rows)}${news.length === 0 ? 'Nothing has changed.\n' : table(news)}`;
}

function surface({ app, epoch, entries, withheld }: z.output<typeof shapes.surface>): string {
  const on = entries.map((entry) => ['on', entry.kind, entry.name, entry.server, '']);
  const off = withheld.map((entry) => ['off', entry.kind, entry.originKey, entry.server, entry.reason]);
  return `${app}, epoch ${epoch}\n${table([...on, ...off])}`;
}

function reviews({ reviews: items, left = [] }: z.output<typeof shapes.reviews>): string {
  const alone = left.map(({ id }) => `To be looked at by itself: ${id}\n`).join('');
  if (items.length === 0) return alone === '' ? 'Nothing to decide.\n' : alone;
  return `${alone}${table(
    items.map((r) => [r.id, r.state, r.severity, r.title, r.serverName, r.appName, r.change.sentences.en.join(' ')]),
  )}`;
}

function table(rows: Table): string {
  if (rows.length === 0) return 'Nothing here yet.\n';
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('');
}
