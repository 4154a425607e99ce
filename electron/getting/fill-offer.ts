import type { ArgumentGroup, Filled, Offer, OfferField, Template, Values } from './offer.ts';

/** Bounds on what one field takes. */
const MAX_VALUES = 50;
const MAX_VALUE = 8_192;
const NEVER = /[\0\p{Cs}]/u;

/**
 * The server with what the person filled in: pure, and nothing is started. What stays empty and may do so is left out,
 * with all that belongs to it. Places that miss a value read as its title in angle brackets. `kept` are values of the
 * environment from the version before: they stand where nothing else was given.
 */
export function fillOffer(offer: Offer, given: Values, kept: Readonly<Record<string, string>> = {}): Filled {
  const standing = standingKeys(offer, given, kept);
  const values = new Map(offer.fields.map((field) => [field.key, valuesOf(field, given)]));
  const titles = new Map(offer.fields.map(({ key, title, isRequired }) => [key, isRequired ? `<${title}>` : null]));
  const look = (key: string): readonly string[] => {
    const found = values.get(key) ?? [];
    const stand = titles.get(key) ?? null;
    return found.length > 0 || stand === null ? found : [stand];
  };
  const env = Object.entries(offer.env).flatMap(([name, template]) => {
    const isKept = keysIn([template]).some((key) => standing.has(key));
    const value = isKept ? kept[name] : filled([template], look)[0]?.[0];
    return value === undefined ? [] : [[name, value] as const];
  });
  const isMissing = ({ key, isRequired }: OfferField): boolean =>
    isRequired && !standing.has(key) && (values.get(key) ?? []).length === 0;
  return {
    command: offer.command,
    args: offer.args.flatMap((group) => filled(group, look).flat()),
    env: Object.fromEntries(env),
    missing: offer.fields.filter(isMissing).map(({ key }) => key),
    wrong: offer.fields.filter((field) => !fits(field, values.get(field.key) ?? [])).map(({ key }) => key),
  };
}

/** Fields that were not given and need not be: all that they fill has its value from before. */
function standingKeys(offer: Offer, given: Values, kept: Readonly<Record<string, string>>): ReadonlySet<string> {
  const inArgs = new Set(offer.args.flatMap(keysIn));
  const rows = Object.entries(offer.env).map(([name, template]) => ({ name, keys: keysIn([template]) }));
  const isKept = (key: string): boolean => {
    const used = rows.filter(({ keys }) => keys.includes(key));
    return used.length > 0 && used.every(({ name }) => Object.hasOwn(kept, name));
  };
  const keys = offer.fields.map(({ key }) => key);
  return new Set(keys.filter((key) => !Object.hasOwn(given, key) && !inArgs.has(key) && isKept(key)));
}

function keysIn(group: ArgumentGroup): string[] {
  return group.flat().flatMap((part) => (typeof part === 'string' ? [] : [part.field]));
}

/** What was given, else the default; of empty ones nothing is left. */
function valuesOf({ key, default: fallback }: OfferField, given: Values): readonly string[] {
  const own = Object.hasOwn(given, key) ? given[key] : undefined;
  return (own ?? fallback).filter((value) => value.trim() !== '');
}

/** The group once for each value of its first field with several; not at all where one of its fields is empty. */
function filled(group: ArgumentGroup, look: (key: string) => readonly string[]): string[][] {
  const keys = keysIn(group);
  if (keys.some((key) => look(key).length === 0)) return [];
  const many = keys.find((key) => look(key).length > 1);
  const rounds = many === undefined ? 1 : look(many).length;
  return Array.from({ length: rounds }, (_, round) =>
    group.map((template) => textOf(template, (key) => look(key)[key === many ? round : 0] ?? '')),
  );
}

function textOf(template: Template, valueOf: (key: string) => string): string {
  return template.map((part) => (typeof part === 'string' ? part : valueOf(part.field))).join('');
}

const FITS: Readonly<Record<OfferField['type'], (value: string, field: OfferField) => boolean>> = {
  text: () => true,
  folder: () => true,
  file: () => true,
  'yes-no': (value) => value === 'true' || value === 'false',
  number: (value, { min, max }) => {
    const number = /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
    return Number.isFinite(number) && number >= (min ?? -Infinity) && number <= (max ?? Infinity);
  },
};

function fits(field: OfferField, values: readonly string[]): boolean {
  if (values.length > (field.isMany ? MAX_VALUES : 1)) return false;
  return values.every((value) => {
    if (value.length > MAX_VALUE || NEVER.test(value)) return false;
    if (field.choices.length > 0 && !field.choices.includes(value)) return false;
    return FITS[field.type](value, field);
  });
}
