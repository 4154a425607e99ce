import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { DEMO_CHANGES, type DemoChange } from '../core/own-programs.ts';

const FILE = 'demo.json';
const MAX_BYTES = 1_000;
const schema = z.strictObject({ change: z.enum(DEMO_CHANGES) });

/** The file in the demo server's own folder that says which clock it offers. */
export function changeFile(folder: string): string {
  return path.join(folder, FILE);
}

/** What stands in that file. */
export function changeText(change: DemoChange): string {
  return JSON.stringify({ change });
}

/** Which clock is to be offered; `null` where nothing readable says so. */
export function readChange(folder: string): DemoChange | null {
  try {
    const bytes = readFileSync(changeFile(folder));
    return bytes.length > MAX_BYTES ? null : schema.parse(JSON.parse(bytes.toString('utf8'))).change;
  } catch {
    return null; // not there yet, half written, or nothing of ours
  }
}
