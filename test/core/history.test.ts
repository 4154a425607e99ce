import { expect, test } from 'vitest';
import { tell, type Names, type NoteType, type ToldEvent, type ToldLine } from '../../electron/core/history.ts';
import type {
  CapabilityId,
  CapabilityRef,
  ConsumerId,
  IncidentId,
  ManifestId,
  ProfileId,
  ServerId,
} from '../../electron/core/model.ts';

const server = 'srv-1' as ServerId;
const consumer = 'cursor' as ConsumerId;
const profile = 'pro-1' as ProfileId;
const ref = 'srv-1/tool/read_file' as CapabilityRef;
const id = `sha256:${'a'.repeat(64)}` as CapabilityId;
const at = '2026-03-01T12:00:00.000Z';
const launch = {
  type: 'stdio',
  command: '/private/prog',
  args: ['--secret', 'private-arg'],
  envNames: ['KEY'],
} as const;
const one = { kind: 'tool', originKey: 'read_file' } as const;
const names = (language: Names['language']): Names => ({
  language,
  server: () => 'Files',
  app: () => 'Cursor',
  profile: () => 'Work',
  title: () => 'Read file',
});

/** One of each kind of event; a new kind does not compile without its example. */
const EXAMPLES: { readonly [T in ToldEvent['type']]: readonly [Extract<ToldEvent, { type: T }>, string] } = {
  'server-added': [{ at, type: 'server-added', server: { id: server, name: 'Files', launch } }, 'Files was added.'],
  'server-changed': [{ at, type: 'server-changed', server, launch }, 'How Files is started was changed.'],
  'server-removed': [{ at, type: 'server-removed', server }, 'Files was removed; your choices for it are kept.'],
  'server-restored': [
    { at, type: 'server-restored', server, name: 'Files', launch },
    'Files was added again, with your earlier choices.',
  ],
  'server-asks': [
    { at, type: 'server-asks', server },
    'Files asks questions of its own, so each app gets its own copy of it.',
  ],
  'policy-set': [
    { at, type: 'policy-set', server, policy: 'review' },
    'You are asked about every change of Files from now on.',
  ],
  'policy-applied': [{ at, type: 'policy-applied', server }, 'What waited of Files and is followed now was accepted.'],
  'consumer-added': [{ at, type: 'consumer-added', consumer, name: 'Cursor' }, 'Cursor was added.'],
  exposed: [
    { at, type: 'exposed', consumer, server, target: one, shown: [] },
    '“Read file” of Files was turned on in Cursor.',
  ],
  hidden: [{ at, type: 'hidden', consumer, server, target: 'all' }, 'Everything of Files was turned off in Cursor.'],
  'profile-created': [{ at, type: 'profile-created', profile, name: 'Work' }, 'The tool set “Work” was made.'],
  'profile-added': [
    { at, type: 'profile-added', profile, server, target: 'all', shown: [] },
    'Everything Files offers was put into the tool set “Work”.',
  ],
  'profile-removed': [
    { at, type: 'profile-removed', profile, server, target: one },
    '“Read file” of Files was taken out of the tool set “Work”.',
  ],
  'profile-assigned': [
    { at, type: 'profile-assigned', profile, consumer, shown: [] },
    'The tool set “Work” was given to Cursor.',
  ],
  'profile-unassigned': [
    { at, type: 'profile-unassigned', profile, consumer },
    'The tool set “Work” was taken from Cursor.',
  ],
  decided: [
    { at, type: 'decided', consumer, ref, id, verdict: 'approved' },
    'You approved “Read file” of Files in Cursor.',
  ],
  undone: [
    { at, type: 'undone', consumer, ref, id, sequence: 3 },
    'A decision about “Read file” of Files in Cursor was undone.',
  ],
  observed: [
    {
      at,
      type: 'observed',
      observation: {
        server,
        consumer: null,
        kinds: { tool: { status: 'complete', items: [1, 2] }, prompt: { status: 'unsupported' } },
      },
    },
    'Files was looked at: it offers 2 items.',
  ],
  listed: [
    { at, type: 'listed', consumer, kind: 'tool', manifestId: id as string as ManifestId },
    'Cursor loaded its list of tools.',
  ],
  notified: [{ at, type: 'notified', incidents: ['inc-1' as IncidentId] }, 'You were told of a change.'],
  paused: [
    { at, type: 'paused', until: '2026-03-01T13:30:59.000Z', reason: 'person' },
    'All tools were paused until 2026-03-01 13:30 UTC.',
  ],
  resumed: [{ at, type: 'resumed' }, 'All tools may be used again.'],
  language: [{ at, type: 'language', language: 'en' }, 'The language was changed.'],
  rebound: [
    { at, type: 'rebound', consumer, from: [ref], to: [{ ref, id }], evidence: 'said' },
    'You said that “Read file” of Files is “Read file” now, and approved that in Cursor.',
  ],
  'told-apart': [
    { at, type: 'told-apart', consumer, ref, others: [ref] },
    'You said that nothing new of Files is “Read file” in Cursor.',
  ],
  'tell-set': [{ at, type: 'tell-set', tell: 'careful' }, 'What you are told about was changed.'],
};

