import path from 'node:path';
import type { Row } from './arguments.ts';
import { badInput } from './bad-input.ts';

const ABOUT = `What is added comes from a bundle (FILE.mcpb, or FILE.dxt of its older name) or from a list (catalogue:NAME, see
"holdfast catalogue search"). Without --yes nothing is added: the whole command is shown, and what it asks for.
--set KEY=VALUE fills something in, as often as there are values; --set KEY takes the value from your environment, so that
a key is on no command line. --update NAME puts a newer version of a bundle in the place of the one that server runs from;
what you do not fill in keeps its value. --restore and --fresh are as with "servers add".`;

/** Servers from files and lists. */
export const GETTING_ROWS: Readonly<Record<string, Row>> = {
  add: {
    usage:
      'add FILE.mcpb|catalogue:NAME [--name NAME] [--set KEY=VALUE|KEY]... [--update NAME] [--restore|--fresh] [--yes]',
    words: [1, 1],
    options: {
      name: { type: 'string' },
      set: { type: 'string', multiple: true },
      update: { type: 'string' },
      restore: { type: 'boolean' },
      fresh: { type: 'boolean' },
      yes: { type: 'boolean' },
    },
    about: ABOUT,
    call: ({ words: [what = ''], values }) => ({
      name: 'getting.add-from',
      input: {
        ...(what.startsWith('catalogue:') ? { listed: what.slice('catalogue:'.length) } : { file: path.resolve(what) }),
        ...(typeof values['name'] === 'string' && { name: values['name'] }),
        ...(typeof values['update'] === 'string' && { update: values['update'] }),
        values: filledIn(values['set']),
        known: values['restore'] === true ? 'restore' : values['fresh'] === true ? 'fresh' : 'ask',
        yes: values['yes'] === true,
      },
    }),
  },
  'apps bundle': {
    usage: 'apps bundle claude-desktop --out FILE.mcpb',
    words: [1, 1],
    options: { out: { type: 'string', short: 'o' } },
    about: `Writes a file that Claude Desktop takes in through its own window (Settings, Extensions), for where its settings file
does not keep the entry. It is for this computer and this user.`,
    call: ({ words: [app], values }) => {
      if (typeof values['out'] !== 'string' || values['out'] === '') throw badInput('--out takes a file');
      return { name: 'apps.bundle', input: { app, file: path.resolve(values['out']) } };
    },
  },
  'catalogue search': {
    usage: 'catalogue search [WORD] [--online]',
    words: [0, 1],
    options: { online: { type: 'boolean' } },
    about: 'Looks in the list that comes with Holdfast; with --online in the public registry of MCP servers, too.',
    call: ({ words: [word], values }) => ({
      name: 'getting.search',
      input: { ...(word !== undefined && { word }), online: values['online'] === true },
    }),
  },
};

/** `KEY=VALUE`, or the `KEY` of a value in the environment; a key that comes again has several values. */
function filledIn(given: unknown): Record<string, string[]> {
  const filled = new Map<string, string[]>();
  for (const pair of Array.isArray(given) ? given.map(String) : []) {
    const at = pair.indexOf('=');
    const own = at < 0 ? process.env[pair] : undefined;
    if (at < 1 && own === undefined)
      throw badInput('--set takes KEY=VALUE, or the KEY of a value in your own environment');
    const key = own === undefined ? pair.slice(0, at) : pair;
    filled.set(key, [...(filled.get(key) ?? []), own ?? pair.slice(at + 1)]);
  }
  return Object.fromEntries(filled);
}
