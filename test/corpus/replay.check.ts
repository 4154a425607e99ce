// `npm run corpus`: every recorded server through the pure core, version by version, under each preset.
import { expect, test } from 'vitest';
import { hasDangerousText } from '../../electron/core/classify/classify.ts';
import { diffCatalogs } from '../../electron/core/diff.ts';
import { isInIntent } from '../../electron/core/intent.ts';
import {
  KINDS,
  PRESETS,
  type CapabilityId,
  type ConsumerId,
  type Event,
  type Observation,
  type Preset,
  type Shown,
  type State,
  type StoredDefinition,
} from '../../electron/core/model.ts';
import { reduce, type Reduction } from '../../electron/core/reduce.ts';
import { isQuiet, pendingReviews } from '../../electron/core/review.ts';
import { emptyState, entriesOf } from '../../electron/core/state.ts';
import { deriveSurface } from '../../electron/core/surface.ts';
import { scopeKey, shownBy } from '../../electron/core/view.ts';
import { parseRef } from '../../electron/core/identity.ts';
import { LAUNCH, observationOf, recordedServers, SERVER } from './recordings.ts';

const folder = process.env['HOLDFAST_CORPUS'];
if (folder === undefined) throw new Error('HOLDFAST_CORPUS names the folder with the recordings.');

const APP = 'app' as ConsumerId;
type Untimed = Event extends infer E ? (E extends Event ? Omit<E, 'at'> : never) : never;

/** A person with one app, who approves whatever they are asked, as soon as they are. */
class Person {
  state: State = emptyState();
  #clock = 0;
  readonly #stored = new Map<CapabilityId, StoredDefinition>();

  constructor(policy: Preset, first: Observation, many: number) {
    this.#tell({ type: 'server-added', server: { id: SERVER, name: 'Recorded', launch: LAUNCH } });
    this.#tell({ type: 'policy-set', server: SERVER, policy });
    this.#tell({ type: 'consumer-added', consumer: APP, name: 'App' });
    this.observe(first);
    if (many === Infinity) this.#expose('all', shownBy(this.state, SERVER, null));
    else for (const { ref } of this.#tools().slice(0, many)) this.#exposeOne(ref);
  }
  #tools(): Shown[] {
    return shownBy(this.state, SERVER, null).filter(({ ref }) => parseRef(ref).kind === 'tool');
  }
  #exposeOne(ref: Shown['ref']): void {
    const { kind, originKey } = parseRef(ref);
    const shown = shownBy(this.state, SERVER, APP).filter(
      (one) => one.ref === ref || parseRef(one.ref).kind === 'instructions',
    );
    this.#expose({ kind, originKey }, shown);
  }
  #expose(target: Extract<Event, { type: 'exposed' }>['target'], shown: Shown[]): void {
    const isLeftOut = ({ id }: Shown): boolean => {
      const found = this.#stored.get(id);
      return target === 'all' && found !== undefined && hasDangerousText(found);
    };
    const given = shown.map((one): Shown => (isLeftOut(one) ? { ...one, leftOut: true } : one));
    this.#tell({ type: 'exposed', consumer: APP, server: SERVER, target, shown: given });
  }
  #tell(event: Untimed): Reduction {
    const at = new Date(Date.UTC(2026, 0, 1) + this.#clock++ * 86_400_000).toISOString();
    const reduction = reduce(this.state, { ...event, at }, (id) => this.#stored.get(id));
    this.state = reduction.state;
    return reduction;
  }
  observe(observation: Observation): Reduction {
    for (const kind of KINDS) {
      const outcome = observation.kinds[kind];
      for (const item of outcome?.status === 'complete' ? outcome.items : [])
        if ('id' in item && !this.#stored.has(item.id)) {
          const { originKey, id, definition } = item;
          this.#stored.set(id, { serverId: SERVER, kind, originKey, route: observation.route, definition });
        }
    }
    const reduction = this.#tell({ type: 'observed', observation });
    // An emptied list, or a kind that is gone, counts once a second connection says the same.
    if (!reduction.effects.some(({ type }) => type === 'confirm')) return reduction;
    return this.#tell({
      type: 'observed',
      observation: { ...observation, connection: `${observation.connection}, again` },
    });
  }
  asking(): Shown[] {
    return pendingReviews(this.state, APP).filter(({ ref, id }) => !isQuiet(this.state, APP, ref, id));
  }
  /** With what waits quietly, everything that there is stays exposed. */
  approve(isQuietToo: boolean): void {
    for (const { ref, id } of isQuietToo ? pendingReviews(this.state, APP) : this.asking())
      this.#tell({ type: 'decided', consumer: APP, ref, id, verdict: 'approved' });
  }
}

