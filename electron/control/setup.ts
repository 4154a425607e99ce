import { DEMO_CHANGES, DEMO_PROGRAM, type DemoChange } from '../core/own-programs.ts';
import { parseRef } from '../core/identity.ts';
import type { Server, ServerId, State } from '../core/model.ts';
import type { TraceLine } from '../gateway/ports.ts';
import type { FoundApp } from '../hosts/found-apps.ts';
import type { SetupRecord } from '../store/setup-file.ts';
import type { DemoStory, SetupView, Snapshot } from './snapshot.ts';

/** Id of the app that stands in for an AI app where none is there. */
export const EXAMPLE_APP = 'example';

/** What an app was answered, as it would show it. */
export interface Said {
  readonly text: string;
  readonly isError: boolean;
}

/** What first run and the demo need of the machine; the composition root passes it in. */
export interface SetupPort {
  readonly record: SetupRecord;
  /** @throws HoldfastError STORE_WRITE_FAILED */
  save(record: SetupRecord): Promise<void>;
  /** True while something is being set up: until it is done, first run stays where it is. */
  readonly isUnderWay: boolean;
  /** One after another: a second click finds what the first one made. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Host apps of this machine. */
  found(): readonly FoundApp[];
  /** Which clock a demo server was last asked to offer. */
  change(server: ServerId): DemoChange;
  /** Asks it to offer another one. @throws HoldfastError STORE_WRITE_FAILED */
  setChange(server: ServerId, change: DemoChange): Promise<void>;
  /** Asks for the time in a city as an app does, through a bridge. Never throws. */
  ask(app: string, tool: string, city: string): Promise<Said>;
}

/** Where there is no first run: in a control plane that nobody looks at. */
export const NO_SETUP: SetupPort = {
  record: { step: 'over', usedBy: null },
  save: () => Promise.resolve(),
  isUnderWay: false,
  during: (work) => work(),
  found: () => [],
  change: () => 'none',
  setChange: () => Promise.resolve(),
  ask: () => Promise.resolve({ text: '', isError: true }),
};

/** The demo server, where it has been added and not removed. */
export function demoServer(state: State): Server | undefined {
  return Object.values(state.servers).find(
    ({ archivedAt, launch }) => archivedAt === null && launch.command === DEMO_PROGRAM,
  );
}

/** Whether this is the first use of the demo's clock, which first run waits for. */
export function isFirstUse(state: State, { step, usedBy }: SetupRecord, line: TraceLine): boolean {
  if (step !== 'try' || usedBy !== null || line.outcome !== 'result' || line.ref === null) return false;
  return parseRef(line.ref).server === demoServer(state)?.id;
}

/** The snapshot with what first run has to say, until it is over. Who has servers or apps is never asked to begin. */
export function withSetup(snapshot: Snapshot, state: State, port: SetupPort): Snapshot {
  const { step, usedBy } = port.record;
  const hasAny = Object.keys(state.servers).length + Object.keys(state.consumers).length > 0;
  if (step === 'over' || (step === 'found' && hasAny && !port.isUnderWay)) return snapshot;
  const { servers, apps } = snapshot;
  const setup: SetupView = {
    step,
    apps:
      step === 'found'
        ? port.found()
        : apps.map(({ id, name, canRestart }) => ({
            ...{ id, name, servers: 0, isReadable: true, isExample: id === EXAMPLE_APP },
            ...(canRestart && { canRestart }),
          })),
    working: servers.filter((server) => server.state !== 'problem').length,
    all: servers.length,
    usedBy: apps.find(({ id }) => id === usedBy)?.name ?? usedBy,
    story: step === 'story' ? storyOf(snapshot, state, port) : null,
  };
  return { ...snapshot, setup };
}

function storyOf({ reviews }: Snapshot, state: State, port: SetupPort): DemoStory | null {
  const server = demoServer(state);
  if (server === undefined) return null;
  const change = port.change(server.id);
  // Each change of the clock is an incident of its own once it has been seen.
  const seen = state.incidents.filter((incident) => incident.server === server.id).length;
  if (seen < DEMO_CHANGES.indexOf(change)) return { change, state: 'coming' };
  const isWaiting = reviews.some((review) => review.server === server.id && review.state === 'pending');
  return { change, state: isWaiting ? 'waiting' : 'decided' };
}
