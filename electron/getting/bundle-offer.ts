import { cleanName, cleanText } from '../core/display.ts';
import { givenName } from './given-name.ts';
import type { Manifest, ManifestField } from './manifest.ts';
import type { ArgumentGroup, Offer, OfferField, Template } from './offer.ts';
import { refused } from './refused.ts';
import { steeringIn } from './steers.ts';

/** Where a bundle will be, and on what kind of system. */
export interface BundlePlace {
  /** Absolute path of the folder it is unpacked into. */
  readonly folder: string;
  readonly platform: NodeJS.Platform;
  readonly home: string;
}

const TYPES: Readonly<Record<ManifestField['type'], OfferField['type']>> = {
  string: 'text',
  number: 'number',
  boolean: 'yes-no',
  directory: 'folder',
  file: 'file',
};

/**
 * What a bundle would start and what it asks for: pure. `files` are the names of what is in it; `label` is what the file
 * is called in sentences.
 * @throws HoldfastError OFFER_REFUSED platform, no-entry, secret, steers, manifest
 */
export function bundleOffer(manifest: Manifest, place: BundlePlace, files: ReadonlySet<string>, label: string): Offer {
  const { platforms } = manifest.compatibility ?? {};
  if (platforms !== undefined && !platforms.includes(place.platform)) throw refused('platform', { file: label });
  const program = programOf(manifest, place.platform);
  requireEntry(manifest, program, files, label);
  const known = constants(place);
  const fields = Object.entries(manifest.user_config).map(([key, field]) => offerField(key, field, known));
  const read = (text: string): Template => templateOf(text, known, fields, label);
  const command = commandOf(program.command, place, files, label, known);
  const args = program.args.map((arg): ArgumentGroup => [read(arg)]);
  const secret = fields.find(({ key, isSecret }) => isSecret && args.some((group) => names(group, key)));
  if (secret !== undefined) throw refused('secret', { name: secret.title });
  const env = Object.fromEntries(Object.entries(program.env).map(([name, text]) => [name, read(text)]));
  const steering = steeringIn(env, fields, place);
  if (steering !== undefined) throw refused('steers', { file: label, name: steering });
  return {
    name: givenName(manifest.display_name ?? manifest.name),
    version: manifest.version,
    about: cleanText(manifest.description).slice(0, 500),
    command,
    args,
    env,
    fields,
    isRemote: false,
  };
}

/** Files of a bundle that have to be startable, whatever the archive says of them. */
export function startableFiles(manifest: Manifest, platform: NodeJS.Platform): ReadonlySet<string> {
  const { entry_point: entry, type } = manifest.server;
  const { command } = programOf(manifest, platform);
  return new Set([...(type === 'binary' ? [inBundle(entry)] : []), inBundle(command)].filter((name) => name !== null));
}

type Program = NonNullable<Manifest['server']['mcp_config']>;

/** With what is different on this system. Python that uv starts need not say how. */
function programOf({ server }: Manifest, platform: NodeJS.Platform): Omit<Program, 'platform_overrides'> {
  const { command, args, env, platform_overrides } = server.mcp_config ?? uvProgram(server.entry_point);
  const other = Object.hasOwn(platform_overrides, platform) ? platform_overrides[platform] : undefined;
  return { command: other?.command ?? command, args: other?.args ?? args, env: { ...env, ...other?.env } };
}

function uvProgram(entry: string): Program {
  const args = ['run', '--directory', '${__dirname}', entry];
  return { command: 'uv', args, env: {}, platform_overrides: {} };
}

/** What stands for something on this computer. */
function constants({ folder, platform, home }: BundlePlace): ReadonlyMap<string, string> {
  const separator = platform === 'win32' ? '\\' : '/';
  const below = (name: string): string => `${home}${separator}${name}`;
  return new Map([
    ['__dirname', folder],
    ['HOME', home],
    ['DESKTOP', below('Desktop')],
    ['DOCUMENTS', below('Documents')],
    ['DOWNLOADS', below('Downloads')],
    ['/', separator],
    ['pathSeparator', separator],
  ]);
}