test.each(Object.entries(EXAMPLES))('%s is told in one sentence, in both languages', (type, [event, sentence]) => {
  expect(tell({ type, event }, names('en')).text).toBe(sentence);
  const chinese = tell({ type, event }, names('zh-CN')).text;
  expect(chinese).toMatch(/[\u4e00-\u9fff].*。$/);
  expect(chinese).not.toContain('–');
});

test('how a server is started is never told', () => {
  for (const [event] of Object.values(EXAMPLES))
    expect(JSON.stringify(tell({ type: event.type, event }, names('en')))).not.toMatch(/private|KEY/);
});

const NOTES: Readonly<Record<NoteType, readonly [ToldLine['details'], string]>> = {
  launch: [{ server, consumer: null, connection: 'c', build: 'x 1' }, 'Files was started.'],
  publication: [{ consumer, withdrawn: [], added: ['tool/a', 'tool/b'] }, 'Cursor may use “a”, “b” now.'],
  contraction: [
    { consumer, withdrawn: ['tool/a', 'tool/b', 'tool/c', 'tool/d', 'tool/e'], added: [] },
    'Cursor may not use “a”, “b”, “c” and 2 more any more.',
  ],
  followed: [
    { consumer, followed: ['tool/a'] },
    '“a” changed, and Cursor goes on using it: the change was accepted automatically.',
  ],
};

test.each(Object.entries(NOTES))('a line about a %s is told, too', (type, [details, sentence]) => {
  expect(tell({ type, ...(details && { details }) }, names('en')).text).toBe(sentence);
});

test('a look that failed is told without taking anything for lost', () => {
  const failed = { status: 'failed' } as const;
  const observed = (kinds: object): ToldEvent => ({
    at,
    type: 'observed',
    observation: { server, consumer: null, kinds },
  });
  const text = (kinds: object): string => tell({ type: 'observed', event: observed(kinds) }, names('en')).text;
  expect(text({ tool: failed, prompt: failed })).toBe('Files could not be looked at. Nothing was taken away for that.');
  expect(text({ tool: { status: 'complete', items: [] }, prompt: failed })).toBe(
    'Files was looked at, and part of what it offers could not be read (prompts). Nothing was taken away for that.',
  );
});

test('a look that changed nothing is told from its counts', () => {
  const details = { server, consumer: null, kinds: { tool: ['complete', 3], prompt: ['unsupported', 0] } };
  expect(tell({ type: 'observed', details }, names('en'))).toMatchObject({
    server,
    text: 'Files was looked at: it offers 3 items.',
  });
});

test('a line that this version does not know is said to be one, whatever is in it', () => {
  for (const line of [
    { type: 'rebound' },
    { type: 'toString', details: {} },
    { type: 'launch' },
    { type: 'observed', details: { kinds: 7 } },
  ])
    expect(tell(line, names('en')).text).toBe('Something was recorded that this version cannot put into words.');
});

test('names that would turn the text round or break the line do not', () => {
  const evil = { ...names('en'), server: () => 'Fi\u202eles\nx'.repeat(40) };
  const { text } = tell({ type: 'server-removed', event: EXAMPLES['server-removed'][0] }, evil);
  expect(text).not.toMatch(/[\u202e\n]/);
  expect(text.length).toBeLessThan(200);
});
