import { parseArgs, type ParseArgsConfig } from 'node:util';
import { HoldfastError } from '../core/errors.ts';
import { badInput } from './bad-input.ts';
import { GETTING_ROWS } from './getting-arguments.ts';
import { absoluteProgram } from './program-paths.ts';
import { IMPORT_ABOUT } from './import-help.ts';
import { PUBLISH_ABOUT } from './publish-help.ts';

/** Commands that look at the files themselves, in whatever state they are. */
export const LOOKING: readonly string[] = ['doctor', 'diagnostics'];
/** Commands for publishers: they have no data folder. */
export const PUBLISHING: readonly string[] = ['snapshot', 'diff', 'verify'];

/** A command of the table with its input, ready to be checked and run. */
export interface Call {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

type Options = NonNullable<ParseArgsConfig['options']>;
interface Parsed {
  readonly values: Readonly<Record<string, unknown>>;
  /** Before `--`. */
  readonly words: readonly string[];
  /** After `--`. */
  readonly rest: readonly string[];
}

/** One command of the command line. */
export interface Row {
  readonly usage: string;
  /** Positional words that must be there, and those that may. */
  readonly words: readonly [least: number, most: number];
  readonly options?: Options;
  /** A command line after `--`: one that runs in a folder of its own, or one that runs here. */
  readonly takesProgram?: 'there' | 'here';
  /** For `--help`, below the usage. */
  readonly about?: string;
  readonly call: (parsed: Parsed) => Call;
}

const DRY_RUN: Options = { 'dry-run': { type: 'boolean' } };
const ENV: Options = { env: { type: 'string', multiple: true } };
/** The program that a publisher's command starts. */
const started = ({ values, rest: [command, ...args] }: Parsed): Call['input'] => ({
  command: command ?? missing('the command of a server after “--”'),
  args,
  env: environment(values['env']),
});
const DECIDE: Options = { app: { type: 'string' }, target: { type: 'string' } };

const plain = (name: string, usage: string, ...keys: readonly string[]): Row => ({
  usage,
  words: [keys.length, keys.length],
  call: ({ words }) => ({ name, input: Object.fromEntries(keys.map((key, at) => [key, words[at]])) }),
});

/** OWNER SERVER, or OWNER SERVER KIND ORIGIN-KEY. */
const target = (name: string, usage: string, owner: string, options: Options = {}): Row => ({
  usage,
  words: [2, 4],
  options,
  call: ({ words: [who, server, kind, originKey], values }) => ({
    name,
    input: { [owner]: who, server, kind, originKey, ...values },
  }),
});

const decision = (name: string, usage: string, options: Options): Row => ({
  usage,
  words: [1, 1],
  options,
  call: ({ words: [id], values }) => ({
    name,
    input: { id, ...values, ...(typeof values['decision'] === 'string' && { decision: Number(values['decision']) }) },
  }),
});

const hostEdit = (name: string, usage: string): Row => ({
  usage,
  words: [1, 1],
  options: DRY_RUN,
  call: ({ words: [app], values }) => ({ name, input: { app, dryRun: values['dry-run'] === true } }),
});

/** The command line, one row a command: first words -> what they mean. */
export const ROWS: Readonly<Record<string, Row>> = {
  'servers list': plain('servers.list', 'servers list'),
  'servers add': {
    usage: 'servers add NAME [--env K=V|K]... [--restore|--fresh] -- COMMAND ARGS...',
    words: [1, 1],
    options: { ...ENV, restore: { type: 'boolean' }, fresh: { type: 'boolean' } },
    takesProgram: 'there',
    call: ({ words: [name], values, rest: [program, ...args] }) => ({
      name: 'servers.add',
      input: {
        name,
        command: program,
        args,
        env: environment(values['env']),
        known: values['restore'] === true ? 'restore' : values['fresh'] === true ? 'fresh' : 'ask',
      },
    }),
  },
  'servers set': {
    usage: 'servers set NAME [--env K=V|K]... [-- COMMAND ARGS...]',
    words: [1, 1],
    options: ENV,
    takesProgram: 'there',
    call: ({ words: [name], values, rest: [program, ...args] }) => ({
      name: 'servers.set',
      input: { name, env: environment(values['env']), ...(program !== undefined && { command: program, args }) },
    }),
  },
  'servers policy': {
    usage: 'servers policy NAME [review|follow-safe|follow] [--apply]',
    words: [1, 2],
    options: { apply: { type: 'boolean' } },
    call: ({ words: [name, policy], values }) =>
      values['apply'] === true
        ? { name: 'servers.apply-policy', input: { name, ...(policy !== undefined && { policy }) } }
        : { name: 'servers.policy', input: { name, ...(policy !== undefined && { policy }) } },
  },
  'servers remove': plain('servers.remove', 'servers remove NAME', 'name'),
  'servers show': plain('servers.show', 'servers show NAME', 'name'),
  'servers check': plain('servers.check', 'servers check NAME', 'name'),
  'servers forget-keys': plain('servers.forget-keys', 'servers forget-keys'),
  'demo add': plain('demo.add', 'demo add'),
  'demo change': plain('demo.change', 'demo change none|small|careful', 'change'),
  'demo reset': plain('demo.reset', 'demo reset'),
  'apps list': plain('apps.list', 'apps list'),
  'apps add': {
    usage: 'apps add APP [--name TITLE]',
    words: [1, 1],
    options: { name: { type: 'string' } },
    call: ({ words: [app], values }) => ({ name: 'apps.add', input: { app, ...values } }),
  },
  'apps connect': hostEdit('apps.connect', 'apps connect APP [--dry-run]'),
  'apps disconnect': hostEdit('apps.disconnect', 'apps disconnect APP [--dry-run]'),
  'apps disconnect-all': plain('apps.disconnect-all', 'apps disconnect-all'),
  'apps repair': hostEdit('apps.repair', 'apps repair APP [--dry-run]'),
  import: {
    usage: 'import [--look|--dry-run] [--leave] [--app APP]... [NAME...]',
    words: [0, 200],
    options: {
      ...DRY_RUN,
      look: { type: 'boolean' },
      leave: { type: 'boolean' },
      app: { type: 'string', multiple: true },
    },
    about: IMPORT_ABOUT,
    call: ({ words, values }) => importCall(words, values),
  },
  'profiles list': plain('profiles.list', 'profiles list'),
  'profiles create': plain('profiles.create', 'profiles create NAME', 'name'),
  'profiles add': target('profiles.add', 'profiles add NAME SERVER [KIND ORIGIN-KEY]', 'profile'),
  'profiles remove': target('profiles.remove', 'profiles remove NAME SERVER [KIND ORIGIN-KEY]', 'profile'),
  'profiles assign': plain('profiles.assign', 'profiles assign NAME APP', 'profile', 'app'),
  'profiles unassign': plain('profiles.unassign', 'profiles unassign NAME APP', 'profile', 'app'),
  expose: target('expose', 'expose APP SERVER [KIND ORIGIN-KEY [--target SHA256]]', 'app', {
    target: { type: 'string' },
  }),
  hide: target('hide', 'hide APP SERVER [KIND ORIGIN-KEY]', 'app'),
  surface: plain('surface', 'surface APP', 'app'),
  why: {
    usage: 'why APP NAME | why APP SERVER [KIND] ORIGIN-KEY',
    words: [2, 4],
    call: ({ words }) => ({ name: 'why', input: whyInput(words) }),
  },
  'review list': plain('review.list', 'review list'),
  'review show': plain('review.show', 'review show ID', 'id'),
  'review approve': decision('review.approve', 'review approve ID [--app APP] [--target SHA256]', DECIDE),
  'review keep-off': decision('review.keep-off', 'review keep-off ID [--app APP] [--target SHA256]', DECIDE),
  'review undo': decision('review.undo', 'review undo ID [--app APP] [--decision NUMBER]', {
    app: { type: 'string' },
    decision: { type: 'string' },
  }),
  pause: {
    usage: 'pause [MINUTES]',
    words: [0, 1],
    call: ({ words: [minutes] }) => ({
      name: 'pause',
      input: minutes === undefined ? {} : { minutes: Number(minutes) },
    }),
  },
  resume: plain('resume', 'resume'),
  history: {
    usage: 'history [--server NAME] [--app APP] [--limit N]',
    words: [0, 0],
    options: { server: { type: 'string' }, app: { type: 'string' }, limit: { type: 'string' } },
    call: ({ values }) => ({ name: 'history', input: { ...values, ...limit(values) } }),
  },
  trace: {
    usage: 'trace [--app APP] [--limit N]',
    words: [0, 0],
    options: { app: { type: 'string' }, limit: { type: 'string' } },
    call: ({ values }) => ({ name: 'trace', input: { ...values, ...limit(values) } }),
  },
  snapshot: {
    usage: 'snapshot [-o FILE] [--env K=V|K]... -- COMMAND ARGS...',
    words: [0, 0],
    options: { ...ENV, output: { type: 'string', short: 'o' } },
    takesProgram: 'here',
    about: PUBLISH_ABOUT.snapshot,
    call: (parsed) => ({ name: 'snapshot', input: { ...started(parsed), output: parsed.values['output'] } }),
  },
  diff: {
    usage: 'diff OLD NEW [--fail-on SEVERITY] [--markdown]',
    words: [2, 2],
    options: { 'fail-on': { type: 'string', default: 'breaking' }, markdown: { type: 'boolean', default: false } },
    about: PUBLISH_ABOUT.diff,
    call: ({ words: [old, now], values }) => ({
      name: 'diff',
      input: { old, new: now, failOn: values['fail-on'], markdown: values['markdown'] },
    }),
  },
  verify: {
    usage: 'verify SAMPLES [--timeout SECONDS] [--env K=V|K]... -- COMMAND ARGS...',
    words: [1, 1],
    options: { ...ENV, timeout: { type: 'string' } },
    takesProgram: 'here',
    about: PUBLISH_ABOUT.verify,
    call: (parsed) => ({
      name: 'verify',
      input: { ...started(parsed), samples: parsed.words[0], timeout: parsed.values['timeout'] },
    }),
  },
  ...GETTING_ROWS,
  doctor: plain('doctor', 'doctor'),
  diagnostics: {
    usage: 'diagnostics [-o FILE]',
    words: [0, 0],
    options: { output: { type: 'string', short: 'o' } },
    call: ({ values }) => ({ name: 'diagnostics', input: values }),
  },
};

/** What `--help` says of the command that these words begin with; `undefined` where they do not ask. */
export function helpFor(args: readonly string[]): string | undefined {
  const end = args.indexOf('--');
  if (!args.slice(0, end < 0 ? args.length : end).includes('--help')) return undefined;
  const [first = '', second = ''] = args;
  const rows = Object.entries(ROWS).filter(([key]) => key === first || key === `${first} ${second}`);
  const texts = rows.map(([, { usage, about }]) => `holdfast ${usage}\n${about === undefined ? '' : `\n${about}\n`}`);
  return texts.length === 0 ? undefined : texts.join('');
}

/**
 * The command that these words mean.
 * @throws HoldfastError COMMAND_BAD_INPUT
 */
export function parseCall(args: readonly string[]): Call {
  const [first = '', second = ''] = args;
  const key = Object.hasOwn(ROWS, `${first} ${second}`) ? `${first} ${second}` : first;
  const row = Object.hasOwn(ROWS, key) ? ROWS[key] : undefined;
  if (row === undefined) throw badInput(`there is no command “${[first, second].join(' ').trim()}”`);
  const parsed = parse(args.slice(key.split(' ').length), row);
  return row.call(parsed);
}

function parse(args: readonly string[], row: Row): Parsed {
  const at = args.indexOf('--');
  const [before, rest] = at < 0 ? [args, []] : [args.slice(0, at), args.slice(at + 1)];
  if (rest.length > 0 && row.takesProgram === undefined) throw badInput(`usage: holdfast ${row.usage}`);
  try {
    const { values, positionals, tokens } = parseArgs({
      args: [...before],
      options: row.options ?? {},
      allowPositionals: true,
      strict: true,
      tokens: true,
    });
    refuseTwice(
      tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : [])),
      row,
    );
    const [least, most] = row.words;
    if (positionals.length < least || positionals.length > most) throw badInput(`usage: holdfast ${row.usage}`);
    return {
      values,
      words: positionals,
      rest: row.takesProgram === 'here' ? rest : absoluteProgram(rest, process.cwd()),
    };
  } catch (error) {
    if (error instanceof HoldfastError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw badInput(`${reason}; usage: holdfast ${row.usage}`);
  }
}

