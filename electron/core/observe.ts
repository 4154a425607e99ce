import { z } from 'zod';
import { BOUNDS } from './bounds.ts';
import { assertIJson, isObject, NotCanonical } from './canonical.ts';
import { cleanName } from './display.ts';
import { LISTED_SHAPES } from './listed-shapes.ts';
import type { CapabilityId, JsonObject, KindOutcome, ListedKind, ObservedItem } from './model.ts';

const METHOD_NOT_FOUND = -32601;

/** How each kind is listed: method, capability that declares it, field of the result, key of an entry. */
export const LISTS = {
  tool: { method: 'tools/list', capability: 'tools', field: 'tools', key: 'name' },
  prompt: { method: 'prompts/list', capability: 'prompts', field: 'prompts', key: 'name' },
  resource: { method: 'resources/list', capability: 'resources', field: 'resources', key: 'uri' },
  resourceTemplate: {
    method: 'resources/templates/list',
    capability: 'resources',
    field: 'resourceTemplates',
    key: 'uriTemplate',
  },
} as const satisfies Readonly<Record<ListedKind, object>>;

/** What came back for one page. `none`: nothing did (time-out, exit). */
export type PageAnswer =
  | { readonly type: 'result'; readonly result: unknown; readonly bytes?: number }
  | { readonly type: 'error'; readonly code: number; readonly message: string }
  | { readonly type: 'none'; readonly reason: string };

/** Verdict on one entry with a readable key: its id, or why it has none. */
export type Inspected = { readonly id: CapabilityId } | { readonly invalid: string };
export type Inspect = (kind: ListedKind, originKey: string, definition: JsonObject) => Inspected;
export type Identify = (kind: ListedKind, originKey: string, definition: JsonObject) => CapabilityId;

/** Checks the shape of one entry, then computes its id; what has none is `invalid` with the reason. */
export function inspectWith(identify: Identify): Inspect {
  return (kind, originKey, definition) => {
    try {
      assertIJson(definition); // before anything else walks through it
      const shape = LISTED_SHAPES[kind].safeParse(definition);
      if (!shape.success) return { invalid: shapeProblem(shape.error) };
      return { id: identify(kind, originKey, definition) };
    } catch (error) {
      return { invalid: error instanceof Error ? error.message : String(error) };
    }
  };
}

/** In words of our own: the path may hold names that the server chose. */
function shapeProblem(error: z.ZodError): string {
  const path = (error.issues[0]?.path ?? []).map(String).join('.');
  return path === '' ? 'it is malformed' : `its “${quoted(path)}” is missing or malformed`;
}

function quoted(text: string): string {
  return cleanName(text, BOUNDS.quotedLength.value);
}

const pageShape = z.looseObject({
  nextCursor: z.unknown().optional(),
  /** What else an answer may be than a finished one; a server that does not say gives a finished one. */
  resultType: z.unknown().optional(),
  cacheScope: z.unknown().optional(),
});
type Page = z.output<typeof pageShape>;

/**
 * Reads the pages of one list in order and says what they amount to. A truncated list must never look complete:
 * only a list read to its last page gets `complete` or `complete-empty`.
 */
export class ListReader {
  readonly #kind: ListedKind;
  readonly #inspect: Inspect;
  readonly #items = new Map<string, ObservedItem>();
  readonly #cursors = new Set<string>();
  #pages = 0;
  #count = 0;
  #bytes = 0;
  #keysLength = 0;
  #unreadable = 0;
  /** Whom the first page was made for; pages made for different ones are no one list. */
  #cacheScope: unknown;
  #outcome: KindOutcome | null = null;
  #cursor: string | undefined;

  constructor(kind: ListedKind, inspect: Inspect) {
    this.#kind = kind;
    this.#inspect = inspect;
  }

  /** Cursor of the page to ask for next; `undefined` for the first. */
  get cursor(): string | undefined {
    return this.#cursor;
  }

  /** `null` while there is a page to ask for. */
  get outcome(): KindOutcome | null {
    return this.#outcome;
  }

  /** Takes the answer for the page at {@link cursor}; returns what the entries shown on it are now held to be. */
  accept(answer: PageAnswer): readonly ObservedItem[] {
    const taking = this.taking(answer);
    for (;;) {
      const step = taking.next();
      if (step.done === true) return step.value;
    }
  }

