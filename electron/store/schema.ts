import { z } from 'zod';
import { EVIDENCE } from '../core/continuity.ts';
import {
  KINDS,
  LISTED_KINDS,
  PRESETS,
  TELLS,
  type CapabilityId,
  type CapabilityRef,
  type ConsumerId,
  type IncidentId,
  type ManifestId,
  type ProfileId,
  type Route,
  type ScopeKey,
  type ServerId,
  type State,
} from '../core/model.ts';

/** Longest text in the state; the file as a whole is bounded too. */
const MAX_TEXT = 1_000_000;
const MAX_ID = 200;

/** A brand exists at compile time only, so a checked text is as good as a branded one. */
function branded<T extends string>(schema: z.ZodType<string>): z.ZodType<T, string> {
  return schema as unknown as z.ZodType<T, string>; // the one place where texts from disk become ids
}

/** Compiles only where the schema yields exactly `T`: neither more nor less. */
export function exactly<T>() {
  return <S extends z.ZodType<T>>(schema: S & (T extends z.output<S> ? unknown : never)): z.ZodType<T> => schema;
}

/** Ids are keys: a name that every object has, such as `constructor`, would be found where there is none. */
const isOwnName = (text: string): boolean => !(text in Object.prototype);
/** A control character, half of one, or one that separates the parts of a ref or scope. */
const UNFIT_FOR_ID = /[/|\p{Cc}\p{Cs}]/u;
const idText = z
  .string()
  .min(1)
  .max(MAX_ID)
  .refine((id) => isOwnName(id) && !UNFIT_FOR_ID.test(id), 'not fit for an id');
const hash = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const keyText = z.string().min(1).max(MAX_TEXT).refine(isOwnName, 'a name that every object has');
const kindPrefix = `(?:${KINDS.join('|')})/`;

export const text = z.string().max(MAX_TEXT);
export const at = z.string().min(10).max(40);
export const count = z.int().min(0);
export const kind = z.enum(KINDS);
export const listedKind = z.enum(LISTED_KINDS);
export const serverId = branded<ServerId>(idText);
export const consumerId = branded<ConsumerId>(idText);
export const profileId = branded<ProfileId>(idText);
export const incidentId = branded<IncidentId>(idText);
export const route = branded<Route>(text);
export const capabilityId = branded<CapabilityId>(hash);
export const manifestId = branded<ManifestId>(hash);
export const capabilityRef = branded<CapabilityRef>(
  z
    .string()
    .max(MAX_TEXT)
    .regex(new RegExp(`^[^/|\\p{Cc}]{1,${MAX_ID}}/${kindPrefix}`, 'u')),
);
const scopeKey = branded<ScopeKey>(keyText.refine((key) => key.split('|').every((id) => idText.safeParse(id).success)));
const nameKey = z
  .string()
  .max(MAX_TEXT)
  .regex(new RegExp(`^${kindPrefix}`));

/** Zod leaves an own `__proto__` out of a record without a word; nothing may get lost like that. */
export function record<K extends string, V>(key: z.ZodType<K, string>, value: z.ZodType<V>) {
  const whole = z.custom<Record<string, unknown>>(
    (input) => typeof input === 'object' && input !== null && !Object.hasOwn(input, '__proto__'),
    'not a record, or one with a prototype key',
  );
  return whole.pipe(z.record(key, value)) as unknown as z.ZodType<Record<K, V>>; // pipe types its input too closely
}
const perConsumer = <V>(value: z.ZodType<V>): z.ZodType<Record<ConsumerId, V>> => record(consumerId, value);
export const list = <V>(value: z.ZodType<V>) => z.array(value).readonly();

export const preset = z.enum(PRESETS);
export const capabilityKey = z.strictObject({ kind, originKey: text });
export const launch = z.strictObject({
  type: z.literal('stdio'),
  command: text,
  args: list(text),
  envNames: list(text),
  cwd: text.optional(),
});
const server = z.strictObject({
  id: serverId,
  name: text,
  prefix: text,
  launch,
  route,
  formerRoutes: list(z.strictObject({ route, pendingKinds: list(kind) })),
  addedAt: at,
  archivedAt: at.nullable(),
  asks: z.boolean(),
  known: list(kind),
  version: text.nullable(),
  policy: preset,
});

