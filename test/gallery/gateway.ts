import { readPaste } from '../../electron/control/pasted/read.ts';
import type { CommandOutput } from '../../electron/control/commands.ts';
import { searchCatalogue } from '../../electron/getting/catalogue.ts';
import type { ServerView, Snapshot } from '../../electron/control/snapshot.ts';
import { errorWords } from '../../electron/core/error-sentences.ts';
import { HoldfastError, type ErrorCode, type ErrorDetails } from '../../electron/core/errors.ts';
import type { Answer } from '../../electron/ipc/contract.ts';
import { FakeApi, type Answers } from '../renderer/fake-api.ts';

type Tool = CommandOutput<'servers.tools'>['tools'][number];
type ToolSet = CommandOutput<'profiles.list'>['profiles'][number];
type HistoryEvent = Omit<CommandOutput<'history'>['events'][number], 'text'> & { readonly text: Both };
type Standing = Tool['apps'][number]['state'];

/** One text in both languages. */
export type Both = Readonly<Record<Snapshot['language'], string>>;

/** What the gateway that is played has, besides its snapshot. */
export interface World {
  readonly tools: readonly Tool[];
  readonly sets: readonly ToolSet[];
  readonly events: readonly HistoryEvent[];
}

export function toolOf(
  title: string,
  states: Readonly<Record<string, Standing>>,
  id: string | null = 'sha256:1',
): Tool {
  const originKey = title.toLowerCase().replaceAll(' ', '_');
  const apps = Object.entries(states).map(([app, state]) => ({ app, state }));
  return { ref: `srv-1/tool/${originKey}`, kind: 'tool', originKey, title, id, apps } as unknown as Tool; // plain strings stand for branded ids
}

export const ok = (value: unknown): Answer<unknown> => ({ ok: true, value });
/** An error in the words it really has, in the language that is shown. */
export function problem(code: ErrorCode, details: ErrorDetails = { server: 'Exa', system: 'EACCES' }) {
  const isChinese = navigator.language === 'zh-CN';
  return errorWords(new HoldfastError(code, { reason: '–', ...details }), isChinese ? 'zh-CN' : 'en');
}
export const refused = (code: ErrorCode, details?: ErrorDetails): Answer<unknown> => ({
  ok: false,
  error: problem(code, details),
});

const needing = (needs: readonly string[], extras: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries([...needs, ...extras].map((name) => [name, {}])),
  required: needs,
});
const READS = { readOnlyHint: true, openWorldHint: true };
const DELETES = { readOnlyHint: false, destructiveHint: true, openWorldHint: true };

/** Definitions that make the changes of the samples. */
const DEFINITIONS: Readonly<Record<string, { readonly before: object; readonly after: object }>> = {
  fetch_page: {
    before: {
      description: 'Reads a web page.',
      annotations: READS,
      inputSchema: needing(['webAddress'], ['maxAge', 'subpages']),
    },
    after: {
      description: 'Reads and tidies up web pages of an account.',
      annotations: DELETES,
      inputSchema: needing(['webAddress', 'accountId'], []),
    },
  },
  list_issues: {
    before: {
      description: 'Lists issues.',
      annotations: READS,
      inputSchema: needing(['project'], ['maxAge', 'label']),
    },
    after: { description: 'Lists issues.', annotations: READS, inputSchema: needing(['project'], ['label']) },
  },
  list_pulls: {
    before: {
      description: 'Lists pull requests.',
      annotations: READS,
      inputSchema: needing(['project'], ['maxAge', 'count', 'sortBy']),
    },
    after: {
      description: 'Lists pull requests of an account.',
      annotations: READS,
      inputSchema: needing(['project', 'accountId'], ['count', 'sortBy', 'timeZone']),
    },
  },
  clock: {
    before: { description: 'Tells the time.', annotations: READS, inputSchema: needing(['city'], []) },
    after: { description: 'Tells the time.', annotations: READS, inputSchema: needing(['city'], ['timeZone']) },
  },
};

/** Plays the main process: what is decided, switched, added and paused shows in the next snapshot. */
export class PlayedGateway extends FakeApi {
  #world: World;

