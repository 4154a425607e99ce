import type { ReadDefinition } from '../core/classify/from-bases.ts';
import { asHoldfastError, HoldfastError } from '../core/errors.ts';
import type { NoteType } from '../core/history.ts';
import type {
  CapabilityId,
  CapabilityRef,
  ConsumerId,
  Effect,
  Event,
  IncidentId,
  JsonObject,
  ManifestId,
  Observation,
  ServerId,
  Severity,
  State,
  StoredDefinition,
  SurfaceManifest,
} from '../core/model.ts';
import { recover, reduce, type Reduction } from '../core/reduce.ts';
import { reasonWords } from '../core/error-sentences.ts';
import { words, type WordKey } from '../core/words.ts';
import { surfaceKey, type ActiveSurface, type UpstreamSpec } from '../gateway/ports.ts';
import { isNarrowing } from '../store/stored-event.ts';
import type { Recovery } from '../store/recovery.ts';
import type { Untold } from '../store/telling.ts';
import { buildActiveSurface } from './active-surface.ts';
import { runCommand } from './commands.ts';
import type { CommandContext, DataPlane } from './context.ts';
import type { ControlOptions } from './control-options.ts';
import { evidenceLine, hasUnreadable, journalLines, newDefinitions, withListed } from './commit-content.ts';
import { orUndefined } from './fetched.ts';
import { LastUsed } from './last-used.ts';
import { Retry } from './retry.ts';
import { SaidBefore } from './said-before.ts';
import { serverSpec } from './server-spec.ts';
import { NO_SETUP, withSetup } from './setup.ts';
import type { Snapshot } from './snapshot.ts';
import { changeOfItem } from './review-view.ts';
import { buildSnapshot, serversInUse } from './snapshot-view.ts';
import { untoldIncidents } from './untold.ts';

/** What is said of each thing that happened to the files. */
const UNTOLD_WORDS = {
  restored: 'notice.restored',
  'started-empty': 'notice.startedEmpty',
  history: 'notice.history',
  secrets: 'notice.secrets',
} as const satisfies Record<Untold, WordKey>;

type Reducer = (state: State, event: Event, read: ReadDefinition) => Reduction;

/** Longer ones overflow. */
const MAX_TIMER_MS = 2 ** 31 - 100;