const PLACE = /\$\{([^{}]{1,120})\}/g;
const FIELD = 'user_config.';

/** @throws HoldfastError OFFER_REFUSED manifest, for a place that nothing fills: it would be started half said. */
function templateOf(
  text: string,
  known: ReadonlyMap<string, string>,
  fields: readonly OfferField[],
  label: string,
): Template {
  const parts: Template[number][] = [];
  let from = 0;
  for (const match of text.matchAll(PLACE)) {
    const [whole, name = ''] = match;
    const key = name.startsWith(FIELD) ? name.slice(FIELD.length) : undefined;
    const value = known.get(name);
    if (value === undefined && !fields.some((field) => field.key === key))
      throw refused('manifest', { file: label, reason: `nothing fills ${whole.slice(0, 60)}` });
    parts.push(text.slice(from, match.index), value ?? { field: key ?? '' });
    from = match.index + whole.length;
  }
  return [...parts, text.slice(from)].filter((part) => part !== '');
}

function names(group: ArgumentGroup, key: string): boolean {
  return group.flat().some((part) => typeof part !== 'string' && part.field === key);
}

function offerField(key: string, field: ManifestField, known: ReadonlyMap<string, string>): OfferField {
  const given = field.default === undefined ? [] : Array.isArray(field.default) ? field.default : [field.default];
  const about = cleanText(field.description).slice(0, 500);
  return {
    key,
    title: cleanName(field.title),
    about: about === '' ? null : about,
    type: TYPES[field.type],
    isSecret: field.sensitive,
    isRequired: field.required,
    isMany: field.multiple,
    // A key that a file brings along is nobody's key.
    default: field.sensitive ? [] : given.map((value) => withConstants(String(value), known)),
    choices: [],
    min: field.min ?? null,
    max: field.max ?? null,
  };
}

function withConstants(text: string, known: ReadonlyMap<string, string>): string {
  return text.replaceAll(PLACE, (whole, name: string) => known.get(name) ?? whole);
}

/** A program of the bundle is started from there; any other by its name or its absolute path. */
function commandOf(
  command: string,
  { folder, platform }: BundlePlace,
  files: ReadonlySet<string>,
  label: string,
  known: ReadonlyMap<string, string>,
): string {
  const inner = inBundle(command);
  if (inner === null) return withConstants(command, known);
  const isThere = files.has(inner) || (platform === 'win32' && files.has(`${inner}.exe`));
  if (!isThere) throw refused('no-entry', { file: label, entry: inner.slice(0, 200) });
  const separator = platform === 'win32' ? '\\' : '/';
  return [folder, ...inner.split('/')].join(separator);
}

/** What is started has to be there; some bundles name an entry that their command does not use. */
function requireEntry({ server }: Manifest, program: Pick<Program, 'args'>, files: ReadonlySet<string>, label: string) {
  const inner = server.entry_point.replaceAll('\\', '/').replace(/^(?:\$\{__dirname\}\/|\.\/)/, '');
  const isUsed =
    server.type === 'binary' || program.args.some((arg) => arg.replaceAll(/\\|\$\{\/\}/g, '/').endsWith(inner));
  // On Windows a program may be named without its ending.
  if (!isUsed || files.has(inner) || files.has(`${inner}.exe`)) return;
  throw refused('no-entry', { file: label, entry: inner.slice(0, 200) });
}

/** The name in the bundle that a command means; `null` for a program that is found by its name or absolute path. */
function inBundle(command: string): string | null {
  const plain = command.replaceAll('${/}', '/').replaceAll('\\', '/');
  if (plain.startsWith('${__dirname}/')) return plain.slice('${__dirname}/'.length);
  if (/^(?:\/|[A-Za-z]:|\$\{)/.test(plain) || !plain.includes('/')) return null;
  return plain.replace(/^\.\//, '');
}
