import { closeSync, existsSync, openSync, readSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { capabilityId, capabilityRef } from '../../electron/core/identity.ts';
import type { JsonObject, Route, ServerId } from '../../electron/core/model.ts';
import type { Shown } from './decided.ts';
import type { Random } from './random.ts';

const TOOLS = ['search', 'fetch', 'write', 'list_all', 'delete-it'];
/** Ways in which one tool may be defined; some are a change of words, some of what it needs. */
const WAYS = 4;

/** A tool as a server lists it. */
function toolOf(name: string, way: number): JsonObject {
  return {
    name,
    description: `does ${name} in way ${way % 2}`,
    inputSchema: { type: 'object', properties: { do: { type: 'string' } }, ...(way >= 2 && { required: ['do'] }) },
  };
}

const START_FAULTS: readonly object[] = [
  { start: 'exit' },
  { start: 'hang' },
  { startDelayMs: 1_500 },
  { ignoreEof: true },
  { earlyNotice: true },
  { askRootsAtStart: true },
  { stderr: 'a line of complaint\n'.repeat(20_000) },
];
const RUNNING_FAULTS: readonly object[] = [
  { noise: true },
  { telemetry: true },
  { listDelayMs: 400 },
  { changeDuringList: 3 },
  { list: { tools: 'churn' } },
  { list: { resources: 'hang' } },
  { list: { prompts: 'not-array' } },
];
/** With these a list of tools cannot be read to its end. */
export const LIST_FAULTS = ['fail', 'missing', 'exit', 'not-array', 'loop', 'endless', 'number-cursor'] as const;

/** What one process said of one tool at one time: its definition, or `null` where a whole list was without it. */
interface Said {
  readonly at: number;
  readonly definition: JsonObject | null;
}
/** The same as the product would call it. */
export interface Showing {
  readonly at: number;
  readonly shown: Shown | null;
}

/** What one process listed. */
interface Listing {
  /** Names in the list that is being read. */
  readonly names: Set<string>;
  /** By tool, oldest first. */
  readonly said: Map<string, Said[]>;
}

/** A use that came through to a server. */
export interface Arrived {
  readonly server: SoakServer;
  readonly at: number;
  readonly tool: string;
  readonly marker: string;
  /** What its process showed last of this tool, and what it showed just before that. */
  readonly shown: readonly Shown[];
  /** All that is kept of that, for a story. */
  readonly showings: readonly Showing[];
}

interface LogLine {
  readonly pid: number;
  readonly at?: number;
  readonly listed?: string;
  readonly start?: number;
  readonly isLast?: boolean;
  readonly items?: readonly (JsonObject & { readonly name: string })[];
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly arguments?: { readonly marker?: string } };
}

/** What was on its way when a list was answered may still arrive. */
const ON_ITS_WAY_MS = 5_000;
const MAX_SHOWINGS = 40;

/** One server as the soak drives it: the fixture's control file, and what its log tells. */
export class SoakServer {
  readonly name: string;
  readonly control: string;
  #id: ServerId | null = null;
  /** What it had last: uses that came through before it was removed are told of later. */
  #lastId: ServerId | null = null;
  route: Route = '' as Route; // told when it is added
  /** Tools it lists, each in one way. */
  readonly tools = new Map<string, number>();
  /** It was listed whole once, so that nothing of it is approved unseen any more. */
  isKnown = false;
  /** It has asked its apps for something: each has a process of its own, which learns of changes by itself. */
  hasAsked = false;
  /** The process that runs was started without a fault of its start. */
  hasStartedWell = true;
  faults: object = {};
  version = 1;
  readonly #log: string;
  readonly #grandchild: string;
  /** By process. */
  readonly #listings = new Map<number, Listing>();
  /** Every definition that it listed, and when it did last. */
  readonly #listed = new Map<string, { readonly at: number; readonly name: string; readonly definition: JsonObject }>();
  /** Read in the log and not asked for yet. */
  #arrived: Arrived[] = [];
  #read = 0;
  #rest = '';

  constructor(folder: string, name: string, random: Random) {
    this.name = name;
    this.control = path.join(folder, `${name}.json`);
    this.#log = path.join(folder, `${name}.log`);
    this.#grandchild = path.join(folder, `${name}.grandchild`);
    for (const tool of TOOLS) if (random.chance(0.7)) this.tools.set(tool, random.below(WAYS));
    this.write();
  }

