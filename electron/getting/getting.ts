import { randomBytes } from 'node:crypto';
import { ARCHIVE_BOUNDS, type ArchiveBounds } from './archive.ts';
import { Bundles, type OpenedBundle } from './bundles.ts';
import { CATALOGUE, searchCatalogue, type CatalogueEntry } from './catalogue.ts';
import { writeHostBundle } from './host-bundle.ts';
import type { Offer } from './offer.ts';
import { noWayWords, packageWay, remoteWay, type Named, type NoWay, type PackageWay } from './package-offer.ts';
import { refused } from './refused.ts';
import { Registry, type Listed } from './registry.ts';
import { packageShape, remoteShape, type RegistryServer } from './server-json.ts';

/** More than a person looks at at a time; the oldest goes first. */
const MAX_LAID_OUT = 20;

type Language = 'en' | 'zh-CN';
type InUse = (folder: string) => boolean;

/** A server that is laid out to be looked at and added. */
export interface LaidOut {
  readonly id: string;
  readonly from: 'file' | 'catalogue' | 'registry';
  /** The file's or entry's name. */
  readonly source: string;
  readonly offer: Offer;
  /** Where it was looked at, for what comes with Holdfast. */
  readonly reviewed: CatalogueEntry['reviewed'] | null;
  readonly bundle: OpenedBundle | null;
}

/** One row of a search. */
export interface Found {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly version: string;
  readonly from: 'catalogue' | 'registry';
  readonly isDeprecated: boolean;
}

export interface FoundServers {
  readonly found: readonly Found[];
  readonly isCut: boolean;
  /** When the rows of the registry were fetched, where it could not be reached now. */
  readonly asOf: string | null;
}

export interface GettingOptions {
  readonly dataDir: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly registry: string;
  readonly now: () => string;
  readonly fetch: typeof fetch;
  readonly bounds?: ArchiveBounds;
  /** The bridge's file, and the version of the program it belongs to. */
  readonly bridgeSource: string;
  readonly version: string;
}

/** Servers from files, from the list that comes with Holdfast, and from the registry: laid out, and nothing started. */
export class Getting {
  readonly #options: GettingOptions;
  readonly #bundles: Bundles;
  readonly #registry: Registry;
  readonly #laidOut = new Map<string, LaidOut>();

  constructor(options: GettingOptions) {
    this.#options = options;
    this.#bundles = new Bundles(options);
    this.#registry = new Registry({ ...options, base: options.registry });
  }

  /**
   * Checks and unpacks a bundle.
   * @throws HoldfastError OFFER_REFUSED, STORE_WRITE_FAILED
   */
  async open(file: string, isInUse: InUse): Promise<LaidOut> {
    const bundle = await this.#bundles.open(file, isInUse);
    const source = file.split(/[\\/]/).at(-1) ?? file;
    return this.#layOut({ from: 'file', source, offer: bundle.offer, reviewed: null, bundle }, isInUse);
  }

  /** What a word finds: in the list that comes with Holdfast and, where a person asked for that, in the registry. */
  async search(word: string, isOnline: boolean, language: Language): Promise<FoundServers> {
    const own = searchCatalogue(word).map((entry): Found => ({
      name: entry.id,
      title: entry.title,
      about: entry.about[language],
      version: entry.version,
      from: 'catalogue',
      isDeprecated: false,
    }));
    if (!isOnline) return { found: own, isCut: false, asOf: null };
    const { found, isCut, asOf } = await this.#registry.search(word);
    return { found: [...own, ...found.map(foundInRegistry)], isCut, asOf };
  }

  /**
   * Lays out a server by its name: one of ours, else one of the registry, which is asked for it.
   * @throws HoldfastError OFFER_REFUSED
   */
  async pick(name: string, language: Language, isInUse: InUse): Promise<LaidOut> {
    const own = CATALOGUE.find(({ id }) => id === name);
    if (own !== undefined) return this.#fromCatalogue(own, language, isInUse);
    if (!name.includes('/')) throw refused('not-listed', { name });
    return this.#fromRegistry(await this.#registry.entry(name), language, isInUse);
  }

  /** @throws HoldfastError OFFER_REFUSED gone */
  laidOut(id: string): LaidOut {
    const found = this.#laidOut.get(id);
    if (found === undefined) throw refused('gone');
    return found;
  }

  /** It was added: what was unpacked for it stays. */
  async taken(id: string): Promise<void> {
    const { bundle } = this.laidOut(id);
    this.#laidOut.delete(id);
    if (bundle !== null) await this.#bundles.keep(bundle, this.#options.now());
  }

