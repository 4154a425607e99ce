import { z } from 'zod';
import { cleanName, cleanText } from '../core/display.ts';
import { EDIT_VIEWS } from './readable-edit.ts';

const reason = z.object({ en: z.string() });
const env = z.array(z.object({ name: z.string() }));
const runs = { command: z.string(), args: z.array(z.string()), folder: z.string().nullable(), env };
const looked = z.object({
  servers: z.array(
    z.object({
      ...runs,
      name: z.string(),
      isKnown: z.boolean(),
      isSuggested: z.boolean(),
      blanks: z.array(z.object({ label: z.string() })),
      apps: z.array(z.object({ title: z.string(), isDisabled: z.boolean(), project: z.string().nullable() })),
    }),
  ),
  skipped: z.array(z.object({ title: z.string(), entry: z.string(), reason })),
  unread: z.array(z.object({ title: z.string(), file: z.string(), hint: z.string() })),
});
const takenShape = z.object({
  dryRun: z.boolean(),
  taken: z.array(
    z.object({
      ...runs,
      name: z.string(),
      isNew: z.boolean(),
      tools: z.array(z.string()).nullable(),
      apps: z.array(z.object({ app: z.string(), isOn: z.boolean(), stays: z.boolean() })),
    }),
  ),
  left: z.array(z.object({ name: z.string(), reason })),
  edits: z.array(z.unknown()),
});

/** Everything that would run, whole and as it is: it is what a person says yes to. */
function runsLine({ command, args, folder, env: names }: Readonly<z.output<z.ZodObject<typeof runs>>>): string {
  const keys = names.length === 0 ? '' : `    with: ${names.map(({ name }) => name).join(', ')}\n`;
  const where = folder === null ? '' : `    in: ${folder}\n`;
  return cleanText(`    runs: ${[command, ...args].map(quoted).join(' ')}\n${where}${keys}`);
}

function quoted(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : JSON.stringify(word);
}

function look(result: unknown): string {
  const { servers, skipped, unread } = looked.parse(result);
  const blocks = servers.map((server) => {
    const apps = server.apps.map(({ title, isDisabled, project }) => {
      const notes = [isDisabled ? 'switched off there' : '', project === null ? '' : `only for ${project}`];
      const said = notes.filter((note) => note !== '').join(', ');
      return said === '' ? title : `${title} (${said})`;
    });
    const needs = server.blanks.map(({ label }) => label).join(', ');
    const asks = needs === '' ? '' : `    needs: ${needs}\n`;
    const known = server.isKnown ? ' (in Holdfast already)' : '';
    return `${cleanName(server.name)}${known}: ${cleanText(apps.join(', '))}\n${runsLine(server)}${cleanText(asks)}`;
  });
  const rest = [
    ...skipped.map(({ title, entry, reason: { en } }) => `${cleanName(entry)} stays in ${title}: ${cleanText(en)}\n`),
    ...unread.map(({ title, file, hint }) => `${title}: ${cleanText(file)} was left out. ${cleanText(hint)}\n`),
  ];
  const head = servers.length === 0 ? 'No servers were found in your apps.\n' : '';
  return `${head}${[...blocks, ...rest].join('')}`;
}

function take(result: unknown): string {
  const { dryRun, taken, left, edits } = takenShape.parse(result);
  const blocks = taken.map((server) => {
    const off = server.apps.filter(({ isOn }) => !isOn).map(({ app }) => app);
    const stays = server.apps.filter((one) => one.stays).map(({ app }) => app);
    const notes = [
      off.length === 0 ? '' : `    stays off in: ${off.join(', ')}\n`,
      stays.length === 0 ? '' : `    also stays in the settings of: ${stays.join(', ')}\n`,
    ];
    const did = dryRun ? 'would be taken over' : server.isNew ? 'was taken over' : 'was in Holdfast already';
    const apps = server.apps.map(({ app }) => app).join(', ');
    return `${cleanName(server.name)} ${did}, from ${apps}.\n${runsLine(server)}${notes.join('')}`;
  });
  const kept = left.map(({ name, reason: { en } }) => `${cleanName(name)}: ${cleanText(en)}\n`);
  const edited = edits.map((edit) => EDIT_VIEWS['apps.connect']?.(edit) ?? '');
  const nothing = taken.length + left.length === 0 ? 'There is nothing to take over.\n' : '';
  const back = edits.length === 0 || dryRun ? '' : 'To have the old settings back: holdfast apps disconnect APP\n';
  return `${nothing}${[...blocks, ...kept, ...edited].join('')}${back}`;
}

export const IMPORT_VIEWS: Readonly<Record<string, (result: unknown) => string>> = {
  'import.look': look,
  'import.take': take,
};
