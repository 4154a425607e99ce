// `npm run corpus`, with HOLDFAST_CORPUS naming a folder of recorded listings: what real servers served, version by
// version, and changes that people judged. Not part of `npm test`: the recordings are not ours to ship.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { classify } from '../../electron/core/classify/classify.ts';
import { continuity } from '../../electron/core/continuity.ts';
import { capabilityId } from '../../electron/core/identity.ts';
import {
  SEVERITIES,
  type CapabilityId,
  type ListedKind,
  type Route,
  type ServerId,
  type StoredDefinition,
} from '../../electron/core/model.ts';
import { LISTS } from '../../electron/core/observe.ts';

const folder = process.env['HOLDFAST_CORPUS'];
if (folder === undefined) throw new Error('HOLDFAST_CORPUS names the folder with the recordings.');

const page = z.looseObject({ result: z.record(z.string(), z.unknown()).optional() });
const snapshot = z.looseObject({ lists: z.record(z.string(), z.looseObject({ responses: z.array(page).optional() })) });
const entry = z.record(z.string(), z.json());
const judged = z.array(
  z.looseObject({
    pkg: z.string(),
    from: z.string(),
    to: z.string(),
    kind: z.string(),
    name: z.string(),
    severity: z.enum(['none', 'compatible', 'review', 'breaking', 'security']),
    alsoAcceptable: z.array(z.enum(['none', 'compatible', 'review', 'breaking', 'security'])).default([]),
    link: z.looseObject({ type: z.string(), to: z.string() }).optional(),
  }),
);

const KINDS = Object.keys(LISTS) as ListedKind[]; // the keys of a table of exactly these
type Listing = ReadonlyMap<string, StoredDefinition>;

/** `<kind>/<origin key>` -> definition. */
function listing(pkg: string, version: string): Listing {
  const file = path.join(folder ?? '', 'snapshots', pkg.replace('/', '__'), `${version}.json`);
  const { lists } = snapshot.parse(JSON.parse(readFileSync(file, 'utf8')));
  const found = KINDS.flatMap((kind) => {
    const { method, field, key } = LISTS[kind];
    const entries = (lists[method]?.responses ?? []).flatMap(({ result }) =>
      z.array(entry).catch([]).parse(result?.[field]),
    );
    return entries.map((definition): [string, StoredDefinition] => {
      const originKey = z.string().parse(definition[key]);
      return [
        `${kind}/${originKey}`,
        { serverId: 'srv' as ServerId, kind, originKey, route: 'npm:x' as Route, definition },
      ];
    });
  });
  return new Map(found);
}

