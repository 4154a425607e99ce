import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { digestOf } from './unpack.ts';
import { refused } from './refused.ts';
import { serverShape, type RegistryServer } from './server-json.ts';
import { HoldfastError } from '../core/errors.ts';

/** The registry that the MCP project runs. */
export const PUBLIC_REGISTRY = 'https://registry.modelcontextprotocol.io';

const PAGE_BYTES = 4 * 1024 * 1024;
const PAGES = 4;
const PER_PAGE = 50;
const PAGE_MS = 10_000;
const FETCH_MS = 120_000;
const REDIRECTS = 5;
const CACHED = 500;
const CACHE_BYTES = 8 * 1024 * 1024;

export interface RegistryOptions {
  readonly dataDir: string;
  /** Where it is asked; tests have one of their own. */
  readonly base: string;
  readonly now: () => string;
  readonly fetch: typeof fetch;
}

const OFFICIAL = 'io.modelcontextprotocol.registry/official';
const statusShape = z.looseObject({ status: z.string().max(40).optional(), isLatest: z.boolean().optional() });
const itemShape = z.object({
  server: serverShape,
  _meta: z.looseObject({ [OFFICIAL]: statusShape.optional() }).optional(),
});
const pageShape = z.object({
  servers: z.array(z.unknown()).max(500),
  metadata: z.object({ nextCursor: z.string().max(2_000).nullish() }).nullish(),
});
const cacheShape = z.object({
  servers: z.array(z.object({ at: z.string().max(40), server: serverShape, isDeprecated: z.boolean() })).max(CACHED),
});
type Cached = z.output<typeof cacheShape>['servers'][number];

export interface Listed {
  readonly server: RegistryServer;
  /** Its publisher says not to use it any more. */
  readonly isDeprecated: boolean;
}

export interface Search {
  readonly found: readonly Listed[];
  /** There was more than was read. */
  readonly isCut: boolean;
  /** When what is shown was fetched, where the registry could not be reached now. */
  readonly asOf: string | null;
}

/**
 * The MCP registry's API, version 0.1: asked only when a person looks there. What was found is kept, and serves where the
 * registry cannot be reached.
 */
