import { z } from 'zod';
import { parseRef } from '../../core/identity.ts';
import { refsInIntent } from '../../core/intent.ts';
import type { CapabilityId, CapabilityRef, ConsumerId, Kind, ServerId, WithheldReason } from '../../core/model.ts';
import { entriesOf } from '../../core/state.ts';
import { deriveSurface } from '../../core/surface.ts';
import { shownBy, view } from '../../core/view.ts';
import { command } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { nameInput } from '../inputs.ts';
import { MAX_PASTE, readPaste } from '../pasted/read.ts';
import { serverNamed } from '../resolve.ts';
import { titleOf } from '../review-view.ts';

/** How one capability stands in one app: in force, wanted and off for a reason, or not wanted. */
export interface ToolStanding {
  readonly app: ConsumerId;
  readonly state: 'on' | 'unwanted' | WithheldReason;
}

/** One thing that a server offers, or offered while somebody still wants it. */
export interface ToolView {
  readonly ref: CapabilityRef;
  readonly kind: Kind;
  readonly originKey: string;
  readonly title: string;
  /** The id in view, to be named when it is turned on; `null` where the server does not show it. */
  readonly id: CapabilityId | null;
  readonly apps: readonly ToolStanding[];
}

export const SERVER_TOOL_COMMANDS = {
  /** What a server offers, and where each of it is on. */
  'servers.tools': command(z.strictObject({ name: nameInput }), (context, { name }) => listTools(context, name), {
    inWindow: true,
  }),
  /** What a pasted text would add; starts nothing. */
  'servers.read': command(z.strictObject({ text: z.string().max(2 * MAX_PASTE) }), (_, { text }) => readPaste(text), {
    inWindow: true,
  }),
} as const;

function listTools(context: CommandContext, name: string): { readonly server: string; readonly tools: ToolView[] } {
  const { id, name: server } = serverNamed(context.state, name);
  const consumers = entriesOf(context.state.consumers).map(([consumer]) => consumer);
  const standings = new Map(consumers.map((consumer) => [consumer, standingsFor(context, id, consumer)]));
  const shown = [null, ...consumers].flatMap((consumer) => shownBy(context.state, id, consumer));
  const idOf = new Map(shown.map((each) => [each.ref, each.id]));
  const refs = new Set([...idOf.keys(), ...[...standings.values()].flatMap((of) => [...of.keys()])]);
  const tools = [...refs].map((ref): ToolView => {
    const { kind, originKey } = parseRef(ref);
    const apps = consumers.map((app) => ({ app, state: standings.get(app)?.get(ref) ?? ('unwanted' as const) }));
    const inView = idOf.get(ref) ?? null;
    return { ref, kind, originKey, title: titleOf(context, ref, inView ?? lastSeen(context, ref)), id: inView, apps };
  });
  return { server, tools: tools.sort((a, b) => a.title.localeCompare(b.title)) };
}

function standingsFor(
  { state }: CommandContext,
  server: ServerId,
  consumer: ConsumerId,
): Map<CapabilityRef, ToolStanding['state']> {
  const { manifest, withheld } = deriveSurface(state, consumer);
  const wanted = refsInIntent(state, consumer).filter((ref) => parseRef(ref).server === server);
  const off = new Map(withheld.map(({ ref, reason }) => [ref, reason]));
  const on = new Set(manifest.entries.map(({ ref }) => ref));
  return new Map(wanted.map((ref) => [ref, on.has(ref) ? 'on' : (off.get(ref) ?? 'unwanted')]));
}

function lastSeen({ state }: CommandContext, ref: CapabilityRef): CapabilityId | null {
  const consumers = entriesOf(state.consumers).map(([consumer]) => view(state, consumer, ref));
  return consumers.flatMap((entry) => (entry !== undefined && 'lastId' in entry ? [entry.lastId] : []))[0] ?? null;
}
