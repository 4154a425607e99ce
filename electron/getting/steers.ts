import type { BundlePlace } from './bundle-offer.ts';
import { isBelow } from './is-below.ts';
import type { OfferField, Template } from './offer.ts';

/** Variables that make a program load, fetch or run something else than what the line says. */
export const STEERS =
  /^(?:path|pathext|node_(?!env$).*|npm_.*|prefix|ld_.*|dyld_.*|gconv_path|python(?!(?:unbuffered|utf8|ioencoding|dontwritebytecode)$).*|pip_.*|uv_.*|bash_env|env|shell|comspec|systemroot|perl.*|ruby.*|docker_.*|dotnet_.*|nuget_.*|electron_.*|https?_proxy|all_proxy|ssl_.*|openssl_.*|git_.*|home|userprofile|appdata|localappdata|xdg_.*)$/i;

/** These only add folders that a program of the bundle loads its own parts from. */
const LOADS_PARTS = /^(?:pythonpath|pythonhome|node_path)$/i;
const NAMES_HOME = /^(?:home|userprofile)$/i;

/**
 * The variable of a bundle that would change what is started, or where it comes from, without the person having said so;
 * `undefined` where there is none. What stays within the bundle, what is so anyway, and what is asked for without a value
 * being suggested, changes nothing.
 */
export function steeringIn(
  env: Readonly<Record<string, Template>>,
  fields: readonly OfferField[],
  place: BundlePlace,
): string | undefined {
  const isSaidByPerson = (template: Template): boolean =>
    template.some((part) => typeof part !== 'string') &&
    template.every((part) => typeof part !== 'string' && hasNoDefault(fields, part.field));
  const rows = Object.entries(env).filter(([name]) => STEERS.test(name));
  return rows.find(([name, template]) => !isSaidByPerson(template) && !staysAsItIs(name, template, place))?.[0];
}

function hasNoDefault(fields: readonly OfferField[], key: string): boolean {
  return fields.some((field) => field.key === key && field.default.length === 0);
}

function staysAsItIs(name: string, template: Template, { folder, home, platform }: BundlePlace): boolean {
  if (!template.every((part) => typeof part === 'string')) return false;
  const value = template.join('');
  if (NAMES_HOME.test(name)) return value === home;
  const parts = value.split(platform === 'win32' ? ';' : ':');
  const isInside = (part: string): boolean => part.startsWith(folder) && isBelow(folder, part) && !part.includes('..');
  return LOADS_PARTS.test(name) && parts.every(isInside);
}
