import { expect, test } from 'vitest';
import { doesMore, factKeys, risksOf, shortRiskKey, tierOf } from '../../renderer/risk.ts';
import { hint, review } from '../support/desktop-samples.ts';

const risks = (...facts: ReturnType<typeof hint>[]) =>
  risksOf([review({ severity: 'security', change: { facts } }).change]);

test('severity decides the tier', () => {
  expect((['none', 'compatible', 'review', 'breaking', 'security'] as const).map(tierOf)).toEqual([
    'small',
    'small',
    'check',
    'check',
    'careful',
  ]);
});

test('a tool that no longer only reads is said to delete, once', () => {
  const found = risks(hint('readOnlyHint', false), hint('destructiveHint', true), hint('idempotentHint', false));
  expect(found).toEqual(['deletes']);
  expect(shortRiskKey(found)).toBe('short.deletes');
  expect(factKeys(found)).toEqual(['fact.deletes']);
  expect(doesMore(found)).toBe(true);
});

test('the riskiest comes first', () => {
  const launch = { class: 'launch', path: '/route', before: 'npm:a', after: 'npm:b', severity: 'security' } as const;
  expect(risks(hint('openWorldHint', true), launch)).toEqual(['program', 'online']);
});

test('a claim to be harmless is called a claim, and never “can do more”', () => {
  const found = risks(hint('readOnlyHint', true), hint('destructiveHint', false), hint('idempotentHint', true));
  expect(found).toEqual(['safer.changes']);
  expect(doesMore(found)).toBe(false);
});

test('what has no words of its own can do more', () => {
  expect(risks({ class: 'text.hidden', path: '/definition', severity: 'security' })).toEqual(['more']);
  expect(risks()).toEqual(['more']);
  expect(factKeys(['more'])).toEqual([]);
});

test('only a risky change has risks', () => {
  expect(risksOf([review({ change: { facts: [hint('openWorldHint', true)] } }).change])).toEqual([]);
});
