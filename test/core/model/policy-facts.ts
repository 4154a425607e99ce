/** What policies decided, read from the states around an event, and what they may decide, read from the rules. */
import { classify } from '../../../electron/core/classify/classify.ts';
import { parseRef } from '../../../electron/core/identity.ts';
import { SEVERITIES, type CapabilityId, type Severity, type State } from '../../../electron/core/model.ts';
import { entriesOf } from '../../../electron/core/state.ts';
import { readDefinition } from './build.ts';
import type { Made } from './oracle.ts';

/** Decisions by policy that the later state has and the earlier one has not. */
export function madeByPolicy(before: State, after: State): Made[] {
  return entriesOf(after.decisions).flatMap(([consumer, refs]) =>
    entriesOf(refs).flatMap(([ref, list]) => {
      const known = before.decisions[consumer]?.[ref] ?? [];
      return list
        .filter((one) => one.basis === 'policy' && !known.some(({ sequence }) => sequence === one.sequence))
        .map(({ id, verdict, by, sequence, basedOn = [] }) => ({ consumer, ref, id, verdict, by, sequence, basedOn }));
    }),
  );
}

const rank = (severity: Severity): number => SEVERITIES.indexOf(severity);
/** @param isConfirmed a person confirmed the present launch since, so that an older one says nothing */
function severityBetween(from: CapabilityId, to: CapabilityId, isConfirmed: boolean): Severity {
  const [before, after] = [readDefinition(from), readDefinition(to)];
  if (before === undefined || after === undefined) return 'security';
  return classify(isConfirmed ? { ...before, route: after.route } : before, after).severity;
}
function isReadOnly(id: CapabilityId): boolean {
  const annotations = readDefinition(id)?.definition['annotations'];
  return JSON.stringify(annotations ?? null).includes('"readOnlyHint":true');
}

/** Why a policy should have left this to a person; `null` where it was right. */
export function objection(before: State, { consumer, ref, id }: Made): string | null {
  const { server } = parseRef(ref);
  const preset = before.servers[server]?.policy;
  if (preset === undefined || preset === 'review') return 'this server asks about every change';
  const made = before.decisions[consumer]?.[ref] ?? [];
  const newestOn = (one: CapabilityId) => made.filter((other) => other.id === one).at(-1);
  // A copy across routes is no decision that a person makes now.
  const own = made.filter((one) => one.basis !== 'route');
  if (own.at(-1)?.verdict === 'rejected') return 'the newest decision on it is a rejection';
  for (const refs of Object.values(before.decisions))
    if ((refs[ref] ?? []).filter((one) => one.id === id).at(-1)?.verdict === 'rejected') return 'a person rejected it';
  const stop = before.stops[consumer]?.[ref];
  if (stop !== undefined && !own.some((one) => one.by === 'person' && one.sequence > stop))
    return 'what a policy decided on it was undone';
  const standing = made.filter((one) => one.verdict === 'approved' && newestOn(one.id)?.verdict === 'approved');
  const last = standing.at(-1);
  if (last === undefined) return preset === 'follow' && isReadOnly(id) ? null : 'it is new';
  const shown = standing.filter(({ by }) => by !== 'policy').at(-1);
  const isConfirmed = readDefinition(last.id)?.route === readDefinition(id)?.route;
  const severities = [last, shown ?? standing[0] ?? last].map((base) =>
    rank(severityBetween(base.id, id, isConfirmed)),
  );
  const worst = Math.max(...severities);
  if (worst >= rank('security')) return 'it is risky';
  if (preset === 'follow' || worst <= rank('compatible')) return null;
  if (worst > rank('review')) return 'it breaks something';
  return shown?.by === 'person' && isReadOnly(shown.id)
    ? null
    : 'it says something else, and was not shown as read-only';
}
