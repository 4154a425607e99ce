import type { CapabilityRef, ConsumerId, JsonObject, Kind, State } from '../core/model.ts';
import { nameKey } from '../core/names.ts';
import { entriesOf } from '../core/state.ts';
import type { CommandContext } from './context.ts';

/** What a request of that method is for. */
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['tools/call', 'tool'],
  ['prompts/get', 'prompt'],
  ['resources/read', 'resource'],
]);

const UNUSED_MS = 30 * 86_400_000;
/** How old the answer may be: traces are files, and every snapshot asks. */
const FRESH_MS = 60_000;
/** Only whole files of traces are given up, for their size, when there are far more lines than this. */
const MAX_UNCUT = 20_000;

interface Sources {
  readonly recentCalls: CommandContext['recentCalls'];
  /** ISO 8601. */
  readonly now: () => string;
}

/**
 * When each capability was last used, by any app, as the traces tell it. An attempt counts: what is tried while it is
 * off is needed.
 */
export class LastUsed {
  readonly #sources: Sources;
  readonly #times = new Map<string, string>();
  #newest = '';
  #readAt = Number.NEGATIVE_INFINITY;
  /** The traces tell of all of the time that matters. */
  #isWhole = false;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /**
   * True for what was approved more than 30 days ago and that no app used since then. What cannot be told, because older
   * traces were given up, counts as used.
   */
  isUnused(state: State, ref: CapabilityRef): boolean {
    const now = Date.parse(this.#sources.now());
    const limit = new Date(now - UNUSED_MS).toISOString();
    const approved = approvedAt(state, ref);
    if (approved === undefined || approved > limit) return false;
    this.#refresh(state, limit, now);
    return this.#isWhole && (this.#times.get(ref) ?? '') <= limit;
  }

  /** When an app last used it or tried to, in the last 30 days; `null` where the traces tell of no use. */
  lastUsed(state: State, ref: CapabilityRef): string | null {
    const now = Date.parse(this.#sources.now());
    this.#refresh(state, new Date(now - UNUSED_MS).toISOString(), now);
    return this.#times.get(ref) ?? null;
  }

  #refresh(state: State, limit: string, now: number): void {
    // A clock that was set back makes it anew, too.
    if (Math.abs(now - this.#readAt) > FRESH_MS) this.#read(state, limit, now);
  }

  #read(state: State, limit: string, now: number): void {
    const isFirst = this.#newest === '';
    const until = isFirst ? limit : this.#newest;
    let lines = 0;
    const [older] = this.#sources.recentCalls(1, (line) => {
      const { at } = line;
      if (typeof at !== 'string') return false;
      if (at < until) return true;
      lines += 1;
      this.#take(state, line, at);
      return false;
    });
    this.#isWhole ||= older !== undefined || lines < MAX_UNCUT;
    this.#readAt = now;
  }

  #take(state: State, line: JsonObject, at: string): void {
    if (at > this.#newest) this.#newest = at;
    const ref = refOf(state, line);
    if (ref !== undefined && at > (this.#times.get(ref) ?? '')) this.#times.set(ref, at);
  }
}

/** A request that was refused names no ref; the app's name for it leads there. */
function refOf(state: State, { ref, consumer, method, name }: JsonObject): CapabilityRef | undefined {
  if (typeof ref === 'string') return ref as CapabilityRef; // only looked up by
  const isNamed = typeof consumer === 'string' && typeof method === 'string' && typeof name === 'string';
  return isNamed ? refCalled(state, { consumer: consumer as ConsumerId, method, name }) : undefined; // looked up: an unknown app has no names
}

interface Named {
  readonly consumer: ConsumerId;
  readonly method: string;
  readonly name: string;
}
/** What an app's request is for, by the app's own name for it: a tool and a prompt may have the same one. */
export function refCalled({ names }: State, { consumer, method, name }: Named): CapabilityRef | undefined {
  const kind = KINDS.get(method);
  return kind && names[consumer]?.[nameKey(kind, name)];
}

/** When it was first approved for some app. */
function approvedAt(state: State, ref: CapabilityRef): string | undefined {
  const all = entriesOf(state.decisions).flatMap(([, byRef]) => byRef[ref] ?? []);
  const times = all.filter(({ verdict }) => verdict === 'approved').map(({ at }) => at);
  return times.sort()[0];
}
