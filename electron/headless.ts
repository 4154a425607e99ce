import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { launchFile } from './bridge/endpoint.ts';
import { installBridge, installBridgeRuntime, startsAnother, writeLaunch, type Start } from './bridge-files.ts';
import type { ControlOptions } from './control/control-options.ts';
import { foldersInUse } from './control/commands/getting.ts';
import { Control } from './control/control.ts';
import type { DataPlane } from './control/context.ts';
import { isFirstUse } from './control/setup.ts';
import type { UpdatesPort } from './control/updates-port.ts';
import { BOUNDS } from './core/bounds.ts';
import { asHoldfastError, type HoldfastError } from './core/errors.ts';
import { errorWords } from './core/error-sentences.ts';
import { redactDeep, type Mask } from './core/redact.ts';
import { words } from './core/words.ts';
import type { UpstreamStatus } from './gateway/slot.ts';
import { Gateway, type GatewayOptions } from './gateway/gateway.ts';
import type { GatewayPorts, TraceLine } from './gateway/ports.ts';
import { ProcessLedger } from './gateway/process-ledger.ts';
import type { Timings } from './gateway/timings.ts';
import type { Getting } from './getting/getting.ts';
import { clearCache, clearLeftBehind } from './left-behind.ts';
import { machineParts, type Machine } from './machine.ts';
import { maskOf, maskedError, maskedPlane, maskedPorts, masking } from './masked.ts';
import { ownPrograms } from './setup-port.ts';
import { realFiles } from './store/files.ts';
import { Secrets, type KeyStore } from './store/secrets.ts';
import { Store } from './store/store.ts';
import { gatewayToken } from './store/token.ts';
import { Traces } from './store/traces.ts';
import { Programs } from './system/programs.ts';
import type { Runtimes } from './system/runtimes.ts';
import { tryServer } from './try-server.ts';
import { version } from '../package.json';

export interface HoldfastOptions extends Pick<ControlOptions, 'onSnapshot' | 'onNotice' | 'onProblem' | 'login'> {
  readonly dataDir: string;
  /** The bundled bridge, to be put where host apps find it. */
  readonly bridgeSource: string;
  /** The program that runs the bridge. */
  readonly runtime: Start;
  /** A Node to be copied to where `runtime` names it, in packages that carry one. */
  readonly runtimeSource?: string;
  /** Programs that ran the bridge in an earlier version and do not any more. */
  readonly retired?: readonly string[];
  /** How a bridge starts this gateway when it does not run. */
  readonly launch: Start;
  /** What servers are started with where the machine has nothing of its own, the first choice first. */
  readonly runtimes?: readonly Runtimes[];
  /** The program's own updates, where it has any. */
  readonly updates?: UpdatesPort | undefined;
  /** The system's key store. */
  readonly box: KeyStore;
  /** After every call, and every one that was refused. */
  readonly onTrace?: (line: TraceLine) => void;
  /** How long things may take; tests shorten them. */
  readonly timings?: Partial<Timings>;
}

/** Everything but the desktop, constructed and wired. */
export interface Holdfast {
  readonly control: Control;
  readonly gateway: Gateway;
  /** Takes keys and tokens out of what is shown, printed or recorded. */
  readonly mask: Mask;
  /** Runs one command; what it throws has been masked. */
  readonly run: (name: string, input: unknown) => Promise<unknown>;
  /** Accepts apps and commands, and keeps what is in use observed. */
  listen(): Promise<void>;
  close(): Promise<void>;
}

/** How often it is looked whether an app has quit that a change waits for. */
const TEND_MS = 15_000;
/** Between asking what an earlier run left behind to end, and ending it. */
const SWEEP_STEP_MS = 2_000;

type Opened = Awaited<ReturnType<typeof Store.open>>;

const now = (): string => new Date().toISOString();

/**
 * Opens a data folder and wires the rooms together: the same gateway for tray app, command line and tests.
 * @throws HoldfastError STORE_LOCKED, STORE_NEWER, STORE_CORRUPT, STORE_WRITE_FAILED
 */
export async function openHoldfast(options: HoldfastOptions): Promise<Holdfast> {
  const opened = await Store.open({ dir: options.dataDir, now, version });
  try {
    return await wire(options, opened);
  } catch (error) {
    await opened.store.close().catch(() => undefined); // why it could not be opened matters more
    throw error;
  }
}

