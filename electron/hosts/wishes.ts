import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { makePrivateFolder, writeFileAtomically } from './safe-file.ts';

const wishSchema = z.strictObject({
  format: z.literal(1),
  hostId: z.string(),
  wanted: z.enum(['connect', 'disconnect']),
  /** `queued`: waits until the app has quit. `written`: is looked after until the app has lived with it. */
  state: z.enum(['queued', 'written', 'lost']),
  /** Since the change was written, the app has been seen running with it. */
  wasSeenRunning: z.boolean(),
  /** How often a change was written again without being asked for. */
  putBacks: z.number().int().nonnegative(),
  /** Entries that go with the change because Holdfast has them. */
  moves: z
    .array(z.strictObject({ file: z.string(), name: z.string(), print: z.string(), server: z.string().optional() }))
    .default([]),
  at: z.string(),
});

/** What a person wants of an app that writes its settings itself, until it has come true. */
export type Wish = Readonly<z.infer<typeof wishSchema>>;

export interface SeenApp {
  readonly isRunning: boolean;
  readonly hasEntry: boolean;
}

/** What to do about a wish now; `lose` is to be told to the person, who can put it back. */
export type Step =
  { readonly do: 'wait' | 'write' | 'forget' } | { readonly do: 'remember' | 'put-back' | 'lose'; readonly wish: Wish };

/** Written again by itself only this often: two programs must never fight about a file. */
const MAX_PUT_BACKS = 1;
const WATCH_MS = 24 * 60 * 60 * 1000;

/** The next step, decided from what is seen alone. `now` is ISO 8601. */
export function nextStep(wish: Wish, { isRunning, hasEntry }: SeenApp, now: string): Step {
  if (wish.state === 'queued') return { do: isRunning ? 'wait' : 'write' };
  if (wish.state === 'lost') return { do: hasEntry ? 'forget' : 'wait' };
  if (hasEntry) {
    if (isRunning && !wish.wasSeenRunning) return { do: 'remember', wish: { ...wish, wasSeenRunning: true } };
    const isOld = Date.parse(now) - Date.parse(wish.at) > WATCH_MS;
    const hasLivedWithIt = wish.wasSeenRunning && !isRunning;
    return { do: isOld || hasLivedWithIt ? 'forget' : 'wait' };
  }
  if (wish.putBacks >= MAX_PUT_BACKS) return { do: 'lose', wish: { ...wish, state: 'lost' } };
  if (isRunning) return { do: 'wait' };
  return { do: 'put-back', wish: { ...wish, wasSeenRunning: false, putBacks: wish.putBacks + 1 } };
}

/** All wishes of a data folder. Damaged ones are left out: nothing is written that nobody asked for. */
export function allWishes(folder: string): Wish[] {
  const names = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  return names.flatMap((name) => {
    try {
      return [wishSchema.parse(JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')))];
    } catch {
      return [];
    }
  });
}

export function saveWish(folder: string, wish: Wish): void {
  makePrivateFolder(folder);
  writeFileAtomically(path.join(folder, `${wish.hostId}.json`), Buffer.from(`${JSON.stringify(wish, null, 2)}\n`));
}

/** A server that is gone takes nobody's place any more: what still waits to be moved for it stays where it is. */
export function forgetMoves(folder: string, server: string): void {
  for (const wish of allWishes(folder)) {
    const moves = wish.moves.filter((move) => move.server !== server);
    if (moves.length < wish.moves.length) saveWish(folder, { ...wish, moves });
  }
}

export function forgetWish(folder: string, hostId: string): void {
  fs.rmSync(path.join(folder, `${hostId}.json`), { force: true });
}
