import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect } from 'vitest';
import { ERROR_CODES } from '../../../electron/core/errors.ts';
import { manifestId, parseRef } from '../../../electron/core/identity.ts';
import { isInIntent } from '../../../electron/core/intent.ts';
import {
  KINDS,
  type CapabilityRef,
  type ConsumerId,
  type Decision,
  type EventOf,
  type IncidentReview,
  type Kind,
  type KindOutcome,
  type State,
} from '../../../electron/core/model.ts';
import { nameKey } from '../../../electron/core/names.ts';
import { reduce } from '../../../electron/core/reduce.ts';
import { isFlapping } from '../../../electron/core/events/flapping.ts';
import { isQuiet, pendingReviews } from '../../../electron/core/review.ts';
import { entriesOf } from '../../../electron/core/state.ts';
import { deriveSurface } from '../../../electron/core/surface.ts';
import { scopeKey, view } from '../../../electron/core/view.ts';
import { deepFreeze } from './build.ts';
import { madeByPolicy, objection } from './policy-facts.ts';
import { attempt, claim, momentOf, type Check, type Moment } from './walk.ts';

const consumersIn = (state: State): ConsumerId[] => entriesOf(state.consumers).map(([id]) => id);
const surfaceOf = (state: State, consumer: ConsumerId) => deriveSurface(state, consumer).manifest.entries;
const decisionsIn = (state: State): (Decision & { place: string })[] =>
  entriesOf(state.decisions).flatMap(([consumer, refs]) =>
    entriesOf(refs).flatMap(([ref, list]) => list.map((one) => ({ ...one, place: `${consumer} ${ref}` }))),
  );
const storedDecisions = (state: State, consumer: ConsumerId, ref: string): readonly Decision[] =>
  entriesOf(state.decisions[consumer] ?? {}).find(([known]) => known === ref)?.[1] ?? [];

/** Vitest's own comparison is slow, so it only explains. */
function expectSame(actual: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(actual, wanted)) expect(actual).toEqual(wanted);
}

/** One kind's outcome, its list from the last entry to the first. */
function turned([kind, outcome]: [string, KindOutcome]): [string, KindOutcome] {
  return [kind, outcome.status === 'complete' ? { ...outcome, items: [...outcome.items].reverse() } : outcome];
}

/** What apps had before and is missing now. */
const goneMissing = (before: State, after: State): string[] =>
  consumersIn(before).flatMap((consumer) => {
    const had = surfaceOf(before, consumer).map(({ ref }) => ref);
    const isMissing = (ref: CapabilityRef): boolean => {
      const entry = view(after, consumer, ref);
      return entry?.state === 'absent' && entry.reason === 'missing';
    };
    return had.filter(isMissing).map((ref) => `${consumer} ${ref}`);
  });

/** A claim about single moments, and one about observations that were taken. */
const each = (check: Check) => () => check;
const onObserved = (check: (moment: Moment, event: EventOf<'observed'>) => void) => () => (moment: Moment) => {
  if (moment.event.type === 'observed' && moment.refusal === null) check(moment, moment.event);
};

