import { assertIJson, canonicalText, sha256 } from './canonical.ts';
import type {
  CapabilityId,
  CapabilityRef,
  ConsumerId,
  JsonObject,
  Kind,
  ManifestId,
  ReviewId,
  ServerId,
  StoredDefinition,
  SurfaceManifest,
} from './model.ts';
import { normalForm } from './normal-form.ts';

/** Version of the effective record and of the rules of the normal form (README, "Identity"). */
const RECORD_FORMAT = 1;

/** The lasting logical relation. Server ids hold no `/`, so the text is unambiguous. */
export function capabilityRef(server: ServerId, kind: Kind, originKey: string): CapabilityRef {
  return `${server}/${kind}/${originKey}` as CapabilityRef; // the one place that makes the brand
}

/** Parts of a ref. The origin key may hold `/` itself. */
export function parseRef(ref: CapabilityRef): { server: ServerId; kind: Kind; originKey: string } {
  const first = ref.indexOf('/');
  const second = ref.indexOf('/', first + 1);
  return {
    server: ref.slice(0, first) as ServerId, // made by capabilityRef from exactly these types
    kind: ref.slice(first + 1, second) as Kind,
    originKey: ref.slice(second + 1),
  };
}

/** What is hashed: the whole definition in normal form, with what else makes it effective. */
export function effectiveRecord(stored: StoredDefinition): JsonObject {
  return {
    format: RECORD_FORMAT,
    ref: { serverId: stored.serverId, kind: stored.kind, originKey: stored.originKey },
    route: stored.route,
    definition: normalForm(stored.kind, stored.definition),
    projection: {},
  };
}

/**
 * SHA-256 of the RFC 8785 form of the effective record (README, "Identity").
 * @throws NotCanonical when the definition is not I-JSON or beyond the bounds.
 */
export function capabilityId(stored: StoredDefinition): CapabilityId {
  assertIJson(stored.definition);
  assertIJson([stored.originKey, stored.route]);
  return sha256(canonicalText(effectiveRecord(stored))) as CapabilityId; // the one place that makes the brand
}

/** Content hash of a manifest. */
export function manifestId(manifest: SurfaceManifest): ManifestId {
  return sha256(canonicalText(manifest)) as ManifestId; // the one place that makes the brand
}

/** The same (consumer, ref, target) is the same review item for ever. */
export function reviewId(consumer: ConsumerId, ref: CapabilityRef, target: CapabilityId): ReviewId {
  const digest = sha256(canonicalText([consumer, ref, target])).slice('sha256:'.length);
  return `rev-${digest.slice(0, 16)}` as ReviewId; // the one place that makes the brand
}
