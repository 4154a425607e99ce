/**
 * A naive model, written from the rules and not from the product's code: it keeps the plain history and works out from it,
 * with simple loops, what every app must have. Slow and obvious.
 */
import { capabilityId, capabilityRef, parseRef } from '../../../electron/core/identity.ts';
import { launchRoute } from '../../../electron/core/launch.ts';
import type { ErrorCode } from '../../../electron/core/errors.ts';
import {
  KINDS,
  type CapabilityId,
  type CapabilityKey,
  type CapabilityRef,
  type ConsumerId,
  type Decision,
  type Event,
  type EventOf,
  type Kind,
  type Observation,
  type ProfileId,
  type ServerId,
  type Shown,
  type Target,
  type Verdict,
  type WithheldReason,
} from '../../../electron/core/model.ts';
import {
  catalogIn,
  formerRoutes,
  intentIn,
  isSame,
  kindHistory,
  observationsOf,
  serversIn,
  sourcesOf,
  speaks,
  wants,
  type Fact,
  type Intent,
  type NaiveCatalog,
  type NaiveServer,
} from './oracle-facts.ts';
import { newClaims, type Claim } from './oracle-names.ts';

export interface Made {
  readonly consumer: ConsumerId;
  readonly ref: CapabilityRef;
  readonly id: CapabilityId;
  readonly verdict: Verdict;
  readonly by: Decision['by'];
  readonly sequence: number;
  /** Of a policy: what it was judged from. */
  readonly basedOn?: readonly number[];
}
interface Taken extends Fact {
  readonly made: Made[];
  readonly claims: Claim[];
  /** Whole servers that a person asked for before some kind of them was ever listed. */
  readonly awaited: readonly Awaited[];
}
interface Awaited {
  readonly consumer: ConsumerId;
  readonly server: ServerId;
  readonly kind: Kind;
}

export class Oracle {
  readonly #history: Taken[] = [];
  readonly #known = new Map<string, unknown>();

