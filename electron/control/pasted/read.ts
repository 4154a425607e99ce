import { blockServers } from './block.ts';
import { lineServer } from './line.ts';
import type { Found, Pasted, PastedServer } from './pasted.ts';

/** Characters; what a page tells people to paste is far shorter. */
export const MAX_PASTE = 20_000;
const MAX_LINES = 200;
const MAX_LINE = 8_000;
/** What hides in a text or turns it round: what would run could then read differently from what is shown. */
const HIDDEN = /(?![\n\r\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Reads what a server's page tells people to paste: a block of settings, a line that starts the server, a line that has
 * another app add it, or an address. Pure and bounded; starts nothing, looks nothing up, never throws.
 */
export function readPaste(pasted: string): Pasted {
  if (pasted.length > MAX_PASTE) return { ok: false, reason: 'long' };
  const text = pasted.replace(/^\uFEFF/, '').trim();
  if (text === '') return { ok: false, reason: 'empty' };
  if (HIDDEN.test(text)) return { ok: false, reason: 'unsafe' };
  const plain = withoutFences(text);
  const found = firstFound(
    () => blockServers(plain),
    () => lineServers(plain),
  );
  if (typeof found === 'string') return { ok: false, reason: found };
  const servers = found ?? [];
  // Escapes in a block or a line can hide what the text itself does not.
  if (servers.some(hidesSomething)) return { ok: false, reason: 'unsafe' };
  const [first, ...more] = servers;
  return first === undefined ? { ok: false, reason: 'nothing' } : { ok: true, servers: [first, ...more] };
}

function hidesSomething({ name, command, args, env }: PastedServer): boolean {
  return [name, command, ...args, ...env.map(({ value }) => value ?? '')].some((part) => HIDDEN.test(part));
}

/** Lines that end in a backslash go on; fences and quotation marks are the page's own. */
function withoutFences(text: string): string {
  return text
    .replaceAll(/^[ \t]*```[^\n]*$/gm, '')
    .replace(/^`([^`]*)`$/, '$1')
    .replaceAll(/[\\^]\r?\n\s*/g, ' ')
    .trim();
}

/** A line with a block in it is still a line, so a block that cannot be read does not have the last word. */
function firstFound(block: () => Found, lines: () => Found): Found {
  const inBlock = block();
  if (inBlock !== null && typeof inBlock !== 'string') return inBlock;
  return lines() ?? inBlock;
}

function lineServers(text: string): Found {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length > MAX_LINES || lines.some((line) => line.length > MAX_LINE)) return 'long';
  const found = lines.map(lineServer).filter((one) => one !== null);
  const servers = found.filter((one): one is PastedServer => typeof one !== 'string');
  return servers.length > 0 ? servers : (found.find((one) => typeof one === 'string') ?? null);
}
