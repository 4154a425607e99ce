import { parseRef } from '../identity.ts';
import type { CapabilityId, CapabilityRef, Change, Fact, Route, StoredDefinition } from '../model.ts';
import { changeSentences } from '../sentences.ts';
import { classify, highest, type Surroundings } from './classify.ts';

/** A stored definition by its id; `undefined` where it is not there or damaged. */
export type ReadDefinition = (id: CapabilityId) => StoredDefinition | undefined;

/** The change between two definitions of one ref. A definition that cannot be read counts as the worst. */
function changeBetween(
  read: ReadDefinition,
  ref: CapabilityRef,
  from: CapabilityId | null,
  to: CapabilityId,
  surroundings?: Surroundings,
): Change {
  const before = from === null ? null : read(from);
  const after = read(to);
  if (before !== undefined && after !== undefined) return classify(before, after, surroundings);
  const shown = after ?? before ?? unreadable(ref);
  const facts: Fact[] = [{ class: 'definition.unreadable', path: '/definition', severity: 'security' }];
  const change = from === null ? 'added' : 'changed';
  const { kind, originKey } = shown;
  return { kind, originKey, change, severity: 'security', facts, sentences: changeSentences(change, shown, facts) };
}

function unreadable(ref: CapabilityRef): StoredDefinition {
  const { server: serverId, kind, originKey } = parseRef(ref);
  return { serverId, kind, originKey, route: '' as Route, definition: {} }; // only its name is used
}

/**
 * The change to `to` as it counts: from each of the ids it is classified from (`basesOf`), the facts of all of them, the
 * higher severity (README, "Severity"). Without one it is new.
 */
export function changeFromBases(
  read: ReadDefinition,
  ref: CapabilityRef,
  bases: readonly CapabilityId[],
  to: CapabilityId,
  surroundings?: Surroundings,
): Change {
  const [first, ...more] = bases;
  const newest = changeBetween(read, ref, first ?? null, to, surroundings);
  // Where the newest base has the present route, a person confirmed it: an older base says nothing about it.
  const route = first === undefined ? undefined : read(first)?.route;
  const readOlder = route !== undefined && route === read(to)?.route ? underRoute(read, route) : read;
  return more.reduce(
    (whole, from) => joined(whole, changeBetween(readOlder, ref, from, to, surroundings), read(to)),
    newest,
  );
}

function underRoute(read: ReadDefinition, route: Route): ReadDefinition {
  return (id) => {
    const found = read(id);
    return found && { ...found, route };
  };
}

function joined(a: Change, b: Change, shown: StoredDefinition | undefined): Change {
  const place = (fact: Fact): string => JSON.stringify([fact.class, fact.path, fact.severity]);
  const known = new Set(a.facts.map(place));
  const news = b.facts.filter((fact) => !known.has(place(fact)));
  const severity = highest([a.severity, b.severity]);
  if (news.length === 0 || shown === undefined) return { ...a, severity };
  const facts = [...a.facts, ...news];
  return { ...a, severity, facts, sentences: changeSentences(a.change, shown, facts) };
}
