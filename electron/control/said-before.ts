import { canonicalText } from '../core/canonical.ts';
import type { EventOf, ScopeKey } from '../core/model.ts';
import { scopeKey } from '../core/view.ts';
import type { NewLine } from '../store/journal-line.ts';

/** The longest that a server goes without a line of its own while it is looked at and says the same, in ms. */
const SAID_AGAIN_MS = 6 * 60 * 60 * 1000;

/** One line of evidence, as far as it is compared. */
interface Said {
  readonly text: string;
  readonly atMs: number;
}

/**
 * Evidence of observations that changed nothing. A server that is looked at a thousand times and says the same has one
 * line of it for every connection and every six hours, until it says something else or the program starts anew.
 */
export class SaidBefore {
  readonly #last = new Map<ScopeKey, Said>();

  /** True where the line says no more than the last one of its scope, which is less than six hours old. */
  has({ observation }: EventOf<'observed'>, line: NewLine): boolean {
    const last = this.#last.get(scopeKey(observation.server, observation.consumer));
    if (last?.text !== textOf(line)) return false;
    const sinceMs = Date.parse(line.at) - last.atMs;
    return sinceMs >= 0 && sinceMs < SAID_AGAIN_MS; // below zero the clock was set back
  }

  /** The line is written. */
  add({ observation }: EventOf<'observed'>, line: NewLine): void {
    const said = { text: textOf(line), atMs: Date.parse(line.at) };
    this.#last.set(scopeKey(observation.server, observation.consumer), said);
  }

  /** The observation changed something, which has lines of its own. */
  forget({ observation }: EventOf<'observed'>): void {
    this.#last.delete(scopeKey(observation.server, observation.consumer));
  }
}

function textOf({ details }: NewLine): string {
  const [connection, version, kinds] = ['connection', 'version', 'kinds'].map((name) => details?.[name] ?? null);
  return canonicalText([connection ?? null, version ?? null, kinds ?? null]);
}
