import { z } from 'zod';
import { cleanName, cleanText } from '../core/display.ts';
import { table } from './readable-table.ts';

const foundShape = z.object({
  found: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      about: z.string(),
      version: z.string(),
      from: z.string(),
      isDeprecated: z.boolean(),
    }),
  ),
  isCut: z.boolean(),
  asOf: z.string().nullable(),
});
const offeredShape = z.object({
  added: z.boolean(),
  server: z.string().optional(),
  from: z.string(),
  source: z.string(),
  name: z.string(),
  version: z.string().nullable(),
  about: z.string().nullable(),
  author: z.string().nullable(),
  digest: z.string().nullable(),
  command: z.string(),
  args: z.array(z.string()),
  env: z.array(z.object({ name: z.string(), value: z.string().nullable() })),
  fields: z.array(
    z.object({
      key: z.string(),
      title: z.string(),
      isRequired: z.boolean(),
      isSecret: z.boolean(),
      about: z.string().nullable(),
    }),
  ),
  missing: z.array(z.string()),
  updates: z.array(z.string()),
});

/** Words for what was found, and for a server that is laid out. */
export const GETTING_VIEWS: Readonly<Record<string, (result: unknown) => string>> = {
  'getting.search': (result) => foundText(foundShape.parse(result)),
  'apps.bundle': (result) => {
    const { file, name } = bundleShape.parse(result);
    return `${cleanText(file)} was written. Open it in ${cleanName(name)}: Settings, Extensions.\n`;
  },
  'getting.add-from': (result) => offeredText(offeredShape.parse(result)),
};

const bundleShape = z.object({ file: z.string(), name: z.string() });

const ORIGINS: Readonly<Record<string, string>> = {
  catalogue: 'its offer was looked at by us',
  registry: 'not looked at by us',
  file: 'a file',
};

function foundText({ found, isCut, asOf }: z.output<typeof foundShape>): string {
  const rows = found.map(({ name, title, about, version, from, isDeprecated }) => [
    ...[`catalogue:${name}`, cleanName(title), cleanName(version), ORIGINS[from] ?? from],
    `${isDeprecated ? 'no longer kept up. ' : ''}${cleanName(about, 100)}`,
  ]);
  const cut = isCut ? 'There are more; look for a longer word.\n' : '';
  return `${table(rows)}${cut}${asOf === null ? '' : `The public list cannot be reached; this is from ${asOf}.\n`}`;
}

function offeredText(view: z.output<typeof offeredShape>): string {
  if (view.added)
    return `${cleanName(view.server ?? view.name)} was added. No app has it yet: see "holdfast expose".\n`;
  const { name, version, author, digest, from, source, command, args, env, fields, missing, updates } = view;
  const facts = [
    ['server', [cleanName(name), version ?? ''].join(' ').trim()],
    ['from', `${cleanName(source)} (${ORIGINS[from] ?? from})`],
    ['by its own word, of', author === null ? '' : cleanName(author)],
    ['fingerprint', digest ?? ''],
    [
      'runs',
      [command, ...args].map((part) => (/^[\w@%+=:,./~<>$-]+$/.test(part) ? part : JSON.stringify(part))).join(' '),
    ],
    ...env.map(({ name: key, value }) => ['with', `${key}=${value ?? '•••'}`]),
    ['another version of', updates.map((one) => cleanName(one)).join(', ')],
  ].filter(([, fact]) => fact !== '');
  const asked = fields.map((field) => [
    `  ${field.key}`,
    missing.includes(field.key) ? 'needed' : field.isRequired ? 'needed, filled in' : 'may stay empty',
    cleanName([field.title, field.about ?? ''].join(': '), 100),
  ]);
  return [
    table(facts),
    ...(asked.length === 0 ? [] : ['It asks for:\n', table(asked)]),
    'Nothing was added, and nothing was started. Add --yes to add it.\n',
  ]
    .map(cleanText)
    .join('');
}
