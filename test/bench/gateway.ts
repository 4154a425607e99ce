import { setTimeout as pause } from 'node:timers/promises';
import { factsOf, processesOf } from '../soak/processes.ts';
import type { RawClient } from '../support/raw-client.ts';
import { median, mib, ms, row, timed, times } from './figures.ts';
import { namesOf, Place } from './place.ts';

const ROUNDS = Number(process.env['HOLDFAST_BENCH_ROUNDS'] ?? 5);
const CALLS = 1_000;
const AT_ONCE = 16;
const MIB = 2 ** 20;
const SETTLE_MS = 2_000;

const tell = (line: string): void => void process.stdout.write(`${line}\n`);

/** @param tool one it may call */
type Work = (client: RawClient, tool: string) => Promise<unknown>;

/** Prints every figure. */
export async function main(): Promise<void> {
  tell(`Medians of ${ROUNDS} rounds, by turns: the server directly, then through Holdfast.\n`);
  tell(row('', 'direct', 'Holdfast', 'ratio'));
  await within(10, use);
  await within(1_000, async (place) => compare(place, 'a list of 1,000 tools', list));
  await within(200, async (place) => {
    await compareWhole(place, 'an app starts and has its list of 200 tools');
    await change(place);
  });
  await within(10, memory);
}

async function within(tools: number, measure: (place: Place) => Promise<void>): Promise<void> {
  const place = new Place(tools);
  try {
    await place.start();
    await measure(place);
  } finally {
    await place.installation.dispose();
  }
}

async function use(place: Place): Promise<void> {
  await compare(place, 'a call', calls, CALLS);
  await compare(place, `a call, ${AT_ONCE} at a time`, crowd, CALLS);
  await compare(place, 'an answer of 1 MiB', (client, tool) => call(client, tool, { do: 'big', bytes: MIB }));
}

/** @param parts so many of what is measured happen in one go */
async function compare(place: Place, what: string, work: Work, parts = 1): Promise<void> {
  const clients = [place.direct(), place.bridge()] as const;
  const ready = async (client: RawClient): Promise<() => Promise<number>> => {
    await client.introduce();
    const [tool = ''] = await place.names(client, place.tools);
    await work(client, tool);
    return () => timed(() => work(client, tool));
  };
  const [direct, through] = await byTurns(await ready(clients[0]), await ready(clients[1]));
  tell(row(what, ms(direct / parts), ms(through / parts), times(through / direct)));
  for (const client of clients) await client.leave(false);
}

async function compareWhole(place: Place, what: string): Promise<void> {
  const whole = async (start: () => RawClient): Promise<number> => {
    let client: RawClient | undefined;
    const took = await timed(async () => {
      client = start();
      await client.introduce();
      await place.names(client, place.tools);
    });
    await client?.leave(false);
    return took;
  };
  const [direct, through] = await byTurns(
    () => whole(() => place.direct()),
    () => whole(() => place.bridge()),
  );
  tell(row(what, ms(direct), ms(through), times(through / direct)));
}

/** From the moment that the server's tool is another one until an app has a list without it; directly, with the new one. */
async function change(place: Place): Promise<void> {
  const direct = place.direct();
  const bridge = place.bridge();
  for (const client of [direct, bridge]) {
    await client.introduce();
    await place.names(client, place.tools);
  }
  let turn = 0;
  const told = async (client: RawClient, isSo: (names: readonly string[]) => boolean): Promise<number> => {
    const before = notices(client);
    return timed(async () => {
      place.offer(`Does something else, ${(turn += 1)}.`);
      while (notices(client) === before) await pause(1);
      while (!isSo(await namesOf(client))) await pause(1);
    });
  };
  const [plain, through] = await byTurns(
    () => told(direct, (names) => names.length === place.tools),
    async () => {
      place.offer('Does something.');
      await place.names(bridge, place.tools);
      return told(bridge, (names) => names.length === place.tools - 1);
    },
  );
  tell(row('a changed tool is withdrawn from the app', ms(plain), ms(through), times(through / plain)));
  for (const client of [direct, bridge]) await client.leave(false);
}

const notices = (client: RawClient): number => client.notices.get('notifications/tools/list_changed') ?? 0;

/** Resident memory of the gateway and its bridges, without the servers. */
async function memory(place: Place): Promise<void> {
  const apps: RawClient[] = [];
  for (const count of [1, 3]) {
    while (apps.length < count) {
      const app = place.bridge();
      apps.push(app);
      await app.introduce();
      await place.names(app, place.tools);
    }
    await pause(SETTLE_MS);
    const ours = processesOf(place.installation.home).filter(({ command }) => /(?:bridge|cli)\.cjs/.test(command));
    const bytes = ours.reduce((sum, { pid }) => sum + (factsOf(pid)?.rss ?? 0), 0);
    tell(row(`memory with ${count} of an app's processes`, '', mib(bytes), ''));
  }
  for (const app of apps) await app.leave(false);
}

/** Medians of two figures, measured by turns. */
async function byTurns(one: () => Promise<number>, other: () => Promise<number>): Promise<readonly [number, number]> {
  const figures: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    figures[0].push(await one());
    figures[1].push(await other());
  }
  return [median(figures[0]), median(figures[1])];
}

async function call(client: RawClient, name: string, deed: object): Promise<void> {
  const answer = await client.ask('tools/call', { name, arguments: deed });
  if (answer?.result === undefined) throw new Error(`a call failed: ${JSON.stringify(answer)}`);
}

async function calls(client: RawClient, tool: string): Promise<void> {
  for (let at = 0; at < CALLS; at += 1) await call(client, tool, { input_0: 'x' });
}

async function crowd(client: RawClient, tool: string): Promise<void> {
  const worker = async (): Promise<void> => {
    for (let at = 0; at < CALLS / AT_ONCE; at += 1) await call(client, tool, { input_0: 'x' });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

const list: Work = async (client) => {
  if ((await namesOf(client)).length === 0) throw new Error('an empty list');
};