async function wire(options: HoldfastOptions, { store, recovery }: Opened): Promise<Holdfast> {
  const { dataDir } = options;
  // The folder is ours now, so what runs of it was left by a gateway that was killed.
  const ledger = new ProcessLedger(path.join(dataDir, 'processes'));
  await ledger.sweep(SWEEP_STEP_MS);
  const token = await gatewayToken(realFiles, dataDir);
  const { secrets } = await Secrets.open(realFiles, dataDir, now(), options.box);
  const mask = maskOf(token, secrets);
  const onProblem = maskedProblems(options.onProblem, mask);
  const traces = await Traces.open({ files: realFiles, dir: dataDir, now });
  const parts = machineParts(options, token);
  const tending = every(TEND_MS, () => tend(parts.hosts, control));
  const control = new Control({
    ...pickHooks({ ...options, onProblem }),
    ...{ mask, store, dataDir, secrets, ...parts, updates: options.updates },
    ...{ now, recentCalls: (limit, isWanted) => traces.recent(limit, isWanted) },
    random: (length) => randomBytes(length).toString('hex').slice(0, length),
    digestKey: token,
    ownPrograms: ownPrograms(options),
  });
  let isListening = false;
  const programs = new Programs({ dataDir, runtimes: options.runtimes ?? [] });
  const onTrace = (line: TraceLine): void => {
    traces.add(line);
    options.onTrace?.(line);
    noteFirstUse(control, parts.setup, line, onProblem);
  };
  const gateway = new Gateway(portsOf(control, onTrace, mask, onProblem), gatewayOptions(options, ledger, programs));
  control.attach(dataPlane({ gateway, programs, ledger, dataDir, control, isUp: () => isListening }, mask, onProblem));
  installBridge(dataDir, options.bridgeSource);
  const runtimeReady = installRuntime(options, onProblem);
  if (!existsSync(launchFile(dataDir))) writeLaunch(dataDir, options.launch);
  await control.recover(recovery);
  const dropLaidOut = await tidied(dataDir, parts.getting, control, onProblem);
  const run: Holdfast['run'] = (name, input) => masking(control.run(name, input), mask);
  return {
    control,
    gateway,
    mask,
    run,
    async listen() {
      const isLeft = leaveWord(options, secrets);
      void programs.folders(); // it takes a moment, for which every server that is started would have to wait
      await gateway.listen(dataDir, token, run);
      isListening = true;
      await runtimeReady; // bridges that wait need not wait for it
      if (isLeft) parts.hosts.renew(options.retired ?? []);
      await catchUp({ store, control, gateway }, onProblem);
      tending.start();
    },
    async close() {
      tending.stop();
      control.close();
      await gateway.close(); // at once: an update has seen that no call is under way
      await dropLaidOut();
      await traces.close();
      await store.close();
    },
  };
}

/** Only what goes on running can tell a person: until then every start tells again what happened to the files. */
async function catchUp(
  { store, control, gateway }: Pick<Opened, 'store'> & Pick<Holdfast, 'control' | 'gateway'>,
  onProblem: OnProblem,
): Promise<void> {
  if (store.untold().length > 0) await store.told().catch(report(onProblem));
  control.completeOwed(store.owed());
  void gateway.observeInUse(control.serversInUse()).catch(report(onProblem));
}

function gatewayOptions({ timings }: HoldfastOptions, records: ProcessLedger, programs: Programs): GatewayOptions {
  return { version, records, plan: (start) => programs.plan(start), ...(timings && { timings }) };
}

function tend(hosts: Machine['hosts'], control: Control): void {
  hosts.tend();
  if (hosts.look()) control.pushSnapshot();
}

/** The first app that uses the example ends a step of first run. */
function noteFirstUse(control: Control, setup: Machine['setup'], line: TraceLine, onProblem: OnProblem): void {
  if (!isFirstUse(control.state, setup.record, line)) return;
  const saved = setup.save({ ...setup.record, usedBy: line.consumer });
  saved.then(() => control.pushSnapshot()).catch(report(onProblem));
}

/** An older Node that is in place runs the bridge as well: what keeps a newer one away keeps nothing from running. */
async function installRuntime({ dataDir, runtimeSource }: HoldfastOptions, onProblem: OnProblem): Promise<void> {
  if (runtimeSource !== undefined) await installBridgeRuntime(dataDir, runtimeSource).catch(report(onProblem));
}