interface Counts {
  upgrades: number;
  asked: number;
  items: number;
  followed: number;
  noticed: number;
}

/** Every claim that holds for one upgrade, whatever the preset. */
function checkUpgrade(before: State, person: Person, { effects, cutOvers }: Reduction, what: string): void {
  const after = person.state;
  const scope = scopeKey(SERVER, null);
  const moved = diffCatalogs(before.catalogs[scope] ?? {}, after.catalogs[scope] ?? {});
  const incidents = after.incidents.filter((incident) => !before.incidents.includes(incident));
  const told = new Set(
    incidents.flatMap(({ reviews, followed, missing }) => [...reviews, ...followed, ...missing].map(({ ref }) => ref)),
  );
  const had = new Map(deriveSurface(before, APP).manifest.entries.map(({ ref, id }) => [ref, id]));
  const has = new Map(deriveSurface(after, APP).manifest.entries.map(({ ref, id }) => [ref, id]));
  // No differing definition goes unreported, but for one that was reported before and is the same item again.
  const isKnown = (ref: Shown['ref'], id: CapabilityId): boolean => (before.seen[APP]?.[ref] ?? []).includes(id);
  for (const { ref, after: entry } of moved)
    if (isInIntent(after, APP, ref) && entry?.state === 'present' && !isKnown(ref, entry.id))
      expect([...told], `${what} ${ref}`).toContain(ref);
  // What has not moved is left alone, and nothing is told where nothing moved.
  for (const [ref, id] of had)
    if (!moved.some((one) => one.ref === ref)) expect(has.get(ref), `${what} ${ref}`).toBe(id);
  if (moved.length === 0) {
    expect(cutOvers, what).toEqual([]);
    expect(
      effects.filter(({ type }) => type === 'notice'),
      what,
    ).toEqual([]);
  }
}

function replay(policy: Preset, many: number, turnsOnNew: boolean): Counts {
  const counts: Counts = { upgrades: 0, asked: 0, items: 0, followed: 0, noticed: 0 };
  for (const [name, versions] of recordedServers(folder ?? '')) {
    const [first, ...later] = versions.map((version) => observationOf(folder ?? '', name, version));
    if (first === undefined) continue;
    const person = new Person(policy, first, many);
    person.approve(turnsOnNew);
    later.forEach((observation, at) => {
      const what = `${name} ${versions[at] ?? ''} -> ${versions[at + 1] ?? ''}`;
      const before = person.state;
      checkUpgrade(before, person, person.observe(observation), what);
      counts.upgrades += 1;
      const asking = person.asking();
      const incident = person.state.incidents.filter((one) => !before.incidents.includes(one)).at(-1);
      counts.followed += incident?.followed.length ?? 0;
      counts.items += asking.length;
      counts.asked += asking.length > 0 ? 1 : 0;
      counts.noticed += asking.length === 0 && (incident?.missing.length ?? 0) > 0 ? 1 : 0;
      person.approve(turnsOnNew);
      // The same version listed twice raises nothing.
      const settled = person.state;
      expect(person.observe({ ...observation, connection: 'twice' }).effects, what).toEqual([]);
      expect(entriesOf(person.state.catalogs), what).toEqual(entriesOf(settled.catalogs));
      expect(person.asking(), what).toEqual([]);
    });
  }
  return counts;
}

const share = (part: number, whole: number): string => `${part} (${Math.round((100 * part) / whole)} %)`;

test.each([
  ['everything, and what is new turned on', Infinity, true],
  ['everything, and what is new left as it comes', Infinity, false],
  ['five tools', 5, false],
] as const)('every recorded upgrade is taken by every preset, with %s exposed', (exposed, many, turnsOnNew) => {
  const rows = PRESETS.map((preset) => [preset, replay(preset, many, turnsOnNew)] as const);
  for (const [preset, { upgrades, asked, items, followed, noticed }] of rows)
    console.log(
      `${exposed}, ${preset}: of ${upgrades} upgrades ${share(asked, upgrades)} ask, with ${items} items; ` +
        `${noticed} more only tell that something is gone; ${followed} changes followed`,
    );
  const byPreset = new Map(rows);
  const of = (preset: Preset): number => byPreset.get(preset)?.asked ?? Infinity;
  expect(of('follow')).toBeLessThanOrEqual(of('follow-safe'));
  expect(of('follow-safe')).toBeLessThanOrEqual(of('review'));
  const { upgrades = 0 } = byPreset.get('follow-safe') ?? {};
  expect(upgrades).toBeGreaterThan(100);
  expect(of('follow-safe') / upgrades).toBeLessThanOrEqual(0.5);
});
