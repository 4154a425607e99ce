import path from 'node:path';
import { z } from 'zod';
import { BOUNDS } from '../core/bounds.ts';
import { KINDS } from '../core/model.ts';
import { ENV_NAME } from '../core/value-names.ts';

/** Bounds on what comes in over the socket or from the window. */
const MAX_ARGS = 200;
const MAX_TEXT = 4_096;

/** What hides in a name or turns the words around it round; emoji are joined with U+200D, which may stay. */
const NO_TRICKS =
  /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E0FFF}]*$/u;
export const nameInput = z
  .string()
  .trim()
  .min(1)
  .max(BOUNDS.givenName.value)
  .regex(NO_TRICKS, 'control and hidden characters are not allowed');
export const appInput = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'an app’s name has lower-case letters, digits, dots and dashes')
  .refine((name) => !(name in Object.prototype), 'that name cannot be used');
export const kindInput = z.enum(KINDS);
export const originKeyInput = z.string().max(MAX_TEXT);
const processText = z
  .string()
  .max(32_768)
  .refine((text) => !/[\0\p{Cs}]/u.test(text), 'a character in it is not allowed');
export const commandInput = processText.min(1);
export const argsInput = z.array(processText).max(MAX_ARGS);
/** A folder; a relative one would be another in each program. */
export const folderInput = processText.refine(
  (folder) => path.isAbsolute(folder),
  'a folder is given with its whole path',
);
export const envInput = z.record(z.string().regex(ENV_NAME), processText);
export const nothing = z.strictObject({});

export const hashInput = z.string().regex(/^sha256:[0-9a-f]{64}$/, 'an id looks like sha256:…');

/** A capability or the whole server. */
export const targetInput = {
  app: appInput,
  server: nameInput,
  kind: kindInput.optional(),
  originKey: originKeyInput.optional(),
  /** The id that was shown; refused when the view has moved on since. */
  target: hashInput.optional(),
};
