import { parseRef } from '../core/identity.ts';
import type { ServerId, State } from '../core/model.ts';
import { entriesOf } from '../core/state.ts';
import { basesOf, decisionOn } from '../core/view.ts';
import type { CommandContext } from './context.ts';
import { changeOfItem } from './review-view.ts';

type Reader = Pick<CommandContext, 'state' | 'definition'>;

const ENOUGH = 2;
const known = new WeakMap<State, Map<ServerId, boolean>>();

/**
 * May a person be asked whether small changes of this server go through by themselves? Once they have approved two of
 * them, and where each of them asks.
 */
export function offersAlways(reader: Reader, server: ServerId): boolean {
  const { state } = reader;
  if (state.servers[server]?.policy !== 'review') return false;
  const answers = known.get(state) ?? new Map<ServerId, boolean>();
  known.set(state, answers);
  const answer = answers.get(server) ?? smallApprovals(reader, server) >= ENOUGH;
  answers.set(server, answer);
  return answer;
}

/** Small changes that a person approved and that still stand; one change in several apps is one. */
function smallApprovals(reader: Reader, server: ServerId): number {
  const { state } = reader;
  const found = new Set<string>();
  for (const [consumer, byRef] of entriesOf(state.decisions))
    for (const [ref, decisions] of entriesOf(byRef)) {
      if (parseRef(ref).server !== server) continue;
      for (const { id, by, basis } of decisions) {
        const isTheirs = by === 'person' && basis === 'review';
        if (!isTheirs || decisionOn(state, consumer, ref, id)?.verdict !== 'approved') continue;
        const bases = basesOf(state, consumer, ref, id).map((base) => base.id);
        if (bases.length === 0) continue; // something new is no change
        if (changeOfItem(reader, { ref, bases, targetId: id }).severity === 'compatible') found.add(`${ref} ${id}`);
      }
    }
  return found.size;
}
