import { z } from 'zod';
import type { Effect } from '../core/model.ts';
import {
  at,
  capabilityId,
  capabilityKey,
  capabilityRef,
  consumerId,
  context,
  count,
  evidence,
  exactly,
  incidentId,
  kind,
  language,
  launch,
  list,
  listedKind,
  manifestId,
  pauseReason,
  preset,
  profileId,
  route,
  serverId,
  tell,
  text,
  verdict,
} from './schema.ts';
import type { StoredEvent, StoredItem, StoredOutcome } from './stored-event.ts';

const item = exactly<StoredItem>()(
  z.union([z.strictObject({ originKey: text, id: capabilityId }), z.strictObject({ originKey: text, invalid: text })]),
);
const outcome = exactly<StoredOutcome>()(
  z.discriminatedUnion('status', [
    z.strictObject({ status: z.literal('complete'), items: list(item) }),
    z.strictObject({ status: z.literal('complete-empty') }),
    z.strictObject({ status: z.literal('unsupported') }),
    z.strictObject({ status: z.literal('incomplete'), reason: text, count }),
    z.strictObject({ status: z.literal('failed'), reason: text }),
  ]),
);
const observation = z.strictObject({
  server: serverId,
  consumer: consumerId.nullable(),
  connection: text,
  route,
  context,
  version: text.nullable(),
  kinds: z.partialRecord(kind, outcome),
});

const shown = list(z.strictObject({ ref: capabilityRef, id: capabilityId, leftOut: z.literal(true).exactOptional() }));
const target = z.union([z.literal('all'), capabilityKey]);
const exposure = { server: serverId, target };

/** What the journal keeps of an event. */
export const storedEventSchema = exactly<StoredEvent>()(
  z.discriminatedUnion('type', [
    z.strictObject({
      at,
      type: z.literal('server-added'),
      server: z.strictObject({ id: serverId, name: text, launch }),
    }),
    z.strictObject({ at, type: z.literal('server-changed'), server: serverId, launch }),
    z.strictObject({ at, type: z.literal('server-removed'), server: serverId }),
    z.strictObject({ at, type: z.literal('server-restored'), server: serverId, name: text, launch }),
    z.strictObject({ at, type: z.literal('server-asks'), server: serverId }),
    z.strictObject({ at, type: z.literal('policy-set'), server: serverId, policy: preset }),
    z.strictObject({ at, type: z.literal('policy-applied'), server: serverId }),
    z.strictObject({ at, type: z.literal('consumer-added'), consumer: consumerId, name: text }),
    z.strictObject({ at, type: z.literal('exposed'), consumer: consumerId, ...exposure, shown }),
    z.strictObject({ at, type: z.literal('hidden'), consumer: consumerId, ...exposure }),
    z.strictObject({ at, type: z.literal('profile-created'), profile: profileId, name: text }),
    z.strictObject({ at, type: z.literal('profile-added'), profile: profileId, ...exposure, shown }),
    z.strictObject({ at, type: z.literal('profile-removed'), profile: profileId, ...exposure }),
    z.strictObject({ at, type: z.literal('profile-assigned'), profile: profileId, consumer: consumerId, shown }),
    z.strictObject({ at, type: z.literal('profile-unassigned'), profile: profileId, consumer: consumerId }),
    z.strictObject({
      at,
      type: z.literal('decided'),
      consumer: consumerId,
      ref: capabilityRef,
      id: capabilityId,
      verdict,
    }),
    z.strictObject({
      at,
      type: z.literal('undone'),
      consumer: consumerId,
      ref: capabilityRef,
      id: capabilityId,
      sequence: count,
    }),
    z.strictObject({
      at,
      type: z.literal('rebound'),
      consumer: consumerId,
      from: list(capabilityRef),
      to: shown,
      evidence,
    }),
    z.strictObject({
      at,
      type: z.literal('told-apart'),
      consumer: consumerId,
      ref: capabilityRef,
      others: list(capabilityRef),
    }),
    z.strictObject({ at, type: z.literal('observed'), observation }),
    z.strictObject({ at, type: z.literal('listed'), consumer: consumerId, kind: listedKind, manifestId }),
    z.strictObject({ at, type: z.literal('notified'), incidents: list(incidentId) }),
    z.strictObject({ at, type: z.literal('paused'), until: at.nullable(), reason: pauseReason }),
    z.strictObject({ at, type: z.literal('resumed') }),
    z.strictObject({ at, type: z.literal('language'), language }),
    z.strictObject({ at, type: z.literal('tell-set'), tell }),
  ]),
);

/** What a commit owes the outside. */
export const effectSchema = exactly<Effect>()(
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('list-changed'), consumer: consumerId, kinds: list(kind) }),
    z.strictObject({ type: z.literal('notice'), incident: incidentId }),
    z.strictObject({ type: z.literal('confirm'), server: serverId, consumer: consumerId.nullable() }),
    z.strictObject({ type: z.literal('stop'), server: serverId }),
  ]),
);
