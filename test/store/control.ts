import type { ControlOptions } from '../../electron/control/control-options.ts';
import { Control } from '../../electron/control/control.ts';
import type { DataPlane } from '../../electron/control/context.ts';
import { HoldfastError } from '../../electron/core/errors.ts';
import { capabilityId } from '../../electron/core/identity.ts';
import { launchRoute } from '../../electron/core/launch.ts';
import type { Event, Launch, Observation, ServerId } from '../../electron/core/model.ts';
import type { Store } from '../../electron/store/store.ts';
import { NO_GETTING } from '../support/no-getting.ts';
import { AT, CLAUDE } from './sample.ts';

export const DEMO = 'srv-demo' as ServerId; // the brand is made here for the tests
const LAUNCH: Launch = { type: 'stdio', command: 'demo-server', args: [], envNames: [] };

const unsupported = (): never => {
  throw new HoldfastError('HOST_UNSUPPORTED');
};

/** The control plane on a real store, with servers that a test plays itself. */
export function controlOn(store: Store, options: Partial<ControlOptions & DataPlane> = {}): Control {
  const control = new Control({
    store,
    dataDir: '/nowhere',
    secrets: { keeping: 'file', get: () => ({}), set: () => Promise.resolve(), forget: () => Promise.resolve(null) },
    hosts: {
      title: () => undefined,
      writes: () => false,
      trouble: () => null,
      isLost: () => false,
      importable: () => ({ groups: [], skipped: [], unread: [] }),
      connect: unsupported,
      forgetMoves: () => undefined,
      disconnectAll: () => [],
      restarts: () => false,
      restart: unsupported,
      disconnect: unsupported,
    },
    getting: NO_GETTING,
    mask: (text) => text,
    recentCalls: () => [],
    now: () => AT,
    random: (length) => '0'.repeat(length),
    digestKey: 'key',
    ...options,
  });
  control.attach({
    listChanged: () => undefined,
    observeNow: unsupported,
    observeSoon: () => undefined,
    tryOnce: () => Promise.resolve({ problem: null, tools: [] }),
    confirm: () => Promise.resolve(),
    stopServer: () => Promise.resolve(),
    searchedPath: () => Promise.resolve(''),
    status: () => ({ state: 'idle', problem: null }),
    details: () => ({ lastWords: [], noise: 0, troubles: [], crashes: 0, processes: [] }),
    hasTroubles: () => false,
    connections: () => 0,
    listed: () => [],
    ...options,
  });
  return control;
}

/** A complete list of tools, each with a description. */
export function listing(tools: Readonly<Record<string, string>>, connection = 'one'): Observation {
  const route = launchRoute(LAUNCH);
  const items = Object.entries(tools).map(([originKey, description]) => {
    const definition = { name: originKey, description, inputSchema: { type: 'object' } };
    return { originKey, definition, id: capabilityId({ serverId: DEMO, kind: 'tool', originKey, route, definition }) };
  });
  const context = { era: '2025', capabilities: 'c', launch: 'l', signedIn: false };
  const kinds = { tool: { status: 'complete', items } } as const;
  return { server: DEMO, consumer: null, connection, route, context, version: '1.0.0', kinds };
}

export const observed = (tools: Readonly<Record<string, string>>, connection?: string): Event => ({
  at: AT,
  type: 'observed',
  observation: listing(tools, connection),
});

/** An app that has everything of one server that lists these tools. */
export async function exposeDemo(control: Control, tools: Readonly<Record<string, string>>): Promise<void> {
  await control.dispatch({ at: AT, type: 'consumer-added', consumer: CLAUDE, name: 'Claude Desktop' });
  await control.dispatch({ at: AT, type: 'server-added', server: { id: DEMO, name: 'Demo', launch: LAUNCH } });
  await control.dispatch({ at: AT, type: 'exposed', consumer: CLAUDE, server: DEMO, target: 'all', shown: [] });
  await control.dispatch(observed(tools));
}
