import { canonicalText } from './canonical.ts';
import { launchRoute } from './launch.ts';
import type { Launch } from './model.ts';
import { maskArgs, type Mask } from './redact.ts';

/** A launch identity as a person may see it: where it repeats arguments, what looks like a key among them is masked. */
export function shownRoute(launch: Pick<Launch, 'command' | 'args'>, mask: Mask): string {
  const route = launchRoute(launch);
  const [, form, text] = /^(cmdline|exec):([^]*)$/.exec(route) ?? [];
  if (form === undefined || text === undefined) return mask(route);
  const [command = '', ...args] = JSON.parse(text) as string[]; // launchRoute writes a list of texts
  return mask(`${form}:${canonicalText([mask(command), ...maskArgs(args, mask)])}`);
}
