import { DIALECTS } from './dialects.ts';
import { freeName } from './entry.ts';
import type { HostApp } from './host-apps.ts';
import type { HostMove } from './host-request.ts';
import { equals, isJsonObject } from './json-value.ts';
import type { OwnershipRecord } from './ownership.ts';

/** An entry of the person that is with Holdfast now. */
export type Moved = OwnershipRecord['moved'][number];

/** The text without these entries, and what they were. One that was changed since, or is gone, is left as it is. */
export function takeOut(
  app: HostApp,
  text: string,
  moves: readonly HostMove[],
  isStill: (move: HostMove, entry: Moved) => boolean,
): { readonly text: string; readonly moved: readonly Moved[] } {
  const dialect = DIALECTS[app.dialect];
  const { entries } = dialect.see(text, { section: app.section, owner: '' });
  const moved = entries.filter((entry) => moves.some((move) => move.name === entry.name && isStill(move, entry)));
  const cut = moved.reduce((rest, { name }) => cutOne(app, rest, name), text);
  return { text: cut, moved: moved.map(({ name, value }) => ({ name, value })) };
}

function cutOne(app: HostApp, text: string, name: string): string {
  const place = { section: app.section, owner: '', name };
  return DIALECTS[app.dialect].remove(text, place, { dropEmptySection: false }).text;
}

/** The text with these entries in it again. A name that somebody else has now gets a number; what is there is left. */
export function giveBackMoved(app: HostApp, text: string, moved: readonly Moved[]): string {
  const dialect = DIALECTS[app.dialect];
  let whole = text;
  for (const { name: wanted, value } of moved) {
    const { entries } = dialect.see(whole, { section: app.section, owner: '' });
    const isThere = entries.some((entry) => entry.name === wanted && equals(entry.value, value));
    if (isThere || !isJsonObject(value)) continue;
    const name = freeName(wanted, new Set(entries.map((entry) => entry.name)));
    const place = { section: app.section, owner: '', name };
    whole = dialect.add(whole, place, name, { always: value, atFirst: {} }).text;
  }
  return whole;
}

/** What is on record with what has come to it, each once. */
export function withMoved(before: readonly Moved[], now: readonly Moved[]): Moved[] {
  const rest = before.filter(({ name, value }) => !now.some((one) => one.name === name && equals(one.value, value)));
  return [...rest, ...now];
}
