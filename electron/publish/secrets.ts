import { maskArgs, redactor, type Mask } from '../core/redact.ts';
import type { Program } from './contract.ts';
import { definitionMask, type GivenValue } from './definition-mask.ts';

/** What takes the secrets of a program out of what is written and printed. */
export interface Masks {
  /** For reasons, launches and everything else that is only read: also takes out what looks like a credential. */
  readonly words: Mask;
  /** For what is hashed and compared: no difference is lost in it. */
  readonly definitions: Mask;
}

/** Masks for what was given to a program: every value of its environment, and the arguments that are credentials. */
export function masksFor(program: Program): Masks {
  const given = givenTo(program);
  return { words: redactor(given.map(({ value }) => value)), definitions: definitionMask(given) };
}

function givenTo({ args, env }: Program): GivenValue[] {
  const shown = maskArgs(args, (arg) => arg);
  const secretArgs = args.flatMap((arg, at): GivenValue[] => {
    if (shown[at] === arg) return [];
    // `--token=value` keeps its name.
    const value = arg.startsWith('-') ? arg.slice(arg.indexOf('=') + 1) : arg;
    return [{ name: `argument ${at + 1}`, value }];
  });
  return [...Object.entries(env).map(([name, value]) => ({ name, value })), ...secretArgs];
}
