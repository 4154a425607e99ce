import { refCalled } from './control/last-used.ts';
import { stillLost } from './control/untold.ts';
import { parseRef } from './core/identity.ts';
import type { CapabilityRef, ConsumerId, IncidentId, ServerId } from './core/model.ts';
import { displayName } from './core/sentences.ts';
import type { TraceLine } from './gateway/ports.ts';
import type { Holdfast } from './headless.ts';

type Parts = Pick<Holdfast, 'control' | 'gateway'>;

/** What tray and notifications ask beyond the snapshot. */
export function desktopFacts({ control, gateway }: Parts) {
  const names = (refs: readonly CapabilityRef[]): string[] => refs.map((ref) => displayName(parseRef(ref)));
  return {
    /** Servers that some app wants. */
    inUse: (): readonly ServerId[] => control.serversInUse(),
    /** Those of them that do not run; one that runs and cannot be checked is not among them. */
    broken: (): readonly ServerId[] =>
      control
        .serversInUse()
        .filter((id) => gateway.status(id).state === 'problem' && gateway.details(id).troubles.length === 0),
    /** What an incident took away, by name, as far as it is still gone. */
    lost(id: IncidentId) {
      const incident = control.state.incidents.find((one) => one.id === id);
      if (incident === undefined) return { server: '', removed: [], unusable: [] };
      const { missing, unusable } = stillLost(control.state, incident);
      const server = control.state.servers[incident.server]?.name ?? '';
      return { server, removed: names(missing), removedRefs: missing, unusable: names(unusable) };
    },
    /** How many tools of a server some app has. */
    inForce(server: ServerId): number {
      const apps = Object.keys(control.state.consumers) as ConsumerId[]; // its keys
      const entries = apps.flatMap((app) => [...(control.surface(app)?.entries.values() ?? [])]);
      return new Set(entries.filter((entry) => entry.server === server && entry.kind === 'tool').map(({ ref }) => ref))
        .size;
    },
  };
}

/** Off because it waits for the person; each is a reason of a trace line. */
const WAITS = ['changed', 'new'];

/** What an app tried to use that waits for the person; `null` where the call was another one. */
export function triedOf(
  { state }: Parts['control'],
  line: TraceLine,
): { consumer: ConsumerId; ref: CapabilityRef } | null {
  if (line.outcome !== 'refused' || !WAITS.includes(line.reason ?? '')) return null;
  const ref = refCalled(state, line);
  return ref === undefined ? null : { consumer: line.consumer, ref };
}