/** One of two values would count for nothing, and nobody would know which. */
function refuseTwice(names: readonly string[], { options = {}, usage }: Row): void {
  const twice = names.find((name, at) => options[name]?.multiple !== true && names.indexOf(name) < at);
  if (twice !== undefined) throw badInput(`--${twice} was given twice; usage: holdfast ${usage}`);
}

/** Servers that people have in their apps; without a name, all that need nobody's help. */
function importCall(names: readonly string[], { look, leave, app, 'dry-run': dryRun }: Parsed['values']): Call {
  if (look === true) return { name: 'import.look', input: {} };
  const input = { leave: leave === true, dryRun: dryRun === true, ...(app !== undefined && { apps: app }) };
  return { name: 'import.take', input: names.length === 0 ? input : { ...input, names } };
}

/** As the app knows it, or by the server's own words. */
function whyInput([app, first, second, third]: readonly string[]): Call['input'] {
  if (second === undefined) return { app, name: first };
  return third === undefined
    ? { app, server: first, originKey: second }
    : { app, server: first, kind: second, originKey: third };
}

/** What is no number is refused where the input is checked. */
function limit(values: Parsed['values']): { readonly limit?: number } {
  return typeof values['limit'] === 'string' ? { limit: Number(values['limit']) } : {};
}

/** Values of keys may hold anything after the first `=`. A name alone takes its value from here, so that no list of processes shows it. */
function environment(given: unknown): Record<string, string> {
  const pairs = Array.isArray(given) ? given.map(String) : [];
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      const own = at < 0 ? process.env[pair] : undefined;
      if (own !== undefined) return [pair, own];
      if (at < 1) throw badInput('--env takes KEY=VALUE, or the KEY of a value in your own environment');
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

function missing(what: string): never {
  throw badInput(`it takes ${what}`);
}