  /** It was not added: what was unpacked for it goes. */
  async drop(id: string, isInUse: InUse): Promise<void> {
    const { bundle } = this.laidOut(id);
    this.#laidOut.delete(id);
    const isElsewhere = [...this.#laidOut.values()].some((other) => other.bundle?.folder === bundle?.folder);
    if (bundle !== null && !isElsewhere) await this.#bundles.discard(bundle.folder, isInUse);
  }

  /** What was laid out and never added goes. */
  async dropAll(isInUse: InUse): Promise<void> {
    for (const id of [...this.#laidOut.keys()]) await this.drop(id, isInUse);
  }

  /** True where one of these texts of a launch names a version of this bundle. */
  isVersionOf(bundle: OpenedBundle, launchTexts: readonly string[]): boolean {
    return this.#bundles.isVersionOf(bundle, launchTexts);
  }

  /**
   * Writes a bundle of our own bridge for a host app that takes such files.
   * @throws HoldfastError FILE_EXISTS, FILE_NOT_WRITTEN
   */
  writeHostBundle(file: string, app: string): Promise<void> {
    return writeHostBundle(file, { ...this.#options, app });
  }

  /** Takes away what an earlier run left behind half done. */
  sweep(isInUse: InUse): Promise<void> {
    return this.#bundles.sweep(isInUse);
  }

  async #layOut(one: Omit<LaidOut, 'id'>, isInUse: InUse): Promise<LaidOut> {
    const laid = { ...one, id: `offer-${randomBytes(8).toString('hex')}` };
    const [oldest] = this.#laidOut.keys();
    if (this.#laidOut.size >= MAX_LAID_OUT && oldest !== undefined) await this.drop(oldest, isInUse);
    this.#laidOut.set(laid.id, laid);
    return laid;
  }

  #fromCatalogue(entry: CatalogueEntry, language: Language, isInUse: InUse): Promise<LaidOut> {
    const named = { name: entry.title, about: entry.about[language], version: entry.version };
    const ways = [
      ...(entry.package === undefined ? [] : [packageWay(entry.package, named)]),
      ...(entry.remote === undefined ? [] : [remoteWay(entry.remote, named)]),
    ];
    const from = { from: 'catalogue', source: entry.id, reviewed: entry.reviewed } as const;
    return this.#take(ways, named, from, language, isInUse);
  }

  #fromRegistry({ server }: Listed, language: Language, isInUse: InUse): Promise<LaidOut> {
    const named = { name: titleOf(server), about: server.description, version: server.version };
    const from = { from: 'registry', source: server.name, reviewed: null } as const;
    return this.#take(waysOf(server, named), named, from, language, isInUse);
  }

  /** The first way that works. */
  async #take(
    ways: readonly PackageWay[],
    { name }: Named,
    from: Pick<LaidOut, 'from' | 'source' | 'reviewed'>,
    language: Language,
    isInUse: InUse,
  ): Promise<LaidOut> {
    const way = ways.find((one) => one.way !== 'none');
    if (way?.way === 'command') return this.#layOut({ ...from, offer: way.offer, bundle: null }, isInUse);
    if (way?.way === 'bundle') {
      const { packedBytes } = this.#options.bounds ?? ARCHIVE_BOUNDS;
      const bytes = await this.#registry.download(way.url, way.sha256, packedBytes);
      const bundle = await this.#bundles.openBytes(bytes, new URL(way.url).host, isInUse);
      return this.#layOut({ ...from, offer: bundle.offer, bundle }, isInUse);
    }
    const whys = ways.flatMap((one): NoWay[] => (one.way === 'none' ? [one.why] : []));
    throw refused('no-way', { name, reason: noWayWords(whys[0] ?? 'kind', language) });
  }
}

/** What runs without anything else to be installed first. */
const PREFERRED = ['npm', 'pypi', 'mcpb', 'oci', 'nuget'];

/** A package that does not fit the form is no way; which of the others is taken does not depend on their order. */
function waysOf(server: RegistryServer, named: Named): PackageWay[] {
  const packages = server.packages.flatMap((item) => packageShape.safeParse(item).data ?? []);
  const rank = ({ registryType }: { readonly registryType: string }): number =>
    (PREFERRED.indexOf(registryType) + PREFERRED.length + 1) % (PREFERRED.length + 1);
  const sorted = packages.sort((one, other) => rank(one) - rank(other));
  const remotes = server.remotes.flatMap((item) => remoteShape.safeParse(item).data ?? []);
  return [...sorted.map((pack) => packageWay(pack, named)), ...remotes.map((remote) => remoteWay(remote, named))];
}

function titleOf({ title, name }: RegistryServer): string {
  return title ?? name.split('/').at(-1) ?? name;
}

function foundInRegistry({ server, isDeprecated }: Listed): Found {
  const { name, description, version } = server;
  return { name, title: titleOf(server), about: description, version, from: 'registry', isDeprecated };
}
