import { INVARIANTS, type Invariant, type Invariants } from './invariants.ts';
import { MAX_GROWTH, MAX_MORE_FILES, MAX_RSS, type Life, type Sample } from './memory.ts';
import type { Running } from './processes.ts';

export interface Outcome {
  readonly seed: number;
  readonly durationMs: number;
  readonly events: ReadonlyMap<string, number>;
  readonly lives: readonly Life[];
  /** With no app connected and every server well, at the beginning of the last life and at its end. */
  readonly quiet: readonly [before: Sample, after: Sample];
  readonly dataBytes: readonly [before: number, after: number];
  readonly left: readonly Running[];
  readonly invariants: Invariants;
}

const NAMES = Object.keys(INVARIANTS) as Invariant[]; // its keys
const MB = 1024 * 1024;
const mb = (bytes: number): string => `${(bytes / MB).toFixed(1)} MB`;
const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

/** Every reason for which the soak fails; none where all held. */
export function faultsOf({ lives, quiet, left, invariants }: Outcome): string[] {
  const broken = NAMES.flatMap((name) => invariants.broken(name).map((story) => `${INVARIANTS[name]}: ${story}`));
  const never = NAMES.filter((name) => invariants.checked(name) === 0).filter((name) => !isRare(name));
  const more = filesOf(quiet[1]) - filesOf(quiet[0]);
  return [
    ...broken,
    ...never.map((name) => `never looked at: ${INVARIANTS[name]}`),
    ...lives.filter(({ highest }) => highest > MAX_RSS).map(({ life, highest }) => `life ${life} took ${mb(highest)}`),
    ...lives
      .filter(({ growth }) => (growth ?? 0) > MAX_GROWTH)
      .map(({ life, growth }) => `life ${life} grew by ${mb(growth ?? 0)}`),
    ...(more > MAX_MORE_FILES ? [`${more} more open files in a quiet moment than in one before`] : []),
    ...left.map(({ pid, command }) => `left over: ${pid} ${command}`),
  ];
}

/** A short soak may pass without a killed gateway. */
function isRare(name: Invariant): boolean {
  return name === 'swept' || name === 'failedList';
}

/** Without the pipes of its servers. */
function filesOf({ files, servers }: Sample): number {
  return files - 3 * servers;
}

export function report(outcome: Outcome): string {
  const { seed, durationMs, events, lives, quiet, dataBytes, left, invariants } = outcome;
  const faults = faultsOf(outcome);
  const kinds = [...events].sort(([a], [b]) => a.localeCompare(b));
  return [
    table('soak', [
      ['duration', seconds(durationMs)],
      ['seed', String(seed)],
      ['gateway lives', String(lives.length)],
      ['data folder', `${mb(dataBytes[0])} -> ${mb(dataBytes[1])}`],
      ['processes left over', String(left.length)],
    ]),
    table(
      'events',
      kinds.map(([kind, count]) => [kind, String(count)]),
    ),
    table('memory of the gateway (after its warm-up, in the middle, at the end)', [
      ...lives.map(lifeRow),
      ['bounds', `${mb(MAX_GROWTH)} of growth, ${mb(MAX_RSS)} at any time`],
    ]),
    table('handles of the last life, in a quiet moment (before, after)', [
      ['open files', `${quiet[0].files} -> ${quiet[1].files}`],
      ['without pipes of servers', `${filesOf(quiet[0])} -> ${filesOf(quiet[1])} (at most ${MAX_MORE_FILES} more)`],
      ['threads', `${quiet[0].threads} -> ${quiet[1].threads}`],
      ['server processes', `${quiet[0].servers} -> ${quiet[1].servers}`],
    ]),
    table(
      'invariants (checked, broken)',
      NAMES.map((name) => [INVARIANTS[name], `${invariants.checked(name)}, ${invariants.broken(name).length}`]),
    ),
    faults.length === 0 ? 'All held.' : `${faults.length} faults:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
  ].join('\n\n');
}

function lifeRow({ life, durationMs, start, middle, end, highest, growth, slope }: Life): [string, string] {
  const grown = growth === null ? 'too short to tell growth' : `grew by ${mb(growth)}, ${mb(slope)} a minute`;
  return [
    `life ${life}, ${seconds(durationMs)}`,
    `${mb(start.rss)}, ${mb(middle.rss)}, ${mb(end.rss)}; highest ${mb(highest)}; ${grown}`,
  ];
}

function table(title: string, rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return [`== ${title}`, ...rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`)].join('\n');
}