  /** Writes what it does from now on, in one step. */
  write(isSilent = false): void {
    const tools = [...this.tools].map(([tool, way]) => toolOf(tool, way));
    const control = {
      ...{ name: this.name, version: `1.0.${this.version}`, log: this.#log, logLists: true, silent: isSilent },
      ...{ tools, pageSize: 2, resources: [{ uri: `x://${this.name}/a`, name: 'a' }] },
      ...{ prompts: [{ name: `ask-${this.name}` }], resourceTemplates: [], faults: this.faults },
    };
    writeFileSync(`${this.control}.new`, JSON.stringify(control));
    renameSync(`${this.control}.new`, this.control);
  }

  /** Another way for a tool, or one more or fewer. */
  change(random: Random): void {
    const tool = random.pick(TOOLS) ?? 'search';
    if (this.tools.has(tool) && random.chance(0.3)) this.tools.delete(tool);
    else this.tools.set(tool, random.below(WAYS));
    this.version += 1;
    this.write(random.chance(0.2));
  }

  fault(random: Random, isAtStart: boolean): void {
    const faults = isAtStart ? [...START_FAULTS, { grandchild: this.#grandchild }] : RUNNING_FAULTS;
    this.faults = random.pick(faults) ?? {};
    if (isAtStart) this.hasStartedWell = false;
    this.hasAsked ||= 'askRootsAtStart' in this.faults;
    this.write();
  }

  /** Goes on when nobody needs it any more, and so does what it starts. */
  cling(): void {
    this.faults = { ignoreEof: true, grandchild: this.#grandchild };
    this.hasStartedWell = false;
    this.write();
  }

  heal(): void {
    this.faults = {};
    this.write();
  }

  /** `null` while the product does not have it. */
  get id(): ServerId | null {
    return this.#id;
  }

  set id(id: ServerId | null) {
    // What stands in the log is of the one before.
    this.#readLog();
    this.#id = id;
    this.#lastId = id ?? this.#lastId;
  }

  shown(tool: string, definition: JsonObject): Shown {
    const server = this.#lastId ?? ('' as ServerId);
    const id = capabilityId({ serverId: server, kind: 'tool', originKey: tool, route: this.route, definition });
    return { ref: capabilityRef(server, 'tool', tool), id };
  }

  /** Uses that came through since this was asked last. */
  arrivals(): Arrived[] {
    this.#readLog();
    const arrived = this.#arrived;
    this.#arrived = [];
    return arrived;
  }

  /** All that it listed since, if this is its id. */
  listedSince(server: string, since: number): Shown[] {
    this.#readLog();
    if (server !== this.#lastId) return [];
    const recent = [...this.#listed.values()].filter(({ at }) => at >= since);
    return recent.map(({ name, definition }) => this.shown(name, definition));
  }

  #readLog(): void {
    if (!existsSync(this.#log)) return;
    const lines = (this.#rest + this.#readOn()).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#arrived.push(...this.#take(JSON.parse(line) as LogLine)); // written by the fixture
  }

  #readOn(): string {
    const size = statSync(this.#log).size;
    const bytes = Buffer.alloc(size - this.#read);
    const handle = openSync(this.#log, 'r');
    const count = readSync(handle, bytes, 0, bytes.length, this.#read);
    closeSync(handle);
    this.#read += count;
    return bytes.toString('latin1', 0, count);
  }

  #take({ pid, at = 0, listed, start = 0, isLast = false, items = [], method, params }: LogLine): Arrived[] {
    const listing = this.#listings.get(pid) ?? { names: new Set(), said: new Map<string, Said[]>() };
    this.#listings.set(pid, listing);
    if (listed === 'tools') this.#takePage(listing, at, items, start === 0, isLast);
    if (method !== 'tools/call' || params?.name === undefined) return [];
    const tool = params.name;
    const showings = (listing.said.get(tool) ?? []).map(({ at: when, definition }) => {
      return { at: when, shown: definition && this.shown(tool, definition) };
    });
    const shown = showings
      .filter((_, index) => (showings[index + 1]?.at ?? at) >= at - ON_ITS_WAY_MS)
      .flatMap((showing) => showing.shown ?? []);
    return [{ server: this, at, tool, marker: params.arguments?.marker ?? '', shown, showings }];
  }

  /** Only a list that is read to its end says of a tool that it is not there: one that breaks off takes nothing back. */
  #takePage(
    { names, said }: Listing,
    at: number,
    items: NonNullable<LogLine['items']>,
    isFirst: boolean,
    isLast: boolean,
  ): void {
    const say = (tool: string, definition: JsonObject | null): void => {
      said.set(tool, [...(said.get(tool) ?? []), { at, definition }].slice(-MAX_SHOWINGS));
    };
    if (isFirst) names.clear();
    for (const item of items) {
      names.add(item.name);
      say(item.name, item);
      this.#listed.set(JSON.stringify(item), { at, name: item.name, definition: item });
    }
    if (isLast) for (const tool of said.keys()) if (!names.has(tool)) say(tool, null);
  }
}
