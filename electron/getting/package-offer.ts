import { cleanName, cleanText } from '../core/display.ts';
import { launchRoute } from '../core/launch.ts';
import { givenName } from './given-name.ts';
import type { ArgumentGroup, Offer, OfferField, Template } from './offer.ts';
import type {
  RegistryArgument,
  RegistryInput,
  RegistryKeyValue,
  RegistryPackage,
  RegistryRemote,
} from './server-json.ts';
import { STEERS } from './steers.ts';

/** How a server is called and told of, whichever way it is started. */
export interface Named {
  readonly name: string;
  readonly about: string;
  readonly version: string | null;
}

/** Why a package of the registry is not started. */
export type NoWay =
  | 'kind'
  | 'transport'
  | 'elsewhere'
  | 'name'
  | 'version'
  | 'runtime'
  | 'steers'
  | 'secret'
  | 'address'
  | 'form'
  | 'fingerprint';

/** In a sentence that says why a server is not started. */
const NO_WAY: Readonly<Record<NoWay, readonly [en: string, zh: string]>> = {
  kind: ['it is published in a way that is not known here', '它的发布方式无法识别'],
  transport: ['it has to be started by hand first', '它需要先手动启动'],
  elsewhere: [
    'it is kept in another place than usual, where it would not be looked for',
    '它存放在非常规的位置，不会从那里获取',
  ],
  name: ['its name is no plain name', '它的名称不规范'],
  version: ['it does not say which version', '它没有指定确切的版本'],
  runtime: ['it wants to be started with another program', '它要求用其他程序启动'],
  steers: ['it would change how programs are started', '它会改变程序的启动方式'],
  secret: [
    'a key of yours would be on the command line, where every program can read it',
    '你的密钥会出现在命令行里，任何程序都能读到',
  ],
  address: ['its address is not safe', '它的地址不安全'],
  form: ['its address has blanks in it', '它的地址中有待填的部分'],
  fingerprint: ['it does not give the fingerprint of its file', '它没有给出文件的指纹'],
};

/** Why a server is not started, in words. */
export function noWayWords(why: NoWay, language: 'en' | 'zh-CN'): string {
  return NO_WAY[why][language === 'en' ? 0 : 1];
}

/** What a package comes to: a command, a bundle that has to be fetched first, or a reason against it. */
export type PackageWay =
  | { readonly way: 'command'; readonly offer: Offer }
  | { readonly way: 'bundle'; readonly url: string; readonly sha256: string }
  | { readonly way: 'none'; readonly why: NoWay };

/** One kind of package: what its names and versions look like, and how it is started. */
interface Kind {
  readonly bases: readonly string[];
  readonly hint: string;
  readonly name: RegExp;
  readonly version: RegExp | null;
  /** Options before the package, in the order of the program. */
  readonly before: (keys: readonly string[]) => readonly string[];
  readonly spec: (name: string, version: string | undefined) => string;
  readonly between: readonly string[];
  /** Options of the program that may be given, as what is written for them; with any other, something else could run. */
  readonly options: Readonly<Record<string, string>>;
  /** Takes `-e NAME`. */
  readonly passesOn?: true;
  /** The launch identity of this name (README, "Launch identity"), where the program is one that has such. */
  readonly route?: (name: string) => string;
}

