import type { CatalogChange } from '../diff.ts';
import type { CapabilityRef, ScopeKey, State } from '../model.ts';
import { entriesOf, put } from '../state.ts';

/** A ref that moves more often than this within the window sends no further notices (README, "Flapping"). */
const MAX_MOVES = 3;
const WINDOW_MS = 10 * 60_000;

type Moves = State['moves'][ScopeKey];

/** Notes that these refs moved in this scope, and forgets what is out of the window. */
export function recordMoves(state: State, scope: ScopeKey, changes: readonly CatalogChange[], at: string): State {
  // What is there for the first time has not moved.
  const refs = changes.flatMap(({ ref, before }) => (before === undefined ? [] : [ref]));
  if (refs.length === 0) return state;
  const recent = Object.fromEntries(
    entriesOf(state.moves).flatMap(([key, moves]) => {
      const left = withinWindow(moves, at);
      return Object.keys(left).length === 0 ? [] : [[key, left]];
    }),
  ) as State['moves']; // the same keys
  const before = recent[scope] ?? {};
  const moved = refs.map((ref) => [ref, [...(before[ref] ?? []), at].slice(-MAX_MOVES - 1)] as const);
  return { ...state, moves: put(recent, scope, { ...before, ...Object.fromEntries(moved) }) };
}

/** Has it moved so often that a further notice says nothing? */
export function isFlapping(state: State, scope: ScopeKey, ref: CapabilityRef): boolean {
  return (state.moves[scope]?.[ref] ?? []).length > MAX_MOVES;
}

function withinWindow(moves: Moves, at: string): Moves {
  const now = Date.parse(at);
  // A clock that was set back makes nothing older.
  const kept = entriesOf(moves).flatMap(([ref, times]) => {
    const left = times.filter((time) => Math.abs(now - Date.parse(time)) <= WINDOW_MS);
    return left.length === 0 ? [] : [[ref, left]];
  });
  return Object.fromEntries(kept) as Moves; // the same keys
}
