import { canonicalText } from '../canonical.ts';
import { effectiveHints, HINTS } from '../hints.ts';
import { SEVERITIES, type Change, type Fact, type Severity, type StoredDefinition } from '../model.ts';
import { changeSentences } from '../sentences.ts';

/** The higher one counts. */
function highest(severities: readonly Severity[]): Severity {
  return severities.reduce((a, b) => (SEVERITIES.indexOf(b) > SEVERITIES.indexOf(a) ? b : a), 'none');
}

/**
 * Compares two definitions of one ref (README, "Severity"). Coarse for now: hints and launch identity are `security`,
 * whatever else makes another id is `review`.
 */
export function classify(before: StoredDefinition | null, after: StoredDefinition | null): Change {
  const shown = after ?? before;
  if (shown === null) throw new TypeError('a change has at least one side');
  const change = before === null ? 'added' : after === null ? 'removed' : 'changed';
  const facts = before === null || after === null ? [] : compare(before, after);
  const least: Severity = change === 'removed' ? 'breaking' : 'review';
  const severity = highest([least, ...facts.map((fact) => fact.severity)]);
  return {
    kind: shown.kind,
    originKey: shown.originKey,
    change,
    severity,
    facts,
    sentences: changeSentences(change, shown),
  };
}

function compare(before: StoredDefinition, after: StoredDefinition): Fact[] {
  const facts: Fact[] = [];
  if (before.route !== after.route)
    facts.push({ class: 'launch', path: '/route', before: before.route, after: after.route, severity: 'security' });
  if (after.kind === 'tool') facts.push(...hintFacts(before, after));
  if (canonicalText(before.definition) !== canonicalText(after.definition))
    facts.push({ class: 'definition', path: '/definition', severity: 'review' });
  return facts;
}

/** A hint counts by its effective value: flips either way and first claims to be harmless are facts alike. */
function hintFacts(before: StoredDefinition, after: StoredDefinition): Fact[] {
  const [old, now] = [
    effectiveHints(before.definition['annotations']),
    effectiveHints(after.definition['annotations']),
  ];
  return HINTS.filter((hint) => old[hint] !== now[hint]).map((hint) => ({
    class: `hint.${hint}`,
    path: `/definition/annotations/${hint}`,
    before: old[hint],
    after: now[hint],
    severity: 'security',
  }));
}
