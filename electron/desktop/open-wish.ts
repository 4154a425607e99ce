import path from 'node:path';
import type { OpenWish } from '../control/getting-port.ts';

/** Longer ones are none, and would only be carried about. */
const MAX_TEXT = 10_000;
const BUNDLE = /\.(?:mcpb|dxt)$/i;

/** The first bundle or link among the arguments of a start; others are not ours. `folder` is where it was started. */
export function wishIn(argv: readonly string[], folder: string): OpenWish | undefined {
  const texts = argv.slice(1).filter((text) => !text.startsWith('-') && text.length <= MAX_TEXT);
  return texts.map((text) => wishOf(text, folder)).find((wish) => wish !== undefined);
}

function wishOf(text: string, folder: string): OpenWish | undefined {
  if (/^holdfast:/i.test(text)) return { type: 'link', text };
  return BUNDLE.test(text) ? { type: 'file', text: path.resolve(folder, text) } : undefined;
}
