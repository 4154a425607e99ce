import { maskArgs, redactor, type Mask } from '../core/redact.ts';
import type { Program } from './contract.ts';

/** A mask for what was given to a program: every value of its environment, and the arguments that are credentials. */
export function maskFor({ args, env }: Program): Mask {
  const shown = maskArgs(args, (arg) => arg);
  const given = args.flatMap((arg, at) => {
    if (shown[at] === arg) return [];
    // `--token=value` keeps its name.
    return [arg.startsWith('-') ? arg.slice(arg.indexOf('=') + 1) : arg];
  });
  return redactor([...Object.values(env), ...given]);
}