describe('in every history, the core', () => {
  claim({
    'serves only what is wanted, in view, approved at exactly that id and named (invariant 1)': each(({ after }) => {
      for (const consumer of consumersIn(after))
        for (const { kind, name, ref, id } of surfaceOf(after, consumer)) {
          const onThis = storedDecisions(after, consumer, ref).filter((one) => one.id === id);
          assert.equal(onThis.at(-1)?.verdict, 'approved');
          const entry = view(after, consumer, ref);
          assert.equal(entry?.state === 'present' ? entry.id : entry?.state, id);
          assert.ok(isInIntent(after, consumer, ref));
          assert.equal(after.servers[parseRef(ref).server]?.archivedAt, null);
          assert.equal(after.names[consumer]?.[nameKey(kind, name)], ref);
        }
    }),
    'never touches intent on an observation (invariant 2)': onObserved(({ before, after }) => {
      assert.equal(after.exposures, before.exposures);
      assert.equal(after.profiles, before.profiles);
    }),
    'changes nothing of a kind whose list failed, was cut short or was not asked for (invariant 3)': onObserved(
      ({ before, after }, { observation }) => {
        const silent = KINDS.filter((kind) => !['complete', 'complete-empty', 'unsupported'].includes(observation.kinds[kind]?.status ?? 'failed')); // prettier-ignore
        const ofKind = (state: State) =>
          consumersIn(state).map((consumer) => ({
            surface: surfaceOf(state, consumer).filter(({ kind }) => silent.includes(kind)),
            withheld: deriveSurface(state, consumer).withheld.filter(({ ref }) => silent.includes(parseRef(ref).kind)),
            pending: pendingReviews(state, consumer).filter(({ ref }) => silent.includes(parseRef(ref).kind)),
          }));
        expectSame(ofKind(after), ofKind(before));
      },
    ),
    'takes the same observation again as nothing at all (invariant 4)': onObserved(({ after, event }) => {
      const again = momentOf(after, { ...event, at: '2027-01-01T00:00:00.000Z' });
      assert.equal(again.after, after);
      expect(again.reduction?.cutOvers).toEqual([]);
      expect(again.reduction?.effects.filter(({ type }) => type !== 'confirm')).toEqual([]);
    }),
    'takes an observation that shows the same on another connection as nothing': onObserved(
      ({ after, event: { at } }, { observation }) => {
        if (KINDS.some((kind) => ['complete-empty', 'unsupported'].includes(observation.kinds[kind]?.status ?? '')))
          return;
        const fresh = { ...observation, connection: 'fresh' };
        assert.equal(momentOf(after, { type: 'observed', observation: fresh, at }).after, after);
      },
    ),
    'does not care about the order of a list (invariant 5)': onObserved(
      ({ before, reduction, event }, { observation }) => {
        const kinds = Object.fromEntries(
          Object.entries(observation.kinds).reverse().map(turned),
        ) as typeof observation.kinds; // the same kinds
        expectSame(
          momentOf(before, { ...event, observation: { ...observation, kinds } } as typeof event).reduction,
          reduction,
        );
      },
    ),
    'only narrows on an observation, restores what was approved, or does what a person asked for (invariant 6)':
      onObserved(({ before, after }) => {
        for (const consumer of consumersIn(after)) {
          const had = new Set(surfaceOf(before, consumer).map(({ ref, id }) => `${ref} ${id}`));
          for (const { ref, id } of surfaceOf(after, consumer).filter((one) => !had.has(`${one.ref} ${one.id}`))) {
            const old = storedDecisions(before, consumer, ref);
            const made = storedDecisions(after, consumer, ref).slice(old.length);
            if (made.length === 0) assert.equal(old.filter((one) => one.id === id).at(-1)?.verdict, 'approved');
            else if (made.every(({ basis }) => basis === 'policy')) expect(made).toMatchObject([{ id, by: 'policy' }]);
            else if (old.length === 0) expect(made).toMatchObject([{ id, by: 'first-seen', basis: 'baseline' }]);
            else {
              expect(made).toMatchObject([{ id, basis: 'route' }]);
              assert.equal(
                old.some(({ verdict }) => verdict === 'approved'),
                true,
              );
            }
          }
        }
      }),
    'takes an observation of another launch, or of a server that is not there, as nothing': onObserved(
      ({ before, after }, { observation: { server, route } }) => {
        const known = before.servers[server];
        if (known?.archivedAt !== null || known.route !== route) assert.equal(after, before);
      },
    ),
    'lets a person decide only what is in view and wanted': each(({ before, event, refusal }) => {
      if (event.type !== 'decided' || refusal !== null) return;
      const entry = view(before, event.consumer, event.ref);
      assert.equal(entry?.state === 'present' ? entry.id : entry?.state, event.id);
      assert.ok(isInIntent(before, event.consumer, event.ref));
    }),
    'takes no decision back but on undo, and with it only what policies made of it': each(
      ({ before, after, event }) => {
        const kept = new Set(decisionsIn(after).map((one) => JSON.stringify(one)));
        const lost = decisionsIn(before).filter((one) => !kept.has(JSON.stringify(one)));
        if (event.type !== 'undone' || after === before) assert.equal(lost.length, 0);
        else {
          const meant = lost.filter((one) => one.id === event.id && one.sequence === event.sequence);
          assert.equal(meant.length, 1);
          for (const one of lost) assert.ok(one === meant[0] || one.basis === 'policy');
        }
      },
    ),
    'lets a policy decide only what it may, when it came into view or a person asked for it (invariant 11)': each(
      ({ before, after, event }) => {
        const made = madeByPolicy(before, after);
        if (made.length > 0) expect(['observed', 'policy-applied']).toContain(event.type);
        for (const one of made) assert.equal(objection(before, one), null);
      },
    ),
    'lets no policy decide twice on the same thing': () => {
      const decided = new Set<string>();
      return ({ before, after, event }: Moment) => {
        if (event.type !== 'observed') return;
        for (const { consumer, ref, id } of madeByPolicy(before, after)) {
          const place = `${consumer} ${ref} ${id}`;
          expect(decided).not.toContain(place);
          decided.add(place);
        }
      };
    },
    'goes on from a state that was written and read back as from the state itself (invariant 9)': each((moment) => {
      const { before, after, event, refusal, reduction } = moment;
      const read = JSON.parse(JSON.stringify(before)) as State;
      const restarted = attempt(read, event);
      assert.equal(restarted.refusal, refusal);
      if (after === before) assert.equal(restarted.after, read);
      else expectSame(restarted.reduction, reduction);
    }),
    'never changes, drops or reassigns a name (invariant 10)': each(({ before, after }) => {
      for (const consumer of consumersIn(before)) {
        const table = after.names[consumer] ?? {};
        for (const [name, ref] of entriesOf(before.names[consumer] ?? {})) assert.equal(table[name], ref);
        const names = new Map(surfaceOf(before, consumer).map(({ ref, name }) => [ref, name]));
        for (const { ref, name } of surfaceOf(after, consumer)) assert.equal(names.get(ref) ?? name, name);
      }
    }),
    'gives every app exactly one publication, of the surface that its facts amount to': each(({ after }) => {
      for (const consumer of consumersIn(after)) {
        const { manifest, names } = deriveSurface(after, consumer);
        assert.equal(after.publications[consumer]?.manifestId, manifestId(manifest));
        assert.equal(names, after.names[consumer] ?? names);
      }
      expect(Object.keys(after.publications).sort()).toEqual(consumersIn(after).sort());
    }),
    'counts an epoch up by one exactly where the manifest is another one': each(({ before, after, reduction }) => {
      const cut: ConsumerId[] = [];
      for (const consumer of consumersIn(after)) {
        const [was, is] = [before.publications[consumer], after.publications[consumer]];
        const isCut = was?.manifestId !== is?.manifestId;
        assert.equal(is?.epoch, (was?.epoch ?? 0) + (isCut ? 1 : 0));
        if (isCut) cut.push(consumer);
      }
      expect((reduction?.cutOvers ?? []).map(({ consumer }) => consumer)).toEqual(cut);
      expect((reduction?.manifests ?? []).map(({ consumer }) => consumer)).toEqual(cut);
    }),
    'tells an app once that its lists changed, for every cut-over but its first, and which': each((moment) => {
      const { before, after, reduction } = moment;
      const told = (reduction?.effects ?? []).filter((effect) => effect.type === 'list-changed');
      const due = (reduction?.cutOvers ?? []).filter((cutOver) => cutOver.before !== null);
      expect(told.map(({ consumer }) => consumer)).toEqual(due.map(({ consumer }) => consumer));
      for (const { consumer, kinds } of told) {
        const differs = (kind: Kind): boolean => {
          const [was, is] = [before, after].map((s) => surfaceOf(s, consumer).filter((entry) => entry.kind === kind));
          return !isDeepStrictEqual(was, is);
        };
        expect([...kinds].sort()).toEqual(KINDS.filter(differs).sort());
      }
    }),
    'numbers a commit exactly where the state is another one': each(({ before, after }) => {
      assert.equal(after.sequence, before.sequence + (after === before ? 0 : 1));
    }),
    'refuses with a known code and leaves the state as it was': each(({ before, after, refusal }) => {
      if (refusal === null) return;
      expect(ERROR_CODES).toContain(refusal);
      assert.equal(after, before);
    }),
    'never changes a state or an event that it was given': each(({ before, event }) => {
      // Frozen as they are, a write to one of them would have thrown.
      for (const given of [before, event, before.decisions, before.catalogs]) assert.ok(Object.isFrozen(given));
    }),
    'reports a change to an app once, and notifies only of what is news and not quiet': () => {
      const reported = new Set<string>();
      return ({ before, after, event, reduction }: Moment) => {
        const touched = after.incidents.filter((incident) => !before.incidents.includes(incident));
        if (event.type !== 'observed') return;
        expect(touched.length).toBeLessThanOrEqual(1);
        // The same change in another scope of the server is told in the same incident.
        const old = before.incidents.find(({ id }) => id === touched[0]?.id);
        const isNew =
          <T>(known: readonly T[] | undefined) =>
          (one: T): boolean =>
            !(known ?? []).includes(one);
        const added = touched.map(({ reviews, missing, unusable }) => ({
          reviews: reviews.filter(isNew(old?.reviews)),
          missing: missing.filter(isNew(old?.missing)),
          unusable: unusable.filter(isNew(old?.unusable)),
        }));
        for (const { consumer, ref, targetId, quiet } of added.flatMap(({ reviews }) => reviews)) {
          const text = `${consumer} ${ref} ${targetId}`;
          expect(reported).not.toContain(text);
          expect(pendingReviews(after, consumer)).toContainEqual({ ref, id: targetId });
          // What came quietly may be asked about aloud, once, when a person has decided on it meanwhile.
          if (!quiet) reported.add(text);
        }
        const gone = added.flatMap(({ missing }) => missing.map(({ consumer, ref }) => `${consumer} ${ref}`));
        expectSame(gone.sort(), goneMissing(before, after).sort());
        const scope = scopeKey(event.observation.server, event.observation.consumer);
        const isHeard = ({ ref }: { ref: CapabilityRef }): boolean => !isFlapping(after, scope, ref);
        const isAsking = ({ consumer, ref, targetId }: IncidentReview): boolean =>
          !isQuiet(after, consumer, ref, targetId);
        const loud = added.flatMap(({ reviews, missing, unusable }) =>
          [...missing, ...unusable, ...reviews.filter(isAsking)].filter(isHeard),
        );
        const notices = (reduction?.effects ?? []).filter(({ type }) => type === 'notice');
        // In another scope of the server the same may have been told already; nothing else goes without a word.
        const told = old?.loud === true ? [...old.reviews.filter(isAsking), ...old.missing, ...old.unusable] : [];
        const isTold = old?.notified === true && loud.every(({ ref }) => told.some((one) => one.ref === ref));
        const isOwed = loud.length > 0 && !isTold;
        expect(notices).toEqual(isOwed ? [{ type: 'notice', incident: touched[0]?.id }] : []);
      };
    },
    'gives back by undo exactly what there was before the decision': each(({ before, after, event }) => {
      if (event.type !== 'decided' || after === before) return;
      const { consumer, ref, id, at } = event;
      const undone = reduce(deepFreeze(after), { type: 'undone', consumer, ref, id, sequence: after.sequence, at });
      const seen = (state: State) => ({
        decisions: decisionsIn(state),
        surface: surfaceOf(state, consumer).map((one) => `${one.ref} ${one.id}`),
        pending: pendingReviews(state, consumer),
      });
      expectSame(seen(undone.state), seen(before));
    }),
    'changes no surface when something is hidden but by taking away, and none on notes, lists and pauses': each(
      ({ before, after, event }) => {
        const isNarrowing = ['hidden', 'profile-removed', 'profile-unassigned', 'server-removed'].includes(event.type);
        const isNote = ['listed', 'notified', 'paused', 'resumed', 'language', 'server-asks', 'policy-set'].includes(event.type); // prettier-ignore
        if (!isNarrowing && !isNote) return;
        for (const consumer of consumersIn(before)) {
          const [was, is] = [surfaceOf(before, consumer), surfaceOf(after, consumer)];
          if (isNote) expectSame(is, was);
          else for (const entry of is) expect(was).toContainEqual(entry);
        }
      },
    ),
  });
});
