import { BOUNDS } from '../core/bounds.ts';
import type { CapabilityId } from '../core/model.ts';
import { isObject } from './rpc.ts';

/** A published capability as it was when it gave a result. */
export interface Source {
  /** Its surface key. */
  readonly key: string;
  readonly id: CapabilityId;
}

/** Which capability returned a URI to one connected app; only that makes an unlisted URI readable. */
export class Provenance {
  readonly #returnedBy = new Map<string, Source>();

  returnedBy(uri: string): Source | undefined {
    return this.#returnedBy.get(uri);
  }

  /** `source`: what gave this result. */
  note(source: Source, result: unknown): void {
    for (const uri of returnedUris(result).slice(0, BOUNDS.returnedUrisPerAnswer.value)) {
      this.#returnedBy.delete(uri);
      this.#returnedBy.set(uri, source);
      const [oldest] = this.#returnedBy.keys();
      if (this.#returnedBy.size > BOUNDS.returnedUris.value && oldest !== undefined) this.#returnedBy.delete(oldest);
    }
  }
}

/** URIs in the places where results name resources: links, embedded resources, contents, and app views. */
export function returnedUris(result: unknown): string[] {
  if (!isObject(result)) return [];
  const contents = arrayOf(result['messages']).map((message) => (isObject(message) ? message['content'] : null));
  const blocks = [...arrayOf(result['content']), ...contents.flatMap((content) => orOne(content))];
  const view =
    isObject(result['_meta']) && isObject(result['_meta']['ui']) ? result['_meta']['ui']['resourceUri'] : null;
  const uris = [...blocks.map(blockUri), ...arrayOf(result['contents']).map(uriOf), view];
  // A longer one could not be asked for either.
  return uris.filter((uri): uri is string => typeof uri === 'string' && uri.length <= BOUNDS.keyLength.value);
}

function blockUri(block: unknown): unknown {
  if (!isObject(block)) return null;
  return block['type'] === 'resource_link'
    ? block['uri']
    : block['type'] === 'resource'
      ? uriOf(block['resource'])
      : null;
}

function uriOf(value: unknown): unknown {
  return isObject(value) ? value['uri'] : null;
}

function orOne(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? arrayOf(value) : [value];
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