export class Registry {
  readonly #options: RegistryOptions;
  readonly #cacheFile: string;

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.#cacheFile = path.join(options.dataDir, 'catalogue', 'registry.json');
  }

  /**
   * Servers that the registry finds by this word, else those found before.
   * @throws HoldfastError OFFER_REFUSED offline, where nothing is kept that fits
   */
  async search(word: string): Promise<Search> {
    try {
      const { found, isCut } = await this.#pages(word);
      this.#keep(found);
      return { found, isCut, asOf: null };
    } catch (error) {
      const kept = this.#cache().filter(({ server }) => isAbout(server, word));
      if (kept.length === 0) throw error;
      const asOf = kept.map(({ at }) => at).reduce((one, other) => (one < other ? one : other));
      return { found: kept, isCut: false, asOf };
    }
  }

  /**
   * The latest version of the server with exactly this name.
   * @throws HoldfastError OFFER_REFUSED not-listed, offline
   */
  async entry(name: string): Promise<Listed> {
    try {
      const address = `${this.#options.base}/v0.1/servers/${encodeURIComponent(name)}/versions/latest`;
      const { status, body } = await this.#get(address);
      if (status === 404) throw refused('not-listed', { name });
      const listed = listedOf(json(body));
      if (status !== 200 || listed?.server.name !== name) throw unreadable();
      this.#keep([listed]);
      return listed;
    } catch (error) {
      const isMissing = error instanceof HoldfastError && error.details['refusal'] === 'not-listed';
      const kept = isMissing ? undefined : this.#cache().find(({ server }) => server.name === name);
      if (kept === undefined) throw error;
      return kept;
    }
  }

  /**
   * A published file, whose fingerprint is checked before anybody sees it.
   * @throws HoldfastError OFFER_REFUSED digest, too-big, offline
   */
  async download(address: string, sha256: string, maxBytes: number): Promise<Buffer> {
    const { status, body } = await this.#get(address, { maxBytes, timeoutMs: FETCH_MS });
    const { host } = new URL(address);
    if (status !== 200) throw refused('offline', { reason: `${host}: ${status}` });
    if (digestOf(body) !== `sha256:${sha256}`) throw refused('digest', { host });
    return body;
  }

  async #pages(word: string): Promise<Pick<Search, 'found' | 'isCut'>> {
    const found = new Map<string, Listed>();
    const seen = new Set<string>();
    let cursor: string | undefined;
    for (let page = 0; page < PAGES; page += 1) {
      const query = new URLSearchParams({ search: word, version: 'latest', limit: String(PER_PAGE) });
      if (cursor !== undefined) query.set('cursor', cursor);
      const { status, body } = await this.#get(`${this.#options.base}/v0.1/servers?${query.toString()}`);
      const answer = status === 200 ? pageShape.safeParse(json(body)).data : undefined;
      if (answer === undefined) throw unreadable();
      for (const listed of answer.servers.map(listedOf)) if (listed) found.set(listed.server.name, listed);
      cursor = answer.metadata?.nextCursor ?? undefined;
      // A cursor that comes back leads nowhere new.
      if (cursor === undefined || cursor === '' || seen.has(cursor))
        return { found: [...found.values()], isCut: false };
      seen.add(cursor);
    }
    return { found: [...found.values()], isCut: true };
  }

  async #get(
    address: string,
    { maxBytes = PAGE_BYTES, timeoutMs = PAGE_MS }: { readonly maxBytes?: number; readonly timeoutMs?: number } = {},
  ): Promise<{ readonly status: number; readonly body: Buffer }> {
    const signal = AbortSignal.timeout(timeoutMs);
    let next = address;
    try {
      for (let hop = 0; hop <= REDIRECTS; hop += 1) {
        if (!this.#isAllowed(next)) throw refused('offline', { reason: 'it leads to an unsafe address' });
        const headers = { accept: 'application/json, application/octet-stream' };
        const response = await this.#options.fetch(next, { signal, redirect: 'manual', headers });
        const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
        if (location === null) return { status: response.status, body: await bodyOf(response, maxBytes) };
        await response.body?.cancel();
        next = new URL(location, next).href;
      }
      throw refused('offline', { reason: 'it leads round in circles' });
    } catch (cause) {
      if (cause instanceof HoldfastError) throw cause;
      const reason = signal.aborted ? 'it did not answer in time' : 'no connection';
      throw refused('offline', { reason }, cause);
    }
  }

  /** Encrypted, or the registry of a test, which is on this computer. */
  #isAllowed(address: string): boolean {
    const url = new URL(address);
    if (url.username !== '' || url.password !== '') return false;
    return url.protocol === 'https:' || url.origin === new URL(this.#options.base).origin;
  }

  #cache(): readonly Cached[] {
    try {
      if (fs.statSync(this.#cacheFile).size > CACHE_BYTES) return [];
      return cacheShape.parse(JSON.parse(fs.readFileSync(this.#cacheFile, 'utf8'))).servers;
    } catch {
      return []; // none yet, or damaged: it is only a memory
    }
  }

  /** The newest are kept; that it could not be written is no reason to show nothing. */
  #keep(found: readonly Listed[]): void {
    const at = this.#options.now();
    const names = new Set(found.map(({ server }) => server.name));
    const fresh = found.map(({ server, isDeprecated }): Cached => ({ at, server, isDeprecated }));
    const servers = [...fresh, ...this.#cache().filter(({ server }) => !names.has(server.name))].slice(0, CACHED);
    const temporary = `${this.#cacheFile}.${process.pid}.tmp`;
    try {
      fs.mkdirSync(path.dirname(this.#cacheFile), { recursive: true, mode: 0o700 });
      fs.writeFileSync(temporary, JSON.stringify({ servers }), { mode: 0o600 });
      fs.renameSync(temporary, this.#cacheFile);
    } catch {
      fs.rmSync(temporary, { force: true });
    }
  }
}

function unreadable(): HoldfastError {
  return refused('offline', { reason: 'its answer could not be read' });
}

function json(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown; // checked by the caller's schema
  } catch {
    return undefined;
  }
}

/** One entry that does not fit, or that was taken out, is passed over. */
function listedOf(item: unknown): Listed | undefined {
  const entry = itemShape.safeParse(item).data;
  const status = entry?._meta?.[OFFICIAL]?.status ?? 'active';
  if (entry === undefined || status === 'deleted') return undefined;
  return { server: entry.server, isDeprecated: status !== 'active' };
}

/** True where the word is in what the server is called or says of itself. */
function isAbout(server: Pick<RegistryServer, 'name' | 'title' | 'description'>, word: string): boolean {
  const { name, title = '', description } = server;
  const text = `${name}\n${title}\n${description}`.toLowerCase();
  return word
    .toLowerCase()
    .split(/\s+/)
    .every((part) => text.includes(part));
}

async function bodyOf(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // The body of a response is a web stream, which Node iterates over.
  const body = response.body as unknown as AsyncIterable<Uint8Array> | null;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxBytes) {
      const { host } = new URL(response.url);
      throw refused('too-big', { file: host, limit: `${Math.round(maxBytes / 1024 / 1024)} MB` });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
