import type { PastedEnv, PastedServer, Unreadable } from './pasted.ts';
import { serverOf } from './parts.ts';

/** Sites that describe servers and are none. */
const PAGES = /(?:^|\.)(?:github\.com|gitlab\.com|npmjs\.com|pypi\.org|smithery\.ai|glama\.ai|readthedocs\.io)$/;
const PAGE_FILE = /\.(?:md|html?|txt|pdf)$/i;
const OWN_COMPUTER = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
const HEADER = /^[A-Za-z][A-Za-z0-9-]{0,60}$/;

/**
 * A server on the internet is reached through `mcp-remote`, which is started like any other server. Values of headers go
 * into its environment: arguments are visible to every program on the computer.
 */
export function addressServer(
  text: string,
  name: string,
  headers: Readonly<Record<string, string>> = {},
): PastedServer | Unreadable {
  const url = addressOf(text);
  if (typeof url === 'string') return url;
  const names = Object.keys(headers);
  if (names.some((header) => !HEADER.test(header))) return 'nothing';
  const envName = (header: string): string => `HEADER_${header.toUpperCase().replaceAll('-', '_')}`;
  const env = names.map((header): PastedEnv => ({ ...headerRow(headers[header] ?? ''), name: envName(header) }));
  const args = names.flatMap((header) => ['--header', `${header}:\${${envName(header)}}`]);
  const found = serverOf(name === '' ? hostName(url) : name, 'npx', ['-y', 'mcp-remote', url.href, ...args], env);
  return typeof found === 'string' ? found : { ...found, holes: [], isRemote: true };
}

/** A header's value is a key, unless it only stands for one. */
function headerRow(value: string): Omit<PastedEnv, 'name'> {
  const standsFor = /<.*>|\$\{|\{\{|your[\s_-]|^\s*$|^bearer\s*$/i.test(value);
  return { value: standsFor ? null : value, isSecret: true };
}

function addressOf(text: string): URL | Unreadable {
  const url = urlOf(text);
  if (url === undefined || !['https:', 'http:'].includes(url.protocol)) return 'nothing';
  if (url.username !== '' || url.password !== '') return 'unsafe';
  if (PAGES.test(url.hostname) || PAGE_FILE.test(url.pathname)) return 'page';
  // Elsewhere anybody on the way could read along.
  return url.protocol === 'http:' && !OWN_COMPUTER.test(url.hostname) ? 'unsafe' : url;
}

function urlOf(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined; // not an address
  }
}

/** `mcp.exa.ai` -> `exa`. */
function hostName({ hostname }: URL): string {
  const parts = hostname.split('.').filter((part) => !['www', 'mcp', 'api'].includes(part));
  return parts.at(-2) ?? parts[0] ?? hostname;
}
