import { z } from 'zod';
import { CATALOGUE } from './catalogue.ts';
import { refused } from './refused.ts';

/** What a link asks to have laid out. Nothing is looked up, fetched or started here. */
export type LinkWish =
  | { readonly wants: 'catalogue'; readonly name: string }
  | { readonly wants: 'address'; readonly address: string; readonly name: string }
  | { readonly wants: 'settings'; readonly settings: string; readonly name: string };

const LINK_SCHEME = 'holdfast:';
/** As long as some systems let a link be. */
const MAX_LINK = 8_000;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,59}$/u;

const nameShape = z.string().regex(NAME).default('');
const paramsShape = z.union([
  z.strictObject({ catalogue: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,199}$/) }),
  z.strictObject({ url: z.string().startsWith('https://').max(2_000), name: nameShape }),
  z.strictObject({ config: z.string().regex(/^[A-Za-z0-9+/_=-]{4,7900}$/), name: nameShape }),
]);

/**
 * Reads `holdfast://add?…`, which anybody may have written: `catalogue=NAME` of the list that comes with Holdfast,
 * `url=https://…`, or `config=` with one entry as apps write it, in base64; the last two with a `name`, where they like.
 * Exactly that and nothing else.
 * @throws HoldfastError OFFER_REFUSED linked
 */
export function readLink(link: string): LinkWish {
  if (link.length > MAX_LINK) throw refused('linked', { reason: 'it is too long' });
  const params = paramsOf(link);
  if ('catalogue' in params) {
    // Any other name would have the registry asked, and a file fetched and unpacked, before anybody saw what it is.
    if (!CATALOGUE.some(({ id }) => id === params.catalogue))
      throw refused('linked', { reason: 'the list that comes with Holdfast has no server of that name' });
    return { wants: 'catalogue', name: params.catalogue };
  }
  if ('url' in params) return { wants: 'address', address: params.url, name: params.name };
  return { wants: 'settings', settings: settingsIn(params.config), name: params.name };
}

function paramsOf(link: string): z.output<typeof paramsShape> {
  const url = urlOf(link);
  const isAdd = url?.protocol === LINK_SCHEME && url.host === 'add' && ['', '/'].includes(url.pathname);
  if (url === undefined || !isAdd) throw refused('linked', { reason: 'it is no link to add a server' });
  if (url.username !== '' || url.password !== '' || url.hash !== '')
    throw refused('linked', { reason: 'there is more in it than belongs there' });
  const names = [...url.searchParams.keys()];
  if (new Set(names).size !== names.length) throw refused('linked', { reason: 'it says something twice' });
  const params = paramsShape.safeParse(Object.fromEntries(url.searchParams));
  if (!params.success) throw refused('linked', { reason: 'what it says does not fit' }, params.error);
  return params.data;
}

function urlOf(link: string): URL | undefined {
  try {
    return new URL(link);
  } catch {
    return undefined; // no link at all
  }
}

/** One object, so that nothing but a server's settings can be in it. */
function settingsIn(base64: string): string {
  try {
    const bytes = Buffer.from(base64, base64.includes('-') || base64.includes('_') ? 'base64url' : 'base64');
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
    return JSON.stringify(z.record(z.string().max(100), z.unknown()).parse(JSON.parse(text)));
  } catch (cause) {
    throw refused('linked', { reason: 'its settings cannot be read' }, cause);
  }
}