/** Does something at once when started, and again and again; it keeps no process running. */
function every(periodMs: number, act: () => void): { readonly start: () => void; readonly stop: () => void } {
  let timer: NodeJS.Timeout | undefined;
  return {
    start: () => {
      act();
      timer = setInterval(act, periodMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}

/** Only what goes on serving leaves word how to start it: a passing command must not replace the app. */
function leaveWord({ dataDir, launch }: HoldfastOptions, { keeping }: Pick<Secrets, 'keeping'>): boolean {
  // Nor may one that cannot open the keys: the next to be started would not have them either.
  const isLesser = keeping === 'locked' && startsAnother(dataDir, launch);
  if (!isLesser) writeLaunch(dataDir, launch);
  return !isLesser;
}

/** Nothing can be opened yet, so all that no server needs is left over. Returns what takes away what is laid out. */
async function tidied(
  dataDir: string,
  getting: Getting,
  control: Control,
  onProblem: OnProblem,
): Promise<() => Promise<void>> {
  const isInUse = foldersInUse(control);
  await clearLeftBehind(dataDir, (server) => !isLeftOut(control, server)).catch(report(onProblem));
  await getting.sweep(isInUse).catch(report(onProblem));
  return () => getting.dropAll(isInUse).catch(report(onProblem));
}

/** Not among the servers, or removed; one that comes back downloads again what it needs. */
function isLeftOut({ state }: Control, server: string): boolean {
  return Object.values(state.servers).find(({ id }) => id === server)?.archivedAt !== null;
}

function pickHooks({ onSnapshot, onNotice, onProblem, login }: Hooks) {
  const hooks = { ...(onSnapshot && { onSnapshot }), ...(onNotice && { onNotice }), ...(login && { login }) };
  return { ...hooks, ...(onProblem && { onProblem }) };
}

type OnProblem = ((error: HoldfastError) => void) | undefined;
type Hooks = Pick<HoldfastOptions, 'onSnapshot' | 'onNotice' | 'login'> & { readonly onProblem: OnProblem };

/** What the program prints has no keys in it. */
function maskedProblems(onProblem: OnProblem, mask: Mask): OnProblem {
  return onProblem && ((error) => onProblem(maskedError(error, mask)));
}

function report(onProblem: OnProblem): (thrown: unknown) => void {
  return (thrown) => onProblem?.(asHoldfastError(thrown));
}

function portsOf(control: Control, onTrace: GatewayPorts['onTrace'], mask: Mask, onProblem: OnProblem): GatewayPorts {
  const language = () => control.state.settings.language;
  const ports: GatewayPorts = {
    surface: (consumer) => control.surface(consumer),
    listedIds: (manifestId) => control.listedIds(manifestId),
    lastListed: (consumer, kind) => control.state.lastListed[consumer]?.[kind]?.manifestId,
    severity: (ref, from, to) => control.severity(ref, from, to),
    consumerName: (consumer) => control.state.consumers[consumer]?.name ?? consumer,
    upstream: (server) => control.upstream(server),
    isPaused: () => control.isPaused(),
    onStarted: ({ ...details }) => void control.note('launch', redactDeep(details, mask)).catch(report(onProblem)),
    onObservation: (observation) =>
      control.dispatch({ type: 'observed', at: now(), observation }).catch(report(onProblem)),
    onListed: (consumer, kind, manifestId) =>
      void control.dispatch({ type: 'listed', at: now(), consumer, kind, manifestId }).catch(report(onProblem)),
    onConnections: () => control.pushSnapshot(),
    onAsks: (server) => void control.dispatch({ type: 'server-asks', at: now(), server }).catch(report(onProblem)),
    onTrace,
    words: (key, values) => words(key, language(), values),
    describe: (error) => errorWords(error, language()),
    now,
  };
  return maskedPorts(ports, mask);
}

interface Running {
  readonly gateway: Gateway;
  readonly programs: Programs;
  readonly ledger: ProcessLedger;
  readonly dataDir: string;
  readonly control: Control;
  /** Apps can be served. */
  readonly isUp: () => boolean;
}

function dataPlane(running: Running, mask: Mask, onProblem: OnProblem): DataPlane {
  const { gateway, programs, ledger, dataDir, control, isUp } = running;
  const starts = { plan: (start: Parameters<Programs['plan']>[0]) => programs.plan(start), records: ledger };
  const plane: DataPlane = {
    listChanged: (consumer, kinds) => gateway.listChanged(consumer, kinds),
    observeNow: (server, consumer, isAskedFor) => gateway.observeNow(server, consumer, isAskedFor),
    observeSoon: (server) => {
      if (isUp()) void gateway.observeNow(server, null).catch(report(onProblem));
    },
    tryOnce: (server) => tryServer(server, dataDir, starts),
    confirm: async (server, consumer) => {
      await gateway.confirm(server, consumer);
    },
    stopServer: async (server) => {
      await gateway.stopServer(server);
      if (isLeftOut(control, server)) await clearCache(dataDir, server);
    },
    status: (server) => statusView(gateway.status(server), mask),
    details: (server) => gateway.details(server),
    hasTroubles: (server) => gateway.details(server).troubles.length > 0,
    connections: (consumer) => gateway.connections(consumer),
    listed: (consumer) => gateway.listed(consumer),
    searchedPath: async () => (await programs.folders()).join(path.delimiter),
  };
  return maskedPlane(plane, mask);
}

/** The last line a server printed is often the reason; it is shown to the person and goes nowhere else. */
function statusView({ state, reason, lastWord }: UpstreamStatus, mask: Mask): ReturnType<DataPlane['status']> {
  const said = lastWord === null ? '' : ` (${mask(lastWord.trim()).slice(0, BOUNDS.lastWordsLength.value)})`;
  return { state, problem: reason === null ? null : `${reason}${said}` };
}
