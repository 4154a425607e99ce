import { fill } from '../core/error-sentences.ts';
import type { Settings } from '../core/model.ts';
import { cleanName } from '../core/display.ts';
import type { CaseRow, Status } from './case-row.ts';
import { KEY_CASES } from './key-words.ts';
import { MACHINE_CASES } from './machine-words.ts';
import { PART_CASES, TITLES } from './part-words.ts';

const CASES = { ...MACHINE_CASES, ...KEY_CASES, ...PART_CASES };
/** `<check>.<what was found>`. */
export type CaseKey = keyof typeof CASES;
type CheckOf<K> = K extends `${infer Id}.${string}` ? Id : never;
export type CheckId = CheckOf<CaseKey>;
/** Every check has a title. */
const TITLE_OF: Readonly<Record<CheckId, readonly [en: string, zh: string]>> = TITLES;

/** A server or an app that a finding is about. */
export interface Part {
  readonly id: string;
  readonly name: string;
}

/** One thing that was looked at, and what was found. */
export interface Finding {
  readonly found: CaseKey;
  readonly values?: Readonly<Record<string, string | number>>;
  /** Only the app can open the keys, so `holdfast serve`, which cannot, is no way out. */
  readonly isForApp?: boolean;
  readonly server?: Part;
  readonly app?: Part;
}

/** One line of `holdfast doctor`. */
export interface CheckView {
  readonly id: CheckId;
  /** What was found, as a word for programs. */
  readonly found: string;
  readonly status: Status;
  readonly server?: string;
  readonly app?: string;
  readonly title: string;
  readonly message: string;
  /** What to do about it. */
  readonly fix?: string;
  /** A command that does it, or is the next step to it. */
  readonly command?: string;
}

export interface Report {
  /** There is no problem; notes may be there. */
  readonly ok: boolean;
  readonly summary: string;
  readonly checks: readonly CheckView[];
}

const SUMMARIES = {
  ok: ['Nothing is wrong.', '一切正常。'],
  one: ['One thing is wrong; it comes first, with what to do.', '有 1 个问题，列在最前面并附有解决办法。'],
  other: ['{n} things are wrong; they come first, each with what to do.', '有 {n} 个问题，列在最前面并各附解决办法。'],
} as const;

/** Puts findings into words of one language. */
export function report(findings: readonly Finding[], language: Settings['language']): Report {
  const checks = findings.map((finding) => checkView(finding, language));
  const n = checks.filter(({ status }) => status === 'problem').length;
  const words = SUMMARIES[n === 0 ? 'ok' : n === 1 ? 'one' : 'other'];
  return { ok: n === 0, summary: fill(words[language === 'en' ? 0 : 1], { n }), checks };
}

function checkOf({ found }: Finding): CheckId {
  return found.slice(0, found.indexOf('.')) as CheckId; // every case is `<check>.<found>`
}

export function statusOf({ found }: Finding): Status {
  return rowOf(found).status;
}

/** A row as every row is, whatever it leaves out. */
function rowOf(found: CaseKey): CaseRow {
  return CASES[found];
}

/** Every case there is, for the tests that hold the words to the command table. */
export function allCases(): readonly (readonly [CaseKey, CaseRow])[] {
  return Object.entries(CASES) as [CaseKey, CaseRow][]; // its own keys
}

function checkView(finding: Finding, language: Settings['language']): CheckView {
  const { found, server, app, isForApp = false } = finding;
  const row = rowOf(found);
  const id = checkOf(finding);
  const values = named(finding);
  const [message, fix] = language === 'en' ? row.en : row.zh;
  return {
    id,
    found: found.slice(id.length + 1),
    status: row.status,
    ...(server && { server: server.name }),
    ...(app && { app: app.id }),
    title: fill(TITLE_OF[id][language === 'en' ? 0 : 1], values),
    message: fill(message, values),
    ...(fix !== undefined && { fix: fill(fix, values) }),
    ...(row.command !== undefined &&
      !(isForApp && row.command === 'serve') && { command: `holdfast ${fill(row.command, asArguments(finding))}` }),
  };
}

function named({ values, server, app }: Finding): Readonly<Record<string, string | number>> {
  return { ...values, ...(server && { server: cleanName(server.name) }), ...(app && { app: cleanName(app.name) }) };
}

function asArguments({ server, app }: Finding): Readonly<Record<string, string>> {
  return { ...(server && { server: quoted(server.name) }), ...(app && { app: quoted(app.id) }) };
}

/** A name as a shell takes it. */
function quoted(name: string): string {
  return /^[\w.@-]+$/.test(name) ? name : `"${name.replaceAll(/["\\$`]/g, '\\$&')}"`;
}