  constructor(snapshot: Partial<Snapshot>, world: World, answers: Answers) {
    super(snapshot);
    this.#world = world;
    this.answers = { ...this.#own(), ...answers };
  }

  #own(): Answers {
    return {
      'review.show': ({ id }: { id: string }) => {
        const review = this.current.reviews.find((one) => one.id === id);
        return ok({ ...(DEFINITIONS[review?.originKey ?? ''] ?? DEFINITIONS['clock']), review });
      },
      'servers.tools': () => ok({ server: 'Exa', tools: this.#world.tools }),
      'servers.show': () => ok(SHOWN),
      'servers.read': ({ text }: { text: string }) => ok(readPaste(text)),
      'servers.add': ({ name }: { name: string }) => this.#add(name),
      'servers.check': () => ok({ problem: null }),
      'servers.remove': ({ name }: { name: string }) => this.#remove(name),
      'servers.set': () => ok({}),
      'apps.list': () => ok({ apps: [], found: [] }),
      'profiles.list': () => ok({ profiles: this.#world.sets }),
      'profiles.create': ({ name }: { name: string }) => this.#newSet(name),
      history: ({ limit }: { limit: number }) => ok({ events: this.#told().slice(0, limit) }),
      'getting.search': ({ word, online }: { word: string; online: boolean }) => ok(this.#found(word, online)),
      'getting.drop': () => ok({ dropped: true }),
      'apps.disconnect': ({ app }: { app: string }) => ok({ app }),
      about: () => ok({ version: '0.1.0', pid: 1, node: '24.4.0', electron: '45.5.0', path: null }),
      language: ({ language }: { language: Snapshot['language'] }) => this.#show({ language }),
      pause: () => this.#show({ tray: 'paused' }),
      resume: () => this.#show({ tray: 'ok' }),
      expose: ({ app, originKey }: { app: string; originKey: string }) => this.#turn(app, originKey, 'on'),
      hide: ({ app, originKey }: { app: string; originKey: string }) => this.#turn(app, originKey, 'unwanted'),
      'demo.ask': () => ok({ text: 'It is 22:05 in Tokyo.', isError: false }),
      'continuity.rebind': () => this.#show({ continuity: [] }),
      'continuity.merge': () => this.#show({ continuity: [] }),
      'continuity.split': () => this.#show({ continuity: [] }),
    };
  }

  #told() {
    return this.#world.events.map((event) => ({ ...event, text: event.text[this.current.language] }));
  }

  /** The list that really comes along, and one server as the public one has them. */
  #found(word: string, isOnline: boolean) {
    const own = searchCatalogue(word).map(({ id, title, about, version }) => ({
      ...{ name: id, title, version, about: about[this.current.language] },
      ...{ from: 'catalogue', isDeprecated: false },
    }));
    const far = { name: 'io.example/notes', title: 'Notes', about: 'Keeps notes in a folder.', version: '2.1.0' };
    return {
      found: [...own, ...(isOnline ? [{ ...far, from: 'registry', isDeprecated: true }] : [])],
      isCut: isOnline,
      asOf: isOnline ? '2026-08-30T08:00:00.000Z' : null,
    };
  }

  #show(given: object): Answer<unknown> {
    this.push(given);
    return ok({});
  }

  #add(name: string): Answer<unknown> {
    const id = `srv-${this.current.sequence + 100}` as ServerView['id'];
    const added: ServerView = {
      id,
      name,
      version: null,
      state: 'starting',
      problem: null,
      cause: null,
      tools: 0,
      policy: 'follow-safe',
      offersAlways: false,
    };
    this.push({ servers: [...this.current.servers, added] });
    return ok({ server: name, id, route: '', restored: false });
  }

  #remove(name: string): Answer<unknown> {
    this.push({ servers: this.current.servers.filter((one) => one.name !== name) });
    return ok({ server: name });
  }

  #newSet(name: string): Answer<unknown> {
    const set = { id: 'set-9', name, apps: [], servers: [] } as unknown as ToolSet; // a sample id
    this.#world = { ...this.#world, sets: [...this.#world.sets, set] };
    this.push({});
    return ok({ profile: name, id: set.id });
  }

  #turn(app: string, originKey: string, state: Standing): Answer<unknown> {
    const tools = this.#world.tools.map((tool) =>
      tool.originKey === originKey
        ? { ...tool, apps: tool.apps.map((one) => (one.app === app ? { ...one, state } : one)) }
        : tool,
    );
    this.#world = { ...this.#world, tools };
    this.push({});
    return ok({});
  }
}

const SHOWN = {
  server: 'Exa',
  id: 'srv-1',
  version: '3.2.1',
  route: 'npm:exa-mcp-server',
  command: 'npx',
  args: ['-y', 'exa-mcp-server'],
  envNames: ['EXA_API_KEY'],
  perApp: false,
  state: 'working',
  problem: null,
  lastWords: ['exa-mcp-server 3.2.1 is ready.'],
};
