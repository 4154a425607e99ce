import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { KINDS, type CatalogEntry, type ConsumerId, type ServerId, type State } from '../../../electron/core/model.ts';
import { pendingReviews } from '../../../electron/core/review.ts';
import { entriesOf } from '../../../electron/core/state.ts';
import { deriveSurface } from '../../../electron/core/surface.ts';
import { Oracle } from './oracle.ts';
import { madeByPolicy } from './policy-facts.ts';
import { always, type Moment } from './walk.ts';

/** All that the naive model has an opinion on, of both, in comparable form. */
function ofCore(state: State): unknown {
  return entriesOf(state.consumers).map(([consumer]) => {
    const { manifest, withheld } = deriveSurface(state, consumer);
    return {
      consumer,
      surface: manifest.entries.map(({ name, ref, id }) => `${name} = ${ref} ${id}`).sort(),
      withheld: withheld.map(({ ref, reason }) => `${ref} ${reason}`).sort(),
      pending: pendingReviews(state, consumer)
        .map(({ ref }) => ref)
        .sort(),
    };
  });
}
function ofOracle(oracle: Oracle): unknown {
  return oracle.consumers().map((consumer) => ({
    consumer,
    surface: oracle.surface(consumer),
    withheld: oracle.withheld(consumer),
    pending: oracle.pending(consumer).sort(),
  }));
}

/** What each scope's catalog says of each ref; where an absent one was last shown is the product's own affair. */
function catalogsOf(state: State): unknown {
  return entriesOf(state.catalogs).map(([scope, catalog]) => [scope, said(entriesOf(catalog))]);
}
function naiveCatalogs(state: State, oracle: Oracle): unknown {
  return entriesOf(state.catalogs).map(([scope]) => {
    const [server, consumer] = scope.split('|') as [ServerId, ConsumerId?]; // as scopeKey makes it
    return [scope, said([...oracle.catalog(server, consumer ?? null)])];
  });
}
function said(entries: readonly (readonly [string, CatalogEntry])[]): Record<string, unknown> {
  const plain = entries.map(([ref, entry]) => {
    if (entry.state === 'present') return [ref, entry];
    const { state, lastId, reason } = entry;
    return [ref, state === 'absent' ? { state, lastId, reason, why: entry.why } : { state, lastId, reason }];
  });
  return Object.fromEntries(plain);
}

/** Kinds that would vanish if another connection said the same. */
function confirmationsOf(state: State): string[] {
  return entriesOf(state.confirmations)
    .map(([place, { status }]) => `${place} ${status}`)
    .sort();
}
function naiveConfirmations(state: State, oracle: Oracle): string[] {
  return entriesOf(state.catalogs)
    .flatMap(([scope]) => {
      const [server, consumer] = scope.split('|') as [ServerId, ConsumerId?]; // as scopeKey makes it
      return KINDS.flatMap((kind) => {
        const status = oracle.waitsFor(server, consumer ?? null, kind);
        return status === null ? [] : [`${scope}|${kind} ${status}`];
      });
    })
    .sort();
}

/** Vitest's own comparison is slow, so it only explains. */
function expectSame(core: unknown, naive: unknown): void {
  if (!isDeepStrictEqual(core, naive)) expect(core).toEqual(naive);
}

describe('the naive model', () => {
  it('agrees after every event of any history on surfaces, open items, reasons, catalogs and refusals', () => {
    always(() => {
      const oracle = new Oracle();
      return ({ event, before, after, reduction, refusal }: Moment) => {
        expect(refusal, event.type).toBe(oracle.refusal(event));
        if (reduction !== null) oracle.take(event, after.sequence, madeByPolicy(before, after));
        expectSame(ofCore(after), ofOracle(oracle));
        expectSame(catalogsOf(after), naiveCatalogs(after, oracle));
        expectSame(confirmationsOf(after), naiveConfirmations(after, oracle));
      };
    });
  }, 300_000);
});
