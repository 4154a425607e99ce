import { HoldfastError } from '../core/errors.ts';
import { isRecord } from './json.ts';

/** Version of the stored document. A change of its shape adds one, and a step to {@link MIGRATIONS}. */
export const SCHEMA_VERSION = 1;

type Document = Readonly<Record<string, unknown>>;

/** Entry `n` turns version `n` into `n + 1`. There has been one version so far. */
const MIGRATIONS: Readonly<Record<number, (document: Document) => Document>> = {};

/**
 * Brings a stored document to the present version; `undefined` for what is no such document.
 * @throws HoldfastError STORE_NEWER when a later version of the program wrote it. The file must stay as it is.
 */
export function migrate(document: unknown, file: string): Document | undefined {
  if (!isRecord(document)) return undefined;
  let current: Document = document;
  let version = versionOf(current);
  if (version === undefined) return undefined;
  if (version > SCHEMA_VERSION) throw new HoldfastError('STORE_NEWER', { file, found: version, known: SCHEMA_VERSION });
  for (; version < SCHEMA_VERSION; version += 1) {
    const step = MIGRATIONS[version];
    if (step === undefined) return undefined;
    current = { ...step(current), holdfast: version + 1 };
  }
  return current;
}

function versionOf(document: Document): number | undefined {
  const version = Object.hasOwn(document, 'holdfast') ? document['holdfast'] : undefined;
  return typeof version === 'number' && Number.isSafeInteger(version) && version > 0 ? version : undefined;
}