const selection = z.strictObject({ all: z.boolean(), chosen: list(capabilityKey), excluded: list(capabilityKey) });
const selections = record(serverId, selection);
const profile = z.strictObject({ id: profileId, name: text, selections, consumers: list(consumerId) });

export const context = z.strictObject({ era: text, capabilities: text, launch: text, signedIn: z.boolean() });
const catalogEntry = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('present'), id: capabilityId, context }),
  z.strictObject({
    state: z.literal('absent'),
    lastId: capabilityId,
    reason: z.enum(['missing', 'hidden']),
    why: z.enum(['capabilities', 'launch', 'signed-in', 'era']).nullable(),
    context,
  }),
  z.strictObject({ state: z.literal('invalid'), lastId: capabilityId.nullable(), reason: text, context }),
]);

/** Half a character is in no id: with one, a ref can only be that of an invalid entry. */
function areIdentified(catalog: Readonly<Record<CapabilityRef, z.output<typeof catalogEntry>>>): boolean {
  return Object.entries(catalog).every(([ref, { state }]) => state === 'invalid' || !/\p{Cs}/u.test(ref));
}

export const verdict = z.enum(['approved', 'rejected']);
const decision = z.strictObject({
  sequence: count,
  id: capabilityId,
  verdict,
  by: z.enum(['person', 'first-seen', 'policy']),
  at,
  basis: z.enum(['review', 'chosen', 'baseline', 'route', 'policy']),
  basedOn: list(count).exactOptional(),
});

export const evidence = z.enum(EVIDENCE);
const rebind = z.strictObject({
  sequence: count,
  at,
  from: list(capabilityRef),
  to: list(capabilityRef),
  evidence,
  retired: record(capabilityRef, list(decision)),
  before: selection,
  after: selection,
});

const incidentReview = z.strictObject({
  consumer: consumerId,
  ref: capabilityRef,
  fromId: capabilityId.nullable(),
  targetId: capabilityId,
  quiet: z.boolean(),
});
const incidentLoss = z.strictObject({ consumer: consumerId, ref: capabilityRef });
const incident = z.strictObject({
  id: incidentId,
  server: serverId,
  at,
  fromVersion: text.nullable(),
  toVersion: text.nullable(),
  reviews: list(incidentReview),
  followed: list(incidentReview),
  missing: list(incidentLoss),
  unusable: list(incidentLoss),
  change: text,
  loud: z.boolean(),
  notified: z.boolean(),
});

export const language = z.enum(['en', 'zh-CN']);
export const pauseReason = z.enum(['person', 'recovered']);
export const tell = z.enum(TELLS);
const settings = z.strictObject({
  language,
  tell,
  paused: z.strictObject({ until: at.nullable(), reason: pauseReason }).nullable(),
});

/** The shape of the state on disk; what passes is exactly a `State`. */
export const stateSchema = exactly<State>()(
  z.strictObject({
    format: z.literal(1),
    sequence: count,
    servers: record(serverId, server),
    consumers: perConsumer(z.strictObject({ id: consumerId, name: text, addedAt: at })),
    profiles: record(profileId, profile),
    exposures: perConsumer(selections),
    catalogs: record(scopeKey, record(capabilityRef, catalogEntry).refine(areIdentified, 'an id for what has none')),
    decisions: perConsumer(record(capabilityRef, list(decision))),
    names: perConsumer(record(nameKey, capabilityRef)),
    incidents: list(incident),
    confirmations: record(
      keyText,
      z.strictObject({ status: z.enum(['complete-empty', 'unsupported']), connection: text }),
    ),
    lastListed: perConsumer(z.partialRecord(listedKind, z.strictObject({ manifestId, at: at.nullable() }))),
    seen: perConsumer(record(capabilityRef, list(capabilityId))),
    quiet: perConsumer(record(capabilityRef, list(capabilityId))),
    stops: perConsumer(record(capabilityRef, count)),
    moves: record(scopeKey, record(capabilityRef, list(at))),
    baselines: perConsumer(record(serverId, list(kind))),
    rebinds: perConsumer(list(rebind)),
    apart: perConsumer(record(capabilityRef, list(capabilityRef))),
    publications: perConsumer(z.strictObject({ manifestId, epoch: count, at })),
    settings,
  }),
);