/** The only writer: one queue, reduce, commit, effects (README, "What a commit is"). */
export class Control {
  readonly #options: ControlOptions;
  readonly #surfaces = new Map<ConsumerId, ActiveSurface>();
  readonly #notices: string[] = [];
  #pauseTimer: NodeJS.Timeout | undefined;
  #data: DataPlane | undefined;
  /** A file could not be read, so a surface may serve less than its manifest names. */
  #hasLost = false;
  readonly #retry: Retry;
  readonly #said = new SaidBefore();
  readonly #used: LastUsed;
  /** Somebody is there to hear notices; until then they stay owed. */
  #canTell = false;
  /** The incidents that were told of with another one. */
  readonly #toldWith = new Map<IncidentId, readonly IncidentId[]>();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: ControlOptions) {
    this.#options = options;
    this.#used = new LastUsed(options);
    this.#retry = new Retry({
      tryRoom: () => options.store.tryRoom(),
      observe: ({ server, consumer }) => this.#plane().observeNow(server, consumer, false),
      onChange: () => this.pushSnapshot(),
    });
    for (const consumer of Object.keys(options.store.state.consumers)) this.#refresh(consumer as ConsumerId); // its keys
  }

  /** Binds the data plane, which needs the control plane to be built. */
  attach(data: DataPlane): void {
    this.#data = data;
  }

  get state(): State {
    return this.#options.store.state;
  }

  /**
   * Applies again what only takes away, after an older generation had to serve, and pauses where that is not certain.
   * Once that is done it is never done again: what a person chooses from now on stands.
   */
  async recover(recovery: Recovery): Promise<void> {
    const { language } = this.state.settings;
    const { store } = this.#options;
    this.#notices.push(...store.untold().map((untold) => words(UNTOLD_WORDS[untold], language)));
    if (recovery.kind === 'none') return;
    for (const event of recovery.replay) if (isNarrowing(event)) await this.#enqueue(event, recover);
    if (recovery.uncertain)
      await this.dispatch({ type: 'paused', at: this.#options.now(), until: null, reason: 'recovered' });
    await store.replayed();
  }

  /** Completes what the last commit still owes. Where somebody hears notices, they hear of what still waits untold. */
  completeOwed(effects: readonly Effect[]): void {
    this.#canTell = true;
    this.#perform(effects.filter(({ type }) => type !== 'notice'));
    for (const { incident, with: others } of untoldIncidents(this.state)) {
      this.#toldWith.set(incident, others);
      this.#options.onNotice?.(incident);
    }
  }

  /**
   * The person has been told of this incident: the next start does not tell of it again.
   * @throws HoldfastError STORE_WRITE_FAILED
   */
  async told(incident: IncidentId): Promise<void> {
    const incidents = [...(this.#toldWith.get(incident) ?? []), incident];
    await this.dispatch({ type: 'notified', at: this.#options.now(), incidents });
    this.#toldWith.delete(incident);
  }

  /** Nothing is tried again after this. */
  close(): void {
    clearTimeout(this.#pauseTimer);
    this.#retry.close();
  }

  /**
   * Takes one event: reduce, commit, then effects. Events wait for each other.
   * @throws HoldfastError what `reduce` refuses, or STORE_WRITE_FAILED: then nothing is published.
   */
  dispatch(event: Event): Promise<void> {
    return this.#enqueue(event, reduce);
  }

  /** Writes a line of evidence into the journal: something happened that changes no state. */
  note(type: NoteType, details: JsonObject): Promise<void> {
    return this.#options.store.journal({ at: this.#options.now(), type, details });
  }

  #enqueue(event: Event, step: Reducer): Promise<void> {
    // Shown also where nothing was committed: how servers and apps stand is in no event.
    const done = this.#queue.then(() => this.#apply(event, step)).finally(() => this.pushSnapshot());
    this.#queue = done.catch(() => undefined); // the caller hears of it; the queue goes on
    return done;
  }

  async #apply(event: Event, step: Reducer): Promise<void> {
    const before = this.state;
    const stored: ReadDefinition = (id) => this.definition(id);
    const reduction = step(before, event, withListed(event, stored));
    const isNew = reduction.state !== before || hasUnreadable(event, before, stored);
    try {
      await (isNew ? this.#commit(event, reduction) : this.#addEvidence(event));
    } catch (error) {
      this.#retry.failed(event, error);
      throw error;
    }
    this.#perform(reduction.effects);
  }

  async #commit(event: Event, reduction: Reduction): Promise<void> {
    const before = this.state;
    const commit = {
      // A damaged file is written again from what the server just listed: a commit of its own.
      state: reduction.state === before ? { ...before, sequence: before.sequence + 1 } : reduction.state,
      manifests: reduction.manifests,
      definitions: newDefinitions(event),
      lines: journalLines(event, reduction),
      effects: reduction.effects,
    };
    await this.#options.store.commit(commit, () => this.#cutOver(before, this.state));
    if (event.type === 'observed') this.#said.forget(event);
    this.#retry.saved();
  }

  async #addEvidence(event: Event): Promise<void> {
    if (event.type !== 'observed') return;
    const line = evidenceLine(event);
    if (this.#said.has(event, line)) return;
    await this.#options.store.journal(line);
    this.#said.add(event, line);
  }

  /** Surfaces are swapped in one go; withheld reasons may change without a new manifest. */
  #cutOver(before: State, state: State): void {
    const isSame = (['decisions', 'catalogs', 'exposures', 'profiles', 'servers', 'consumers'] as const).every(
      (fact) => state[fact] === before[fact],
    );
    if (isSame && !this.#hasLost) return;
    this.#hasLost = false;
    for (const consumer of Object.keys(state.consumers)) this.#refresh(consumer as ConsumerId); // its keys
  }

  #refresh(consumer: ConsumerId): void {
    const surface = buildActiveSurface(this.state, consumer, (id) => this.definition(id));
    if (surface === undefined) this.#surfaces.delete(consumer);
    else this.#surfaces.set(consumer, surface);
  }

  #perform(effects: readonly Effect[]): void {
    for (const effect of effects) {
      if (effect.type === 'list-changed') this.#data?.listChanged(effect.consumer, effect.kinds);
      else if (effect.type === 'notice') this.#notify(effect.incident);
      else if (effect.type === 'stop') this.#report(this.#data?.stopServer(effect.server));
      else this.#report(this.#data?.confirm(effect.server, effect.consumer));
    }
  }

  /** It is owed until the incident is marked as told, however many commits and starts that takes. */
  #notify(incident: IncidentId): void {
    if (this.#canTell) this.#options.onNotice?.(incident);
  }

  /** Effects never fail a commit that is in force already. */
  #report(work: Promise<unknown> | undefined): void {
    work?.catch((error: unknown) => this.#options.onProblem?.(asHoldfastError(error)));
  }

  /** The publication in force; `undefined` for an unknown consumer. */
  surface(consumer: ConsumerId): ActiveSurface | undefined {
    return this.#surfaces.get(consumer);
  }

  /** A manifest as surface key -> id; `undefined` when it is not kept. */
  listedIds(manifestId: ManifestId): ReadonlyMap<string, CapabilityId> | undefined {
    const manifest = this.manifest(manifestId);
    return manifest && new Map(manifest.entries.map(({ kind, name, id }) => [surfaceKey(kind, name), id]));
  }

  severity(ref: CapabilityRef, from: CapabilityId, to: CapabilityId): Severity {
    return changeOfItem(this, { ref, bases: [from], targetId: to }).severity;
  }

  isPaused(): boolean {
    const { paused } = this.state.settings;
    return paused !== null && (paused.until === null || paused.until > this.#options.now());
  }

  /** How to start a server; `undefined` for a removed or unknown one. */
  upstream(id: ServerId): UpstreamSpec | undefined {
    const server = this.state.servers[id];
    return server?.archivedAt === null ? serverSpec(server, this.#options, this.state.settings.language) : undefined;
  }

  serversInUse(): ServerId[] {
    return [...serversInUse(this.state)].filter((id) => this.state.servers[id]?.archivedAt === null);
  }

  /** `undefined` where it is not stored or damaged: what cannot be read is not served. */
  definition(id: CapabilityId): StoredDefinition | undefined {
    return this.#read(() => this.#options.store.definition(id));
  }

  manifest(id: ManifestId): SurfaceManifest | undefined {
    return this.#read(() => this.#options.store.manifest(id));
  }

  #read<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof HoldfastError) || error.code !== 'STORE_CORRUPT') throw error;
      this.#hasLost = true;
      this.#options.onProblem?.(error);
      return undefined;
    }
  }

  /** No app has used it for 30 days, though it could. */
  isUnused(ref: CapabilityRef): boolean {
    return this.#used.isUnused(this.state, ref);
  }

  /** For what is only shown: a manifest that cannot be compared with is no damage that anybody has to hear of. */
  get #reader() {
    const { store } = this.#options;
    return {
      state: this.state,
      definition: (id: CapabilityId) => this.definition(id),
      manifest: orUndefined((id: ManifestId) => store.manifest(id)),
      isUnused: (ref: CapabilityRef) => this.isUnused(ref),
      lastUsed: (ref: CapabilityRef) => this.#used.lastUsed(this.state, ref),
    };
  }

  snapshot(): Snapshot {
    const { secrets, login, hosts, setup = NO_SETUP, updates } = this.#options;
    const around = { data: this.#plane(), notices: this.#told(), isPaused: this.isPaused() };
    const told = buildSnapshot(this.#reader, { ...around, secrets, login, hosts, updates });
    const update = updates?.ready() ?? null;
    const whole = withSetup(told, this.state, setup);
    const snapshot = update === null ? whole : { ...whole, update };
    return this.#retry.cause === undefined || snapshot.tray === 'paused' ? snapshot : { ...snapshot, tray: 'error' };
  }

  /** What a person should know: what happened at the start, and what waits for them now. */
  #told(): string[] {
    const { language, paused } = this.state.settings;
    const { hosts } = this.#options;
    const { cause } = this.#retry;
    return [
      ...this.#notices,
      ...(paused?.reason === 'recovered' ? [words('notice.confirm', language)] : []),
      ...Object.values(this.state.consumers)
        .filter(({ id }) => hosts.isLost(id))
        .map(({ name }) => words('notice.lost', language, { app: name })),
      ...(cause === undefined ? [] : [words('notice.notSaved', language, { reason: reasonWords(cause, language) })]),
    ];
  }

  /** A pause that ends by itself ends on the screen, too. */
  #armPause(): void {
    clearTimeout(this.#pauseTimer);
    const until = this.state.settings.paused?.until;
    if (until === undefined || until === null) return;
    const left = Date.parse(until) - Date.parse(this.#options.now());
    if (left <= 0) return;
    this.#pauseTimer = setTimeout(() => this.pushSnapshot(), Math.min(left, MAX_TIMER_MS) + 50);
    this.#pauseTimer.unref();
  }

  pushSnapshot(): void {
    this.#armPause();
    if (this.#options.onSnapshot && this.#data) this.#options.onSnapshot(this.snapshot());
  }

  /** Runs one command of the table, for window and command line alike. */
  run(name: string, input: unknown): Promise<unknown> {
    return runCommand(this.#context(), name, input);
  }

  #context(): CommandContext {
    const {
      secrets,
      hosts,
      getting,
      updates,
      login,
      setup = NO_SETUP,
      mask,
      now,
      random,
      store,
      recentCalls,
    } = this.#options;
    const control = this; // eslint-disable-line @typescript-eslint/no-this-alias -- the getter below needs the newest state
    return {
      get state() {
        return control.state;
      },
      dispatch: (event) => this.dispatch(event),
      definition: (id) => this.definition(id),
      manifest: (id) => this.manifest(id),
      history: (limit, isWanted) => store.history(limit, isWanted),
      recentCalls,
      isUnused: (ref) => this.isUnused(ref),
      snapshot: () => this.snapshot(),
      pushSnapshot: () => this.pushSnapshot(),
      data: { ...this.#plane(), observeNow: (server, consumer) => this.#observeNow(server, consumer) },
      secrets,
      hosts,
      login,
      setup,
      getting,
      updates,
      mask,
      now,
      random,
    };
  }

  /** A person who asks is told where what was seen could not be saved. */
  async #observeNow(server: ServerId, consumer: ConsumerId | null): Promise<Observation> {
    const observation = await this.#plane().observeNow(server, consumer);
    this.#retry.assertSaved(observation);
    return observation;
  }

  #plane(): DataPlane {
    if (this.#data === undefined) throw new HoldfastError('INTERNAL', { reason: 'the gateway is not ready' });
    return this.#data;
  }
}
