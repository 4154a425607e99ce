import { z } from 'zod';
import { cleanText } from '../core/display.ts';

const edit = z.object({
  file: z.string(),
  others: z.array(z.string()).optional(),
  changed: z.boolean(),
  backup: z.string().optional(),
  entry: z.string(),
  needsRestart: z.boolean(),
  dryRun: z.boolean(),
  diff: z.string().optional(),
  queued: z.boolean().optional(),
  notes: z.array(z.object({ en: z.string() })).default([]),
});

/** What an edit of a host app's settings did, or would do, with its difference as a person reads it. */
function edited(result: unknown): string {
  const {
    file,
    others = [],
    changed,
    backup,
    entry,
    needsRestart,
    dryRun,
    diff = '',
    notes,
    queued,
  } = edit.parse(result);
  const files = [file, ...others].join(', ');
  const about = notes.map(({ en }) => `${en}\n`).join('');
  if (queued === true)
    return `The app is running and would undo the change. It is made once the app has quit: ${files}\n`;
  if (!changed) return `Nothing to change in ${files}.\n`;
  if (dryRun) return `${cleanText(diff)}${about}Nothing was written.\n`;
  const kept = backup === undefined ? '' : `The file from before is kept as ${backup}.\n`;
  const restart = needsRestart ? 'Quit the app completely and start it again, so that it reads them.\n' : '';
  return `The settings in ${files} were changed (entry “${entry}”).\n${kept}${about}${restart}`;
}

const removal = z.object({
  files: z.array(
    z.object({ file: z.string(), outcome: z.enum(['restored', 'nothing-there', 'left']), hint: z.string().optional() }),
  ),
});
const OUTCOMES = { restored: 'restored', 'nothing-there': 'nothing of Holdfast in it', left: 'left as it is' } as const;

/** What came of taking Holdfast out of all apps, a line for each of their files. */
function removed(result: unknown): string {
  const { files } = removal.parse(result);
  if (files.length === 0) return 'Holdfast is in no app’s settings.\n';
  const lines = files.map(({ file, outcome, hint }) => `${file}: ${OUTCOMES[outcome]}${hint ? ` (${hint})` : ''}\n`);
  return lines.join('');
}

export const EDIT_VIEWS: Readonly<Record<string, (result: unknown) => string>> = {
  'apps.connect': edited,
  'apps.disconnect': edited,
  'apps.repair': edited,
  'apps.disconnect-all': removed,
};
