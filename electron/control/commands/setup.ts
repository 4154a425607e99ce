import { z } from 'zod';
import { errorWords, type ErrorWords } from '../../core/error-sentences.ts';
import { asHoldfastError, HoldfastError } from '../../core/errors.ts';
import { DEMO_CHANGES, DEMO_PROGRAM, type DemoChange } from '../../core/own-programs.ts';
import { entriesOf } from '../../core/state.ts';
import { parseRef } from '../../core/identity.ts';
import type { ConsumerId, Server, State } from '../../core/model.ts';
import { words } from '../../core/words.ts';
import { command } from '../command.ts';
import { serverNames } from '../resolve.ts';
import type { CommandContext } from '../context.ts';
import { appInput, nothing } from '../inputs.ts';
import { demoServer, EXAMPLE_APP } from '../setup.ts';
import type { SetupView } from '../snapshot.ts';
import { addApp, connect } from './apps.ts';
import { addServer } from './servers.ts';
import { expose } from './surfaces.ts';

const MAX_APPS = 100;
const goInput = z.strictObject({ apps: z.array(appInput).min(1).max(MAX_APPS) });
const nextInput = z.strictObject({ to: z.enum(['try', 'story', 'done', 'demo']) });
const changeInput = z.strictObject({ change: z.enum(DEMO_CHANGES) });

/** First run, and the demo that it shows. */
export const SETUP_COMMANDS = {
  'setup.go': command(goInput, (context, { apps }) => inOneGo(context, () => setUp(context, apps)), { inWindow: true }),
  'setup.next': command(nextInput, (context, { to }) => inOneGo(context, () => next(context, to)), { inWindow: true }),
  'demo.add': command(nothing, (context) => inOneGo(context, () => addSome(context)), { inWindow: true }),
  'demo.change': command(changeInput, (context, { change }) => changeDemo(context, change), { inWindow: true }),
  'demo.reset': command(nothing, (context) => inOneGo(context, () => resetDemo(context)), { inWindow: true }),
  'demo.ask': command(nothing, (context) => askAsExample(context), { inWindow: true }),
} as const;

/** Shown as one step, though it is several commits. */
async function inOneGo<T>(context: CommandContext, work: () => Promise<T>): Promise<T> {
  try {
    return await context.setup.during(work);
  } finally {
    context.pushSnapshot();
  }
}

interface Problem extends ErrorWords {
  readonly app: string;
}

/** Connects what can be connected; an app whose settings cannot be changed does not keep the others from it. */
async function setUp(context: CommandContext, apps: readonly string[]) {
  const connected: string[] = [];
  const problems: Problem[] = [];
  let backups = 0;
  let failure: unknown;
  for (const app of new Set(apps)) {
    try {
      const { backup } = await connect(context, { app, dryRun: false });
      connected.push(app);
      if (backup !== undefined) backups += 1;
    } catch (thrown) {
      failure ??= thrown;
      problems.push({ app, ...errorWords(asHoldfastError(thrown), context.state.settings.language) });
    }
  }
  if (connected.length === 0) throw failure;
  await move(context, 'done');
  await addDemo(context, connected);
  return { connected, backups, problems };
}

async function next(context: CommandContext, to: z.output<typeof nextInput>['to']) {
  if (to === 'demo') {
    await addDemo(context, await someApps(context));
    return move(context, 'try');
  }
  if (to === 'story') await changeDemo(context, 'small');
  return move(context, to === 'done' ? 'over' : to);
}

async function move(context: CommandContext, step: SetupView['step'] | 'over') {
  await context.setup.save({ ...context.setup.record, step });
  return { step };
}

async function addSome(context: CommandContext) {
  return view(await addDemo(context, await someApps(context)));
}

/** The apps there are; where there is none, one that stands in for them. */
async function someApps(context: CommandContext): Promise<readonly string[]> {
  const known = Object.keys(context.state.consumers);
  if (known.length > 0) return known;
  await addApp(context, EXAMPLE_APP, words('demo.app', context.state.settings.language));
  return [EXAMPLE_APP];
}

/** Adds the demo as any server is added, and turns its clock on in these apps as a person does. */
async function addDemo(context: CommandContext, apps: readonly string[]): Promise<Server> {
  const server = demoServer(context.state) ?? (await newDemo(context));
  for (const app of apps) await expose(context, { app, server: server.id, kind: 'tool', originKey: 'clock' });
  return server;
}

async function newDemo(context: CommandContext): Promise<Server> {
  const { language } = context.state.settings;
  const args = language === 'en' ? [] : ['--language', language];
  const name = freeName(context, words('demo.server', language));
  // Anew: with the choices of an earlier one, what changes would have been decided already.
  await addServer(context, { name, command: DEMO_PROGRAM, args, env: {}, known: 'fresh' });
  const server = demoOf(context);
  // A change that needs no question would be followed, and nothing would be seen.
  await context.dispatch({ type: 'policy-set', at: context.now(), server: server.id, policy: 'review' });
  return server;
}

function freeName({ state }: CommandContext, wanted: string): string {
  const taken = serverNames(state);
  const names = [wanted, ...taken.map((_, at) => `${wanted} ${at + 2}`)];
  return names.find((name) => !taken.includes(name)) ?? wanted;
}

/** @throws HoldfastError UPSTREAM_NOT_FOUND where there is no demo. */
function demoOf({ state }: CommandContext): Server {
  const server = demoServer(state);
  if (server === undefined)
    throw new HoldfastError('UPSTREAM_NOT_FOUND', { server: words('demo.server', state.settings.language) });
  return server;
}

const view = ({ id, name }: Server) => ({ server: name, id });

async function changeDemo(context: CommandContext, change: DemoChange) {
  const server = demoOf(context);
  await context.setup.setChange(server.id, change);
  context.pushSnapshot();
  // It tells of the change by itself; this is for one that does not run.
  context.data.observeSoon(server.id);
  return { ...view(server), change };
}

/** Puts a new one in its place, with nothing decided, for the apps that had the old one. */
async function resetDemo(context: CommandContext) {
  const old = demoOf(context);
  const apps = appsOf(context, old);
  await context.dispatch({ type: 'server-removed', at: context.now(), server: old.id });
  return view(await addDemo(context, apps));
}

function appsOf({ state }: CommandContext, { id }: Server): ConsumerId[] {
  return entriesOf(state.exposures).flatMap(([app, selections]) => (selections[id] === undefined ? [] : [app]));
}

/** What the clock is called there: names are kept, so the clock of a second demo has another one. */
function clockName({ names }: State, { id }: Server): string {
  const given = entriesOf(names[EXAMPLE_APP as ConsumerId] ?? {}); // the app that `someApps` adds
  const [key] = given.find(([, ref]) => parseRef(ref).server === id) ?? ['tool/clock'];
  return key.slice(key.indexOf('/') + 1);
}

/** A real call, made as an AI app makes it. */
function askAsExample(context: CommandContext) {
  const { state, setup } = context;
  return setup.ask(EXAMPLE_APP, clockName(state, demoOf(context)), words('demo.city', state.settings.language));
}