  /** The same, with a pause after each entry: a page of many large ones must not hold everything else up. */
  *taking(answer: PageAnswer): Generator<undefined, readonly ObservedItem[]> {
    if (answer.type !== 'result') {
      this.#outcome = this.#broken(answer);
      return [];
    }
    const page = pageShape.safeParse(answer.result);
    const entries: unknown = page.success ? page.data[LISTS[this.#kind].field] : undefined;
    if (!page.success || !Array.isArray(entries)) {
      this.#outcome = this.#cutShort('its answer is not a list');
      return [];
    }
    if ((page.data.resultType ?? 'complete') !== 'complete') {
      this.#outcome = this.#cutShort('its answer is not a finished one');
      return [];
    }
    this.#pages++;
    this.#bytes += answer.bytes ?? 0;
    const room = Math.max(0, BOUNDS.items.value - this.#count);
    this.#count += entries.length;
    const keys = new Set<string | null>();
    for (const entry of entries.slice(0, room)) {
      keys.add(this.#take(entry));
      yield;
    }
    this.#advance(page.data);
    // After the whole page: what it shows twice in two ways, it does not show.
    return [...keys].flatMap((key) => (key === null ? [] : (this.#items.get(key) ?? [])));
  }

  /** Takes in one entry; returns its key, or `null` where that cannot be read. */
  #take(entry: unknown): string | null {
    const definition = isObject(entry) ? entry : {};
    const originKey = definition[LISTS[this.#kind].key];
    if (typeof originKey !== 'string' || originKey === '' || originKey.length > BOUNDS.keyLength.value) {
      this.#unreadable++;
      return null;
    }
    const inspected = this.#inspect(this.#kind, originKey, definition);
    const item: ObservedItem =
      'id' in inspected ? { originKey, id: inspected.id, definition } : { originKey, invalid: inspected.invalid };
    if (!this.#items.has(originKey)) this.#keysLength += originKey.length;
    this.#items.set(originKey, merge(this.#items.get(originKey), item));
    return originKey;
  }

  #advance({ nextCursor: next, cacheScope }: Page): void {
    if (this.#pages === 1) this.#cacheScope = cacheScope;
    if (cacheScope !== this.#cacheScope) this.#outcome = this.#incomplete('its pages do not belong together');
    else if (this.#count > BOUNDS.items.value) this.#outcome = this.#incomplete(BOUNDS.items.reason);
    else if (this.#bytes > BOUNDS.listBytes.value) this.#outcome = this.#incomplete(BOUNDS.listBytes.reason);
    else if (this.#keysLength > BOUNDS.keysLength.value) this.#outcome = this.#incomplete(BOUNDS.keysLength.reason);
    else if (next === undefined || next === null) this.#outcome = this.#end();
    else if (typeof next !== 'string') this.#outcome = this.#incomplete('it does not say where its next page is');
    else if (this.#cursors.has(next)) this.#outcome = this.#incomplete('its pages lead back to one that was read');
    else if (next.length > BOUNDS.cursorLength.value) this.#outcome = this.#incomplete(BOUNDS.cursorLength.reason);
    else if (this.#pages >= BOUNDS.pages.value) this.#outcome = this.#incomplete(BOUNDS.pages.reason);
    else {
      this.#cursors.add(next);
      this.#cursor = next;
    }
  }

  #end(): KindOutcome {
    if (this.#unreadable > 0) {
      return this.#incomplete(`${this.#unreadable} of its entries have no readable “${LISTS[this.#kind].key}”`);
    }
    if (this.#items.size === 0) return { status: 'complete-empty' };
    return { status: 'complete', items: [...this.#items.values()] };
  }

  #broken(answer: Exclude<PageAnswer, { type: 'result' }>): KindOutcome {
    if (answer.type === 'none') return this.#cutShort(answer.reason);
    const isMissing = answer.code === METHOD_NOT_FOUND && this.#pages === 0;
    if (isMissing && this.#kind === 'resourceTemplate') return { status: 'unsupported' };
    return this.#cutShort(`it answered with error ${answer.code}: ${quoted(answer.message)}`);
  }

  #cutShort(reason: string): KindOutcome {
    return this.#pages === 0 ? { status: 'failed', reason } : this.#incomplete(reason);
  }

  #incomplete(reason: string): KindOutcome {
    return { status: 'incomplete', reason, count: this.#items.size };
  }
}

/** One key with two definitions is invalid; the same one twice counts once. */
function merge(known: ObservedItem | undefined, item: ObservedItem): ObservedItem {
  if (!known || verdict(known) === verdict(item)) return known ?? item;
  return { originKey: item.originKey, invalid: 'it is listed twice with different definitions' };
}

/** The outcome of one list from all its answers; a kind that is not declared is not asked for. */
export function listOutcome(
  kind: ListedKind,
  isDeclared: boolean,
  answers: readonly PageAnswer[],
  inspect: Inspect,
): KindOutcome {
  if (!isDeclared) return { status: 'unsupported' };
  const reader = new ListReader(kind, inspect);
  for (const answer of answers) {
    reader.accept(answer);
    if (reader.outcome) return reader.outcome;
  }
  reader.accept({ type: 'none', reason: 'the list ends in the middle' });
  // `accept` of a missing answer always decides.
  return reader.outcome ?? { status: 'failed', reason: 'no answer' };
}

/** The outcome for the text a server gives about itself, from its `initialize` result. */
export function instructionsOutcome(instructions: unknown, identify: (text: JsonObject) => CapabilityId): KindOutcome {
  if (instructions === undefined || instructions === null || instructions === '') return { status: 'complete-empty' };
  if (typeof instructions !== 'string') return { status: 'failed', reason: 'instructions are not a text' };
  const definition = { instructions };
  try {
    if (instructions.length > BOUNDS.instructionsLength.value) throw new NotCanonical(BOUNDS.instructionsLength.reason);
    return { status: 'complete', items: [{ originKey: '', id: identify(definition), definition }] };
  } catch (error) {
    const invalid = error instanceof Error ? error.message : String(error);
    return { status: 'complete', items: [{ originKey: '', invalid }] };
  }
}

/** True where two lists in a row showed the same, so that a change notice between them is settled. */
export function isSameOutcome(a: KindOutcome, b: KindOutcome): boolean {
  if (a.status !== 'complete' || b.status !== 'complete') return a.status === b.status;
  if (a.items.length !== b.items.length) return false;
  const known = new Map(a.items.map((item) => [item.originKey, verdict(item)]));
  return b.items.every((item) => known.get(item.originKey) === verdict(item));
}

function verdict(item: ObservedItem): string {
  return 'id' in item ? item.id : `invalid: ${item.invalid}`;
}
