import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { launchFile } from './bridge/endpoint.ts';
import { bridgePath, installBridge, writeLaunch, type Start } from './bridge-files.ts';
import { Control, type ControlOptions } from './control/control.ts';
import type { DataPlane } from './control/context.ts';
import { asHoldfastError, type HoldfastError } from './core/errors.ts';
import { errorWords } from './core/error-sentences.ts';
import { words } from './core/words.ts';
import type { UpstreamStatus } from './gateway/slot.ts';
import { Gateway } from './gateway/gateway.ts';
import type { GatewayPorts } from './gateway/ports.ts';
import { hostAppsAccess } from './hosts/host-apps-access.ts';
import { realFiles } from './store/files.ts';
import { Secrets } from './store/secrets.ts';
import { Store } from './store/store.ts';
import { gatewayToken } from './store/token.ts';
import { Traces } from './store/traces.ts';
import { version } from '../package.json';

export interface HoldfastOptions extends Pick<ControlOptions, 'onSnapshot' | 'onNotice' | 'onProblem'> {
  readonly dataDir: string;
  /** The bundled bridge, to be put where host apps find it. */
  readonly bridgeSource: string;
  /** The program that runs the bridge. */
  readonly runtime: Start;
  /** How a bridge starts this gateway when it does not run. */
  readonly launch: Start;
}

/** Everything but the desktop, constructed and wired. */
export interface Holdfast {
  readonly control: Control;
  readonly gateway: Gateway;
  /** Accepts apps and commands, and keeps what is in use observed. */
  listen(): Promise<void>;
  close(): Promise<void>;
}

const MAX_VERSION = 200;

const now = (): string => new Date().toISOString();

/**
 * Opens a data folder and wires the rooms together: the same gateway for tray app, command line and tests.
 * @throws HoldfastError STORE_LOCKED, STORE_NEWER, STORE_CORRUPT, STORE_WRITE_FAILED
 */
export async function openHoldfast(options: HoldfastOptions): Promise<Holdfast> {
  const { dataDir } = options;
  const { store, recovery } = await Store.open({ dir: dataDir, now });
  const token = await gatewayToken(realFiles, dataDir);
  const { secrets, setAside } = await Secrets.open(realFiles, dataDir, now());
  const traces = await Traces.open({ files: realFiles, dir: dataDir, now });
  const control = new Control({
    ...pickHooks(options),
    store,
    dataDir,
    secrets,
    hosts: hostAppsAccess({
      dataDir,
      home: os.homedir(),
      env: process.env,
      platform: process.platform,
      token,
      bridge: { ...options.runtime, args: [...options.runtime.args, bridgePath(dataDir)] },
      now,
    }),
    now,
    random: (length) => randomBytes(length).toString('hex').slice(0, length),
    digestKey: token,
  });
  let isListening = false;
  const gateway = new Gateway(portsOf(control, traces, options.onProblem), { version });
  control.attach(dataPlane(gateway, () => isListening, options.onProblem));
  installBridge(dataDir, options.bridgeSource);
  if (!existsSync(launchFile(dataDir))) writeLaunch(dataDir, options.launch);
  await control.recover(recovery);
  if (setAside.length > 0) control.tell(words('notice.secrets', control.state.settings.language));
  return {
    control,
    gateway,
    async listen() {
      // Only what goes on serving leaves word how to start it: a passing command must not replace the app.
      writeLaunch(dataDir, options.launch);
      await gateway.listen(dataDir, token, (name, input) => control.run(name, input));
      isListening = true;
      // Only what goes on running can tell a person: until then every start reports the recovery again.
      if (recovery.kind !== 'none') await store.recovered();
      control.completeOwed(store.owed());
      void gateway.observeInUse(control.serversInUse()).catch(report(options.onProblem));
    },
    async close() {
      await gateway.close();
      await traces.close();
      await store.close();
    },
  };
}

function pickHooks({ onSnapshot, onNotice, onProblem }: HoldfastOptions) {
  return { ...(onSnapshot && { onSnapshot }), ...(onNotice && { onNotice }), ...(onProblem && { onProblem }) };
}

type OnProblem = ((error: HoldfastError) => void) | undefined;

function report(onProblem: OnProblem): (thrown: unknown) => void {
  return (thrown) => onProblem?.(asHoldfastError(thrown));
}

function portsOf(control: Control, traces: Traces, onProblem: OnProblem): GatewayPorts {
  const language = () => control.state.settings.language;
  return {
    surface: (consumer) => control.surface(consumer),
    listedIds: (manifestId) => control.listedIds(manifestId),
    lastListed: (consumer, kind) => control.state.lastListed[consumer]?.[kind],
    severity: (ref, from, to) => control.severity(ref, from, to),
    consumerName: (consumer) => control.state.consumers[consumer]?.name ?? consumer,
    upstream: (server) => control.upstream(server),
    isPaused: () => control.isPaused(),
    onStarted: ({ ...details }) => void control.note('launch', details).catch(report(onProblem)),
    async onObservation(listed) {
      const observation = { ...listed, version: listed.version?.slice(0, MAX_VERSION) ?? null };
      await control.dispatch({ type: 'observed', at: now(), observation }).catch(report(onProblem));
      control.pushSnapshot();
    },
    onListed: (consumer, kind, manifestId) =>
      void control.dispatch({ type: 'listed', at: now(), consumer, kind, manifestId }).catch(report(onProblem)),
    onAsks: (server) => void control.dispatch({ type: 'server-asks', at: now(), server }).catch(report(onProblem)),
    onTrace: (line) => traces.add(line),
    words: (key, values) => words(key, language(), values),
    describe: (error) => errorWords(error, language()),
    now,
  };
}

function dataPlane(gateway: Gateway, isListening: () => boolean, onProblem: OnProblem): DataPlane {
  return {
    listChanged: (consumer, kinds) => gateway.listChanged(consumer, kinds),
    observeNow: (server, consumer) => gateway.observeNow(server, consumer),
    observeSoon: (server) => {
      if (isListening()) void gateway.observeNow(server, null).catch(report(onProblem));
    },
    confirm: async (server, consumer) => {
      await gateway.confirm(server, consumer);
    },
    stopServer: (server) => gateway.stopServer(server),
    status: (server) => statusView(gateway.status(server)),
    connections: (consumer) => gateway.connections(consumer),
  };
}

function statusView({ state, reason }: UpstreamStatus): ReturnType<DataPlane['status']> {
  return { state, problem: state === 'problem' ? reason : null };
}

/** Node with this program's bundle: how the command line starts bridge and gateway. */
export function nodeStarts(
  dataDir: string,
  cliFile: string,
): Pick<HoldfastOptions, 'bridgeSource' | 'runtime' | 'launch'> {
  return {
    bridgeSource: path.join(path.dirname(cliFile), 'bridge.cjs'),
    runtime: { command: process.execPath, args: [], env: {} },
    launch: { command: process.execPath, args: [cliFile, 'serve', '--home', dataDir], env: {} },
  };
}