const EXACT = /^\d[\w.+-]*$/;
const KINDS: Readonly<Record<string, Kind>> = {
  npm: {
    bases: ['https://registry.npmjs.org'],
    hint: 'npx',
    name: /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i,
    version: EXACT,
    before: () => ['-y'],
    spec: (name, version) => `${name}@${version ?? ''}`,
    between: [],
    options: { '-y': '-y', '--yes': '-y' },
    route: (name) => `npm:${name}`,
  },
  pypi: {
    bases: ['https://pypi.org'],
    hint: 'uvx',
    name: /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/,
    version: EXACT,
    before: () => [],
    spec: (name, version) => `${name}==${version ?? ''}`,
    between: [],
    options: {},
    route: (name) => `pypi:${name.toLowerCase().replaceAll(/[-_.]+/g, '-')}`,
  },
  oci: {
    bases: ['https://docker.io', 'https://ghcr.io', 'https://quay.io', 'https://mcr.microsoft.com'],
    hint: 'docker',
    name: /^[a-z0-9][a-z0-9._-]*(?::\d+)?(?:\/[a-z0-9][a-z0-9._-]*)*(?::[\w][\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$/,
    version: null,
    before: (keys) => ['run', '-i', '--rm', ...keys.flatMap((key) => ['-e', key])],
    spec: (name, version) => (version === undefined || /[:@][^/]*$/.test(name) ? name : `${name}:${version}`),
    between: [],
    options: { run: 'run', '-i': '-i', '--interactive': '-i', '--rm': '--rm', '--init': '--init' },
    passesOn: true,
    route: (name) => `oci:${name.replace(/@.*$/, '').replace(/:[^/]*$/, '')}`,
  },
  nuget: {
    bases: ['https://api.nuget.org', 'https://api.nuget.org/v3/index.json'],
    hint: 'dnx',
    name: /^[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?$/,
    version: EXACT,
    before: () => [],
    spec: (name, version) => `${name}@${version ?? ''}`,
    between: ['--yes', '--'],
    options: { '-y': '--yes', '--yes': '--yes' },
  },
};

/** How a package of the registry is started: pure. What is not certain to be the package that is named is not started. */
export function packageWay(pack: RegistryPackage, named: Named): PackageWay {
  if (pack.transport.type !== 'stdio') return none('transport');
  if (pack.registryType === 'mcpb') return bundleWay(pack);
  const kind = Object.hasOwn(KINDS, pack.registryType) ? KINDS[pack.registryType] : undefined;
  if (kind === undefined) return none('kind');
  const why = objection(pack, kind);
  if (why !== undefined) return none(why);
  const options = runtimeOptions(pack, kind);
  if (options === undefined || pack.environmentVariables.some(isSteering)) return none('steers');
  const form = new Form();
  const env = form.env(pack.environmentVariables);
  const own = pack.packageArguments.map((argument) => form.group(argument));
  if (form.hasSecretIn(own)) return none('secret');
  const words = (texts: readonly string[]): ArgumentGroup[] => texts.map((word) => [[word]]);
  const passedOn = [...new Set([...Object.keys(env), ...options.passedOn])];
  const usual = kind.before(passedOn);
  const before = [...usual, ...options.flags.filter((word) => ![...usual, ...kind.between].includes(word))];
  const between = own.length === 0 ? kind.between.filter((word) => word !== '--') : kind.between;
  const spec = kind.spec(pack.identifier, pack.version);
  const isNamed = kind.route?.(pack.identifier) === launchRoute({ command: kind.hint, args: [...before, spec] });
  if (kind.route !== undefined && !isNamed) return none('name');
  return {
    way: 'command',
    offer: {
      ...offerNamed(named),
      command: kind.hint,
      args: [...words([...before, spec, ...between]), ...own],
      env,
      fields: form.fields,
      isRemote: false,
    },
  };
}

function none(why: NoWay): PackageWay {
  return { way: 'none', why };
}

function offerNamed({ name, about, version }: Named): Pick<Offer, 'name' | 'version' | 'about'> {
  return { name: givenName(name), version, about: about === '' ? null : cleanText(about).slice(0, 500) };
}

/** The program would fetch from its own place, whatever place is named: another place means another package. */
function objection(pack: RegistryPackage, { bases, hint, name, version }: Kind): NoWay | undefined {
  const base = pack.registryBaseUrl?.replace(/\/+$/, '');
  if (base !== undefined && !bases.includes(base)) return 'elsewhere';
  if (!name.test(pack.identifier)) return 'name';
  if (version === null ? !isPinnedImage(pack) : !version.test(pack.version ?? '')) return 'version';
  if (pack.runtimeHint !== undefined && pack.runtimeHint !== hint) return 'runtime';
  return undefined;
}

/** What is given to the program itself: `undefined` where one of it is not certain to leave the package what it is. */
function runtimeOptions(
  { runtimeArguments }: RegistryPackage,
  { options, passesOn }: Kind,
): { readonly flags: readonly string[]; readonly passedOn: readonly string[] } | undefined {
  const given = runtimeArguments.flatMap(runtimeWords);
  const flags = new Set<string>();
  const passedOn: string[] = [];
  for (let at = 0; at < given.length; at += 1) {
    const word = given[at] ?? '';
    const next = given[at + 1] ?? '';
    if (Object.hasOwn(options, word)) flags.add(options[word] ?? word);
    else if (passesOn === true && word === '-e' && /^[A-Za-z_]\w{0,199}$/.test(next)) {
      passedOn.push(next);
      at += 1;
    } else return undefined;
  }
  return { flags: [...flags], passedOn };
}

/** What would have to be filled in is no word that is known beforehand: an empty one, which no program takes. */
function runtimeWords(argument: RegistryArgument): string[] {
  const { value, default: fallback } = argument;
  if (argument.type === 'positional') return [value ?? ''];
  if (value === undefined && fallback === undefined) return [argument.name];
  return [argument.name, value ?? ''];
}

/** It brings a value along for what decides how programs are started; what a person fills in is their own. */
function isSteering({ name, value, default: fallback, choices }: RegistryKeyValue): boolean {
  return STEERS.test(name) && (value !== undefined || fallback !== undefined || choices.length > 0);
}

/** `latest` is another image tomorrow. */
function isPinnedImage({ identifier, version }: RegistryPackage): boolean {
  const tag = /:([^/@]+)(?:@|$)/.exec(identifier)?.[1] ?? version;
  if (identifier.includes('@sha256:')) return true;
  return tag !== undefined && /^\w[\w.-]{0,127}$/.test(tag) && tag !== 'latest';
}

function bundleWay({ identifier, fileSha256 }: RegistryPackage): PackageWay {
  if (fileSha256 === undefined || !/^[0-9a-f]{64}$/i.test(fileSha256)) return none('fingerprint');
  return isHttps(identifier) ? { way: 'bundle', url: identifier, sha256: fileSha256.toLowerCase() } : none('address');
}

function isHttps(address: string): boolean {
  try {
    const { protocol, username, password } = new URL(address);
    return protocol === 'https:' && username === '' && password === '';
  } catch {
    return false; // not an address
  }
}

/** A server on the internet, through `mcp-remote`; keys are in the environment, not on the command line. */
export function remoteWay({ type, url, headers }: RegistryRemote, named: Named): PackageWay {
  if (type !== 'streamable-http' && type !== 'sse') return none('transport');
  if (/[{}]/.test(url)) return none('form');
  if (!isHttps(url)) return none('address');
  const form = new Form();
  const rows = headers.map((header) => ({ ...header, name: headerVariable(header.name) }));
  const env = form.env(rows);
  const args = headers.flatMap(({ name, isRequired }, at) => {
    const variable = rows[at]?.name ?? '';
    // An optional one that stays empty would send a header without a value.
    return Object.hasOwn(env, variable) && (isRequired || isConstant(env[variable]))
      ? [[['--header'], [`${name}:\${${variable}}`]]]
      : [];
  });
  const used = rows.filter(({ name }, at) => headers[at]?.isRequired === true || isConstant(env[name]));
  const kept = Object.fromEntries(used.flatMap(({ name }) => (env[name] === undefined ? [] : [[name, env[name]]])));
  const fields = form.fields.filter(({ key }) => used.some(({ name }) => key === name || key.startsWith(`${name}.`)));
  return {
    way: 'command',
    offer: {
      ...offerNamed(named),
      command: 'npx',
      args: [[['-y']], [['mcp-remote']], [[new URL(url).href]], ...args],
      env: kept,
      fields,
      isRemote: true,
    },
  };
}

function headerVariable(header: string): string {
  return `HEADER_${header.toUpperCase().replaceAll('-', '_')}`;
}

function isConstant(template: Template | undefined): boolean {
  return template?.every((part) => typeof part === 'string') ?? false;
}

const FORMATS = { string: 'text', number: 'number', boolean: 'yes-no', filepath: 'file' } as const;

/** Collects what has to be asked for while the arguments are read. */
class Form {
  readonly fields: OfferField[] = [];

  env(rows: readonly RegistryKeyValue[]): Record<string, Template> {
    return Object.fromEntries(rows.map((row) => [row.name, this.#template(row, row.name, row.name, false)]));
  }

  group(argument: RegistryArgument): ArgumentGroup {
    const label =
      argument.type === 'named' ? argument.name : (argument.valueHint ?? `argument ${this.fields.length + 1}`);
    const key = `argument${this.fields.length}.${label.replaceAll(/[^\w-]/g, '')}`;
    // A flag that says all by its name has neither a value nor anything to ask for.
    const isFlag = argument.type === 'named' && argument.value === undefined && argument.default === undefined;
    if (isFlag && argument.description === '' && !argument.isRequired) return [[argument.name]];
    const template = this.#template(argument, key, label.replace(/^-+/, ''), argument.isRepeated);
    return argument.type === 'named' ? [[argument.name], template] : [template];
  }

  hasSecretIn(groups: readonly ArgumentGroup[]): boolean {
    const keys = groups.flat(2).flatMap((part) => (typeof part === 'string' ? [] : [part.field]));
    return this.fields.some(({ key, isSecret }) => isSecret && keys.includes(key));
  }

  #template(input: RegistryInput, key: string, title: string, isMany: boolean): Template {
    if (input.value === undefined) {
      this.fields.push(fieldOf(input, key, title, isMany));
      return [{ field: key }];
    }
    const parts = input.value.split(/\{([\w.-]{1,100})\}/);
    return parts.flatMap((part, at): Template => {
      if (at % 2 === 0) return part === '' ? [] : [part];
      const variable = Object.hasOwn(input.variables, part) ? input.variables[part] : undefined;
      if (variable === undefined) return [`{${part}}`];
      if (variable.value !== undefined) return [variable.value];
      const field = fieldOf(
        { ...variable, isSecret: variable.isSecret || input.isSecret },
        `${key}.${part}`,
        part,
        isMany,
      );
      if (!this.fields.some((other) => other.key === field.key)) this.fields.push(field);
      return [{ field: field.key }];
    });
  }
}

function fieldOf(
  input: Omit<RegistryInput, 'variables' | 'value'>,
  key: string,
  title: string,
  isMany: boolean,
): OfferField {
  const about = cleanText(input.description).slice(0, 500);
  return {
    key,
    title: cleanName(title),
    about: about === '' ? null : about,
    type: FORMATS[input.format],
    isSecret: input.isSecret,
    isRequired: input.isRequired,
    isMany,
    default: input.isSecret || input.default === undefined ? [] : [input.default],
    choices: input.choices,
    min: null,
    max: null,
  };
}