  /** Answers are kept until the next event; each is worked out from the whole history. */
  #once<T>(name: string, answer: () => T): T {
    if (!this.#known.has(name)) this.#known.set(name, answer());
    return this.#known.get(name) as T; // each name has one type
  }
  servers = (): Map<ServerId, NaiveServer> => this.#once('servers', () => serversIn(this.#history));
  intent = (): Intent => this.#once('intent', () => intentIn(this.#history));
  consumers = (): ConsumerId[] => {
    const added = this.#history.map(({ event }) => (event.type === 'consumer-added' ? event.consumer : null));
    return [...new Set(added.filter((one) => one !== null))];
  };
  catalog = (server: ServerId, consumer: ConsumerId | null): NaiveCatalog =>
    this.#once(`catalog ${server} ${consumer}`, () => catalogIn(this.#history, server, consumer));
  waitsFor = (server: ServerId, consumer: ConsumerId | null, kind: Kind): string | null =>
    kindHistory(this.#history, server, consumer, kind).waiting?.status ?? null;

  /** Decisions per app and ref, oldest first, without those that were undone. */
  #decided(): Map<string, Made[]> {
    const decided = new Map<string, Made[]>();
    for (const { event, made } of this.#history) {
      if (event.type === 'undone') {
        const list = decided.get(`${event.consumer} ${event.ref}`) ?? [];
        const newest = list.map(({ id }) => id).lastIndexOf(event.id);
        const gone = list.splice(newest, 1).map(({ sequence }) => sequence);
        // What a policy made of it goes with it, and what it made of that.
        for (const one of [...list])
          if (one.basedOn?.some((base) => gone.includes(base)) === true) {
            list.splice(list.indexOf(one), 1);
            gone.push(one.sequence);
          }
      }
      for (const one of made) {
        const place = `${one.consumer} ${one.ref}`;
        decided.set(place, [...(decided.get(place) ?? []), one]);
      }
    }
    return decided;
  }
  decisions(consumer: ConsumerId, ref: CapabilityRef): Made[] {
    return this.#once('decisions', () => this.#decided()).get(`${consumer} ${ref}`) ?? [];
  }
  #add(made: Made[], one: Made): void {
    made.push(one);
    this.#known.delete('decisions');
  }
  newest(consumer: ConsumerId, ref: CapabilityRef, id: CapabilityId): Made | undefined {
    return this.decisions(consumer, ref)
      .filter((one) => one.id === id)
      .at(-1);
  }
  verdict(consumer: ConsumerId, ref: CapabilityRef, id: CapabilityId): Verdict | null {
    return this.newest(consumer, ref, id)?.verdict ?? null;
  }

  isOwn(server: ServerId, consumer: ConsumerId): boolean {
    if (this.servers().get(server)?.asks !== true) return false;
    return this.#once(`own ${server} ${consumer}`, () => observationsOf(this.#history, server, consumer).length > 0);
  }
  viewOf(consumer: ConsumerId, server: ServerId): NaiveCatalog {
    return this.catalog(server, this.isOwn(server, consumer) ? consumer : null);
  }
  viewedId(consumer: ConsumerId, ref: CapabilityRef): CapabilityId | null {
    const entry = this.viewOf(consumer, parseRef(ref).server).get(ref);
    return entry?.state === 'present' ? entry.id : null;
  }
  wants = (consumer: ConsumerId, ref: CapabilityRef): boolean => wants(this.intent(), consumer, ref);
  isOpen(consumer: ConsumerId, ref: CapabilityRef): boolean {
    const id = this.viewedId(consumer, ref);
    return id !== null && this.wants(consumer, ref) && this.verdict(consumer, ref, id) === null;
  }

  /** Everything an app wants: what its view holds, and what was chosen by name. */
  wanted(consumer: ConsumerId): CapabilityRef[] {
    const refs = new Set<CapabilityRef>();
    for (const server of this.servers().keys()) {
      for (const ref of this.viewOf(consumer, server).keys()) refs.add(ref);
      for (const { chosen } of sourcesOf(this.intent(), consumer, server))
        for (const { kind, originKey } of chosen) refs.add(capabilityRef(server, kind, originKey));
    }
    return [...refs].filter((ref) => this.wants(consumer, ref));
  }
  pending(consumer: ConsumerId): CapabilityRef[] {
    const served = this.wanted(consumer).filter((ref) => this.#isServing(parseRef(ref).server));
    return served.filter((ref) => this.isOpen(consumer, ref));
  }
  /** Why a wanted capability is off; `null` where only its name is in question. */
  reason(consumer: ConsumerId, ref: CapabilityRef): WithheldReason | null {
    const entry = this.viewOf(consumer, parseRef(ref).server).get(ref);
    if (entry === undefined) return 'missing';
    if (entry.state === 'absent') return entry.reason;
    if (entry.state === 'invalid') return 'invalid';
    const verdict = this.verdict(consumer, ref, entry.id);
    if (verdict !== null) return verdict === 'approved' ? null : 'rejected';
    const others = this.decisions(consumer, ref).filter(({ id }) => this.verdict(consumer, ref, id) === 'approved');
    return others.length > 0 ? 'changed' : 'new';
  }
  #standing(consumer: ConsumerId): { ref: CapabilityRef; reason: WithheldReason | null }[] {
    const served = this.wanted(consumer).filter(
      (ref) => this.servers().get(parseRef(ref).server)?.isArchived === false,
    );
    return served.map((ref) => ({ ref, reason: this.reason(consumer, ref) }));
  }
  #claimed = (): Claim[] => this.#once('claimed', () => this.#history.flatMap(({ claims }) => claims));
  #nameOf(consumer: ConsumerId, ref: CapabilityRef): string | null {
    return this.#claimed().find((claim) => claim.consumer === consumer && claim.ref === ref)?.name ?? null;
  }
  /** What an app has: a line per capability, with its name and definition. */
  surface(consumer: ConsumerId): string[] {
    const lines: string[] = [];
    for (const { ref, reason } of this.#standing(consumer)) {
      const name = this.#nameOf(consumer, ref);
      if (reason === null && name !== null) lines.push(`${name} = ${ref} ${this.viewedId(consumer, ref)}`);
    }
    return lines.sort();
  }
  withheld(consumer: ConsumerId): string[] {
    const lines: string[] = [];
    for (const { ref, reason } of this.#standing(consumer)) {
      if (reason !== null) lines.push(`${ref} ${reason}`);
      else if (this.#nameOf(consumer, ref) === null) lines.push(`${ref} conflict`);
    }
    return lines.sort();
  }

  /** The code an event is refused with. */
  refusal(event: Event): ErrorCode | null {
    if ('profile' in event && event.type !== 'profile-created' && !this.intent().profiles.has(event.profile))
      return 'PROFILE_NOT_FOUND';
    if ('consumer' in event && event.type !== 'consumer-added' && !this.consumers().includes(event.consumer))
      if (event.type !== 'undone' && event.type !== 'profile-unassigned') return 'CONSUMER_NOT_FOUND';
    switch (event.type) {
      case 'server-added':
        return this.#isNameTaken(event.server.name) ? 'UPSTREAM_NAME_TAKEN' : null;
      case 'server-restored':
        return this.#refusesRestore(event);
      case 'profile-created':
        return [...this.intent().profiles.values()].some(({ name }) => name === event.name)
          ? 'PROFILE_NAME_TAKEN'
          : null;
      case 'hidden':
        return this.servers().has(event.server) ? null : 'UPSTREAM_NOT_FOUND';
      case 'server-changed':
      case 'server-removed':
      case 'server-asks':
      case 'policy-set':
      case 'policy-applied':
        return this.#isServing(event.server) ? null : 'UPSTREAM_NOT_FOUND';
      case 'exposed':
        return this.#refusesChoice(event, this.viewOf(event.consumer, event.server));
      case 'profile-added':
        return this.#refusesChoice(event, this.catalog(event.server, null));
      case 'profile-assigned':
        return this.#refusesAssignment(event);
      case 'decided': {
        const isCurrent = this.viewedId(event.consumer, event.ref) === event.id;
        return isCurrent && this.wants(event.consumer, event.ref) ? null : 'REVIEW_STALE';
      }
      case 'undone': {
        const newest = this.newest(event.consumer, event.ref, event.id);
        if (newest === undefined) return 'REVIEW_UNKNOWN';
        return newest.sequence === event.sequence ? null : 'REVIEW_STALE';
      }
      default:
        return null;
    }
  }
  #isServing = (server: ServerId): boolean => this.servers().get(server)?.isArchived === false;
  #isNameTaken = (name: string): boolean =>
    [...this.servers().values()].some((server) => !server.isArchived && server.name === name);
  #refusesRestore(event: EventOf<'server-restored'>): ErrorCode | null {
    const server = this.servers().get(event.server);
    if (server?.isArchived !== true || launchRoute(event.launch) !== server.route) return 'UPSTREAM_NOT_FOUND';
    return this.#isNameTaken(event.name) ? 'UPSTREAM_NAME_TAKEN' : null;
  }
  #refusesChoice(event: EventOf<'exposed' | 'profile-added'>, catalog: NaiveCatalog): ErrorCode | null {
    const { server, target, shown } = event;
    if (!this.#isServing(server)) return 'UPSTREAM_NOT_FOUND';
    const needed = decidedBy(catalog, target);
    if (target !== 'all' && !needed.some(({ ref }) => isSame(parseRef(ref), target))) return 'CAPABILITY_UNKNOWN';
    return isSameSet(needed, shown) ? null : 'REVIEW_STALE';
  }
  #refusesAssignment({ profile, consumer, shown }: EventOf<'profile-assigned'>): ErrorCode | null {
    if (this.intent().profiles.get(profile)?.consumers.includes(consumer)) return null;
    return isSameSet(this.entriesOf(profile, consumer), shown) ? null : 'REVIEW_STALE';
  }
  /** What a profile would give an app now. */
  entriesOf(profile: ProfileId, consumer: ConsumerId): Shown[] {
    const { profiles, exposures } = this.intent();
    const assigned = new Map(profiles);
    const selections = profiles.get(profile)?.selections ?? new Map<ServerId, never>();
    assigned.set(profile, { name: '', selections, consumers: [consumer] });
    const entries: Shown[] = [];
    for (const [server, { all, chosen }] of selections) {
      if (!this.#isServing(server)) continue;
      const catalog = this.viewOf(consumer, server);
      const named = all ? decidedBy(catalog, 'all') : chosen.flatMap((one) => decidedBy(catalog, one));
      for (const one of named)
        if (wants({ profiles: assigned, exposures }, consumer, one.ref))
          if (!entries.some(({ ref }) => ref === one.ref)) entries.push(one);
    }
    return entries;
  }

  /**
   * Adds an event that is not refused; `sequence` is the number of its commit. What policies decide is told, not worked
   * out: that they may is checked elsewhere, and what follows from it here.
   */
  take(event: Event, sequence: number, byPolicy: readonly Made[]): void {
    const chosen = this.#chosenBy(event, sequence);
    const counts = event.type === 'observed' && this.#speaksForServer(event.observation);
    const taken = { event, counts, made: chosen, claims: [] as Claim[], awaited: [] as Awaited[] };
    const awaitedBefore = this.#history.at(-1)?.awaited ?? [];
    const added = this.#asksUnseen(event);
    this.#history.push(taken);
    this.#known.clear();
    if (counts) this.#decideListed(event.observation, awaitedBefore, taken.made, sequence);
    for (const one of byPolicy) this.#add(taken.made, one);
    taken.awaited.push(...[...awaitedBefore, ...added].filter((one) => this.#stillAwaits(one, event, counts)));
    for (const consumer of this.consumers()) {
      const inForce = this.#standing(consumer).flatMap(({ ref, reason }) => (reason === null ? [ref] : []));
      const prefixOf = (server: ServerId): string => this.servers().get(server)?.prefix ?? '';
      taken.claims.push(...newClaims(this.#claimed(), consumer, inForce, prefixOf));
      this.#known.delete('claimed');
    }
  }
  #speaksForServer({ server, route, kinds }: Observation): boolean {
    const known = this.servers().get(server);
    return known?.isArchived === false && known.route === route && KINDS.some((kind) => speaks(kinds[kind]));
  }

  /** Decisions that a person's act makes at the ids they were shown. */
  #chosenBy(event: Event, sequence: number): Made[] {
    const { profiles } = this.intent();
    if (event.type === 'decided') return this.#decides(event, sequence);
    if (event.type === 'exposed') return this.#accepts(event.consumer, event.shown, sequence);
    if (event.type === 'profile-added')
      return (profiles.get(event.profile)?.consumers ?? []).flatMap((one) => this.#accepts(one, event.shown, sequence));
    if (event.type !== 'profile-assigned') return [];
    const others = profiles.get(event.profile)?.consumers ?? [];
    if (others.includes(event.consumer)) return [];
    const isFree = (one: Shown): boolean => !others.some((other) => this.#disputes(other, one));
    return this.#accepts(event.consumer, event.shown.filter(isFree), sequence);
  }
  #decides({ consumer, ref, id, verdict }: EventOf<'decided'>, sequence: number): Made[] {
    const newest = this.newest(consumer, ref, id);
    const isNothingNew = newest?.verdict === verdict && newest.by === 'person';
    return isNothingNew ? [] : [{ consumer, ref, id, verdict, by: 'person', sequence }];
  }
  #accepts(consumer: ConsumerId, shown: readonly Shown[], sequence: number): Made[] {
    const accepted = shown.filter(
      ({ ref, id }) =>
        this.decisions(consumer, ref).length === 0 &&
        !this.isOpen(consumer, ref) &&
        this.viewedId(consumer, ref) === id,
    );
    return accepted.map(({ ref, id }) => ({ consumer, ref, id, verdict: 'approved', by: 'person', sequence }));
  }
  #disputes(other: ConsumerId, { ref, id }: Shown): boolean {
    if (this.isOpen(other, ref) && this.viewedId(other, ref) === id) return true;
    if (this.verdict(other, ref, id) === 'rejected') return true;
    return this.decisions(other, ref).at(-1)?.verdict === 'rejected';
  }

  #asksUnseen(event: Event): Awaited[] {
    const asked: { consumer: ConsumerId; server: ServerId }[] = [];
    const { profiles } = this.intent();
    if (event.type === 'exposed' && event.target === 'all') asked.push(event);
    if (event.type === 'profile-added' && event.target === 'all')
      for (const consumer of profiles.get(event.profile)?.consumers ?? [])
        asked.push({ consumer, server: event.server });
    const assigned = event.type === 'profile-assigned' ? profiles.get(event.profile) : undefined;
    if (event.type === 'profile-assigned' && !assigned?.consumers.includes(event.consumer))
      for (const [server, { all }] of assigned?.selections ?? [])
        if (all && this.#isServing(server)) asked.push({ consumer: event.consumer, server });
    const everListed = (server: ServerId, kind: Kind): boolean =>
      this.#history.some(({ event: past, counts }) => {
        const isOurs = counts && past.type === 'observed' && past.observation.server === server;
        return isOurs && speaks(past.observation.kinds[kind]);
      });
    return asked.flatMap(({ consumer, server }) =>
      KINDS.filter((kind) => !everListed(server, kind)).map((kind) => ({ consumer, server, kind })),
    );
  }
  #stillAwaits({ consumer, server, kind }: Awaited, event: Event, counts: boolean): boolean {
    if (event.type === 'hidden' && event.target === 'all' && event.consumer === consumer && event.server === server)
      return false;
    if (!sourcesOf(this.intent(), consumer, server).some(({ all }) => all)) return false;
    if (event.type !== 'observed' || !counts || event.observation.server !== server) return true;
    return !(this.#isServedBy(event.observation, consumer) && speaks(event.observation.kinds[kind]));
  }
  #isServedBy({ server, consumer: own }: Observation, consumer: ConsumerId): boolean {
    return this.isOwn(server, consumer) ? own === consumer : own === null;
  }

  /** What an observation decides because a person asked for it before: another route, and whole servers unseen. */
  #decideListed(observation: Observation, awaited: readonly Awaited[], made: Made[], sequence: number): void {
    const { server, kinds } = observation;
    for (const kind of KINDS) {
      const outcome = kinds[kind];
      if (outcome?.status !== 'complete') continue;
      const routes = formerRoutes(this.#history.slice(0, -1), server, kind);
      const valid = outcome.items.flatMap((one) => ('id' in one ? [one] : []));
      for (const { originKey, id, definition } of valid)
        for (const consumer of this.consumers()) {
          const ref = capabilityRef(server, kind, originKey);
          const former = routes.flatMap((route) => {
            const old = capabilityId({ serverId: server, kind, originKey, route, definition });
            return this.newest(consumer, ref, old) ?? [];
          });
          const winner = former.find(({ verdict }) => verdict === 'rejected') ?? former[0];
          const own = this.verdict(consumer, ref, id);
          // A rejection is never overruled by a copy.
          if (winner === undefined || own === 'rejected' || own === winner.verdict) continue;
          this.#add(made, { consumer, ref, id, verdict: winner.verdict, by: winner.by, sequence });
        }
      for (const { originKey, id } of valid)
        for (const one of awaited) {
          const ref = capabilityRef(server, kind, originKey);
          const isTheirs = one.server === server && one.kind === kind && this.#isServedBy(observation, one.consumer);
          if (!isTheirs || this.decisions(one.consumer, ref).length > 0 || !this.wants(one.consumer, ref)) continue;
          this.#add(made, { consumer: one.consumer, ref, id, verdict: 'approved', by: 'first-seen', sequence });
        }
    }
  }
}

function decidedBy(catalog: NaiveCatalog, target: Target): Shown[] {
  const shown: Shown[] = [];
  for (const [ref, entry] of catalog) {
    const key: CapabilityKey = parseRef(ref);
    const isMeant = target === 'all' || isSame(key, target) || key.kind === 'instructions';
    if (entry.state === 'present' && isMeant) shown.push({ ref, id: entry.id });
  }
  return shown;
}

function isSameSet(needed: readonly Shown[], shown: readonly Shown[]): boolean {
  const differ = needed.some(({ ref, id }) => shown.filter((one) => one.ref === ref).at(-1)?.id !== id);
  return !differ && new Set(shown.map(({ ref }) => ref)).size === needed.length;
}