function versions(pkg: string): string[] {
  const names = readdirSync(path.join(folder ?? '', 'snapshots', pkg)).filter((name) => !name.includes('.failed.'));
  return names
    .map((name) => name.slice(0, -'.json'.length))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

function idOf(definition: StoredDefinition): CapabilityId | null {
  try {
    return capabilityId(definition);
  } catch {
    return null;
  }
}

const rank = (severity: (typeof SEVERITIES)[number]): number => SEVERITIES.indexOf(severity);

test('judged changes are judged the same, and never milder than anybody would', () => {
  const all = judged.parse(JSON.parse(readFileSync(path.join(folder, 'expected.json'), 'utf8')));
  const ofOne = all.filter(({ name }) => name !== '*');
  const kindOf = (method: string): ListedKind | undefined => KINDS.find((kind) => LISTS[kind].method === method);
  const rows = ofOne.map(({ pkg, from, to, kind, name, severity, alsoAcceptable }) => {
    const key = `${kindOf(kind) ?? ''}/${name}`;
    const [before, after] = [listing(pkg, from).get(key) ?? null, listing(pkg, to).get(key) ?? null];
    const found = classify(before, after).severity;
    const accepted = [severity, ...alsoAcceptable];
    const isMilder = rank(found) < Math.min(...accepted.map(rank));
    return {
      what: `${pkg} ${from} -> ${to} ${name}: ${found} instead of ${accepted.join(' or ')}`,
      isSame: accepted.includes(found),
      isMilder,
    };
  });
  const same = rows.filter(({ isSame }) => isSame).length;
  console.log(`${same} of ${rows.length} judged changes are judged the same.`);
  for (const { what, isSame } of rows) if (!isSame) console.log(what);
  expect(rows.filter(({ isMilder }) => isMilder)).toEqual([]);
  expect(same / rows.length).toBeGreaterThanOrEqual(0.95);
});

test('every upgrade on record is told: a fact for each new id, none where nothing effective changed', () => {
  const counts = new Map<string, number>();
  let upgrades = 0;
  let asking = 0;
  for (const pkg of readdirSync(path.join(folder, 'snapshots'))) {
    const all = versions(pkg).map((version) => listing(pkg, version));
    all.slice(1).forEach((after, at) => {
      const severities = [...(all[at] ?? [])].flatMap(([key, before]) => {
        const now = after.get(key);
        if (now === undefined) return [];
        const isSame = idOf(before) === idOf(now);
        const change = classify(before, now);
        expect(change.facts.length > 0, `${pkg} ${key}`).toBe(!isSame);
        expect(change.severity === 'none', `${pkg} ${key}`).toBe(isSame);
        expect(classify(now, now).facts).toEqual([]);
        return [change.severity];
      });
      upgrades += 1;
      if (severities.some((severity) => rank(severity) >= rank('review'))) asking += 1;
      for (const severity of severities) counts.set(severity, (counts.get(severity) ?? 0) + 1);
    });
  }
  console.log(`${upgrades} upgrades, ${asking} with a change of at least “review”; ${JSON.stringify([...counts])}`);
  expect(upgrades).toBeGreaterThan(0);
});

/** What went and what came between two versions, with the evidence that one continues the other. */
function continued(pkg: string, from: string, to: string) {
  const [before, after] = [listing(pkg, from), listing(pkg, to)];
  const removed = [...before].filter(([key]) => !after.has(key)).map(([, definition]) => definition);
  const [added, kept] = [false, true].map((isKnown) =>
    [...after].filter(([key]) => before.has(key) === isKnown).map(([, definition]) => definition),
  );
  return { removed, rows: continuity(removed, added ?? [], kept) };
}

test('what maintainers renamed or replaced is found, and its evidence is told apart', () => {
  const all = judged.parse(JSON.parse(readFileSync(path.join(folder, 'expected.json'), 'utf8')));
  const links = all.flatMap(({ link, ...row }) => (link === undefined ? [] : [{ ...row, link }]));
  const missed = links.filter(({ pkg, from, to, name, link }) => {
    const { rows } = continued(pkg, from, to);
    return !rows.some((row) => row.from === name && row.to === link.to);
  });
  const told = missed.map(({ pkg, name, link }) => `${pkg} ${name} -> ${link.to} (${link.type})`);
  console.log(
    `${links.length - missed.length} of ${links.length} judged links are found; not found: ${told.join(', ')}`,
  );
  expect(missed.filter(({ link }) => link.type === 'renamed' || link.type === 'replaced')).toEqual([]);
});

test('evidence over every upgrade on record is listed, to be looked at', () => {
  let gone = 0;
  const counts = new Map<string, number>();
  for (const pkg of readdirSync(path.join(folder, 'snapshots'))) {
    const all = versions(pkg);
    all.slice(1).forEach((to, at) => {
      const from = all[at] ?? '';
      const { removed, rows } = continued(pkg, from, to);
      gone += removed.length;
      for (const row of rows) {
        counts.set(row.evidence, (counts.get(row.evidence) ?? 0) + 1);
        console.log(`${pkg} ${from} -> ${to}: ${row.evidence}: ${row.from} -> ${row.to}`);
      }
    });
  }
  console.log(`${gone} capabilities went; ${JSON.stringify([...counts])}`);
  expect(gone).toBeGreaterThan(0);
});
