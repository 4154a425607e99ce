/* eslint-disable max-lines -- the rules of one planner stand side by side, on one clock and one desktop */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Banner, ServerView, Snapshot } from '../../electron/control/snapshot.ts';
import type { ConsumerId, IncidentId, ServerId, Tell } from '../../electron/core/model.ts';
import type { Lost } from '../../electron/desktop/note-plan.ts';
import { Notes } from '../../electron/desktop/notes.ts';
import type { Note, OnNote } from '../../electron/desktop/note.ts';
import { CONTINUITY } from '../gallery/samples.ts';
import { review, snapshot, type ReviewSample } from '../support/desktop-samples.ts';
import { FakeClock } from '../support/fake-clock.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOTHING: Lost = { server: 'Exa', removed: [], unusable: [] };

let clock: FakeClock;
let now: Snapshot;
let lost: Readonly<Record<string, Lost>>;
let broken: string[];
let shown: { note: Note; press: OnNote; dismiss: () => void }[];
let closed: string[];
let ran: unknown[];
let opened: string[];
let told: string[];
let banners: Banner[];
let isInFront: boolean;
let isStale: boolean;
let canShow: boolean;
let notes: Notes;

beforeEach(() => {
  clock = new FakeClock('2026-09-01T10:00:00.000Z');
  now = snapshot();
  lost = {};
  [broken, shown, closed, ran, opened, told, banners] = [[], [], [], [], [], [], []];
  [isInFront, isStale, canShow] = [false, false, true];
  notes = new Notes({
    notifier: {
      notify: (note, press, dismiss) => {
        shown.push({ note, press, dismiss });
        return Promise.resolve(canShow);
      },
      close: (id) => closed.push(id),
      dispose: () => undefined,
    },
    clock,
    snapshot: () => now,
    lost: (id) => lost[id] ?? NOTHING,
    broken: () => broken as ServerId[], // sample ids
    inForce: () => 0,
    run: (command, input) => {
      ran.push([command, input]);
      return isStale ? Promise.reject(new Error('REVIEW_STALE')) : Promise.resolve();
    },
    open: (place) => opened.push(place),
    told: (id) => told.push(id),
    isWindowInFront: () => isInFront,
    banner: (banner) => banners.push(banner),
  });
});

/** Everything that waits now; each review's incident is `inc-1` unless it says so. */
function waits(...reviews: readonly ReviewSample[]): void {
  now = { ...now, reviews: reviews.map((given) => review(given)) };
}
const hear = (id = 'inc-1') => {
  notes.hear(id as IncidentId); // a sample id
};
const tell = (preference: Tell) => {
  now = { ...now, preferences: { ...now.preferences, tell: preference } };
};
const tryTool = (ref: string, app = 'claude') => {
  notes.tried({ consumer: app as ConsumerId, ref }); // a sample id
};
const titles = () => shown.map(({ note }) => note.title);
const press = async (at = shown.length - 1, key = shown[at]?.note.button?.key ?? null) => {
  shown[at]?.press(key);
  await clock.pass(0);
};
/** A change of its own, of a server of its own. */
const change = (n: number, given: ReviewSample = {}): ReviewSample => ({
  id: `rev-${n}`,
  ref: `srv-${n}/tool/t`,
  server: `srv-${n}` as ServerId,
  serverName: `Server ${n}`,
  title: `Tool ${n}`,
  incident: `inc-${n}`,
  ...given,
});

describe('R1: what is worth a note', () => {
  test('a tool that was on and is off now is, and quiet or decided items are not', async () => {
    waits({ quiet: true }, { id: 'rev-2', state: 'approved' }, { id: 'rev-3', state: 'superseded' });
    hear();
    await clock.pass(DAY);
    expect(titles()).toEqual([]);
    expect(told).toEqual(['inc-1']);
    waits(change(2));
    hear('inc-2');
    await clock.pass(MINUTE);
    expect(titles()).toEqual(['Tool 2 changed']);
  });

  test('what is gone is, by name, and stays on the screen until it is dismissed', async () => {
    lost = { 'inc-1': { ...NOTHING, removed: ['Clock'] } };
    hear();
    await clock.pass(20 * SECOND);
    expect(shown[0]?.note).toMatchObject({ title: 'Clock is gone from Exa', button: null });
    notes.update(now);
    expect(closed).toEqual([]);
  });

  test('a server in use that stays broken is, once, and its note goes when it works again', async () => {
    now = snapshot({ servers: [{ id: 'srv-1', name: 'Exa' } as ServerView] }); // the rest is not read
    broken = ['srv-1'];
    notes.update(now);
    await clock.pass(59 * SECOND);
    expect(titles()).toEqual([]);
    await clock.pass(SECOND);
    expect(titles()).toEqual(['Exa isn’t working']);
    await clock.pass(DAY);
    expect(titles()).toHaveLength(1);
    broken = [];
    notes.update(now);
    expect(closed).toEqual(['broken']);
    await press(0, null);
    expect(opened).toEqual(['servers']);
  });

  test('a server that restarts ten times is not', async () => {
    now = snapshot({ servers: [{ id: 'srv-1', name: 'Exa' } as ServerView] }); // the rest is not read
    for (let i = 0; i < 10; i++) {
      broken = ['srv-1'];
      notes.update(now);
      await clock.pass(30 * SECOND);
      broken = [];
      notes.update(now);
      await clock.pass(30 * SECOND);
    }
    expect(titles()).toEqual([]);
  });

  test('nothing is, over the window itself: what it shows is told', async () => {
    isInFront = true;
    waits({ severity: 'security' });
    hear();
    isInFront = false;
    await clock.pass(DAY);
    expect(titles()).toEqual([]);
    expect(told).toEqual(['inc-1']);
  });

  test('a change of names is, as the question it is, and goes once that is answered anywhere', async () => {
    lost = { 'inc-1': { ...NOTHING, removed: ['Crawl page'], removedRefs: [CONTINUITY.renamed.old[0].ref] } };
    now = { ...now, continuity: [CONTINUITY.renamed] };
    hear();
    await clock.pass(20 * SECOND);
    expect(shown[0]?.note).toMatchObject({
      title: 'Crawl page is gone. Is Fetch page the same tool?',
      body: 'It’s off in Claude and Cursor until you decide.',
      button: { label: 'Review' },
    });
    notes.update(now);
    expect(closed).toEqual([]);
    now = { ...now, continuity: [] };
    notes.update(now);
    expect(closed).toEqual(['changes']);
  });

  test.each([
    ['renamedSeveral', 'Crawl page is gone. One of 2 new tools may be the same'],
    ['merged', '4 tools became one: Agent run'],
    ['split', 'Manage page was split into 3 tools'],
  ] as const)('a change of names that is %s opens where it is answered', async (which, title) => {
    const question = CONTINUITY[which];
    lost = { 'inc-1': { ...NOTHING, removed: ['x'], removedRefs: question.old.map(({ ref }) => ref) } };
    now = { ...now, continuity: [question] };
    hear();
    await clock.pass(20 * SECOND);
    await press();
    expect([titles(), opened]).toEqual([[title], [question.id]]);
  });

  test('over the window itself, the window tells the same, with the way to it, and no note follows', async () => {
    isInFront = true;
    waits({}, { id: 'rev-2', app: 'cursor', appName: 'Cursor' });
    hear();
    expect(banners).toEqual([
      {
        title: 'Fetch page changed',
        body: 'It’s off in Claude and Cursor until you decide. What it says about itself has changed.',
        openLabel: 'Review',
        place: 'rev-1',
        reviews: ['rev-1', 'rev-2'],
      },
    ]);
    notes.update(now);
    await clock.pass(DAY);
    expect([titles(), banners.length]).toEqual([[], 1]);
  });

  test('what comes within twenty seconds is one thing to read in the window, too', async () => {
    isInFront = true;
    const all = [1, 2, 3, 4, 5].map((n) => change(n));
    for (let n = 1; n <= 5; n++) {
      waits(...all.slice(0, n));
      hear(`inc-${n}`);
      await clock.pass(4 * SECOND);
    }
    expect(banners.at(-1)).toMatchObject({ title: '5 servers changed 5 tools', place: 'inbox' });
    await clock.pass(MINUTE);
    waits(...all, change(6));
    hear('inc-6');
    expect(banners.at(-1)?.title).toBe('Tool 6 changed');
    expect(titles()).toEqual([]);
  });

  test.each(['careful', 'dot'] as const)('where only “%s” is to be told, the window tells no more', (preference) => {
    isInFront = true;
    tell(preference);
    waits({});
    hear();
    expect(banners).toEqual([]);
  });

  test('a server that broke is told in the window once it stays so', async () => {
    isInFront = true;
    now = { ...now, servers: [{ id: 'srv-1', name: 'Exa' } as unknown as ServerView] }; // the rest is not read
    broken = ['srv-1'];
    notes.update(now);
    await clock.pass(59 * SECOND);
    expect(banners).toEqual([]);
    await clock.pass(SECOND);
    expect(banners.map(({ title, place }) => [title, place])).toEqual([['Exa isn’t working', 'servers']]);
    await clock.pass(DAY);
    expect([banners.length, titles()]).toEqual([1, []]);
  });

  test('what was held back for hours is told by a look at the window', async () => {
    waits(change(1));
    hear('inc-1');
    await clock.pass(MINUTE);
    waits(change(1), change(2));
    hear('inc-2');
    await clock.pass(HOUR);
    isInFront = true;
    notes.look();
    isInFront = false;
    await clock.pass(DAY);
    expect(titles()).toEqual(['Tool 1 changed']);
    expect(told).toEqual(['inc-1', 'inc-2']);
  });
});

describe('R2: how many', () => {
  test('five servers that change within twenty seconds make one note', async () => {
    for (let n = 1; n <= 5; n++) {
      waits(...Array.from({ length: n }, (_, i) => change(i + 1)));
      hear(`inc-${n}`);
      await clock.pass(4 * SECOND);
    }
    expect(titles()).toEqual(['5 servers changed 5 tools']);
    expect(told).toEqual(['inc-1', 'inc-2', 'inc-3', 'inc-4', 'inc-5']);
  });

  test('ordinary ones come at most every four hours, and what came meanwhile comes together', async () => {
    const all: ReviewSample[] = [];
    for (let n = 1; n <= 8; n++) {
      all.push(change(n));
      waits(
        ...all.map((one, i): ReviewSample => ({ ...one, state: i < all.length - 1 && i < 1 ? 'approved' : 'pending' })),
      );
      hear(`inc-${n}`);
      await clock.pass(30 * MINUTE);
    }
    expect(titles()).toEqual(['Tool 1 changed']);
    await clock.pass(HOUR);
    expect(titles()).toEqual(['Tool 1 changed', '7 servers changed 7 tools']);
  });

  test('ordinary ones come at most three times a day', async () => {
    for (let n = 1; n <= 24; n++) {
      waits(change(n));
      hear(`inc-${n}`);
      await clock.pass(HOUR);
    }
    expect(titles()).toHaveLength(3);
    await clock.pass(HOUR);
    expect(titles()).toHaveLength(4);
  });

  test('what adds risk comes at once, whatever came before, once for each check', async () => {
    waits(change(1));
    hear('inc-1');
    await clock.pass(MINUTE);
    waits(change(2, { severity: 'security' }), change(3, { severity: 'security', incident: 'inc-2' }));
    hear('inc-2');
    await clock.pass(0);
    expect(titles()).toEqual(['Tool 1 changed', '2 servers changed 2 tools']);
    await clock.pass(DAY);
    expect(titles()).toHaveLength(2);
  });

  test('a later note takes the place of the one on the screen and goes on asking what that one asks', async () => {
    waits(change(1));
    hear('inc-1');
    await clock.pass(MINUTE);
    waits(change(1), change(2, { severity: 'security' }));
    hear('inc-2');
    await clock.pass(0);
    expect(titles()).toEqual(['Tool 1 changed', '2 servers changed 2 tools']);
    expect(new Set(shown.map(({ note }) => note.id)).size).toBe(1);
  });

  test('a note that was dismissed is not asked again by a later one', async () => {
    waits(change(1));
    hear('inc-1');
    await clock.pass(MINUTE);
    shown[0]?.dismiss();
    waits(change(1), change(2, { severity: 'security' }));
    hear('inc-2');
    await clock.pass(0);
    expect(titles()).toEqual(['Tool 1 changed', 'Tool 2 can do more now']);
  });

  test('sleep counts as time, and a clock that is set back holds nothing back for long', async () => {
    waits(change(1));
    hear('inc-1');
    clock.sleep(8 * HOUR);
    notes.look();
    await clock.pass(0);
    expect(titles()).toHaveLength(1);
    clock.sleep(-30 * DAY);
    waits(change(2));
    hear('inc-2');
    await clock.pass(20 * SECOND);
    expect(titles()).toEqual(['Tool 1 changed', 'Tool 2 changed']);
  });

  test('a note that could not be shown does not count', async () => {
    canShow = false;
    waits(change(1));
    hear('inc-1');
    await clock.pass(MINUTE);
    canShow = true;
    waits(change(2));
    hear('inc-2');
    await clock.pass(20 * SECOND);
    expect(titles()).toEqual(['Tool 1 changed', 'Tool 2 changed']);
    notes.update(snapshot());
    expect(closed).toEqual(['changes']);
  });
});

describe('R3: never twice, but for the moment of use', () => {
  test('the same change is told once, also when it goes and comes again', async () => {
    waits(change(1));
    hear('inc-1');
    await clock.pass(DAY);
    waits(change(1, { id: 'rev-1b', app: 'cursor', incident: 'inc-2' }));
    hear('inc-2');
    await clock.pass(7 * DAY);
    expect(titles()).toEqual(['Tool 1 changed']);
  });

  test('an app that tries it makes a note, at most one a day for each change', async () => {
    waits(change(1));
    hear('inc-1');
    await clock.pass(HOUR);
    for (let i = 0; i < 23; i++) {
      tryTool('srv-1/tool/t');
      await clock.pass(HOUR);
    }
    expect(titles()).toEqual(['Tool 1 changed', 'claude tried to use Tool 1']);
    expect(shown[1]?.note.body).toBe('It’s waiting for your OK. Nothing was run.');
    await clock.pass(HOUR);
    tryTool('srv-1/tool/t');
    expect(titles()).toHaveLength(3);
  });

  test('an assistant that tries one tool after the other makes one', async () => {
    waits(...[1, 2, 3].map((n) => change(n)));
    for (const n of [1, 2, 3]) tryTool(`srv-${n}/tool/t`);
    await clock.pass(0);
    expect(titles()).toEqual(['claude tried to use Tool 1']);
  });

  test('a change that was told when it was tried is not told once more, and never by two notes at once', async () => {
    waits(change(1));
    hear('inc-1');
    tryTool('srv-1/tool/t');
    await clock.pass(DAY);
    expect(titles()).toEqual(['claude tried to use Tool 1']);
    expect(told).toEqual(['inc-1']);
    waits(change(2));
    hear('inc-2');
    await clock.pass(MINUTE);
    tryTool('srv-2/tool/t');
    expect(closed).toEqual(['tried', 'changes']);
  });

  test('what no app asks about, another app’s tool, or a quiet item make none', async () => {
    waits(change(1, { quiet: true }), change(2, { state: 'kept-off' }));
    tryTool('srv-1/tool/t');
    tryTool('srv-2/tool/t');
    tryTool('srv-9/tool/t');
    waits(change(3));
    tryTool('srv-3/tool/t', 'cursor');
    await clock.pass(0);
    expect(titles()).toEqual([]);
  });
});

describe('R4: a note goes when it has nothing to ask', () => {
  test('it goes at once when all it asks about is decided elsewhere, and not before', async () => {
    waits({}, { id: 'rev-2', app: 'cursor', appName: 'Cursor' });
    hear();
    await clock.pass(MINUTE);
    waits({ state: 'approved' }, { id: 'rev-2', app: 'cursor' });
    notes.update(now);
    expect(closed).toEqual([]);
    waits({ state: 'approved' }, { id: 'rev-2', app: 'cursor', state: 'superseded' });
    notes.update(now);
    expect(closed).toEqual(['changes']);
  });

  test('what is decided while it is collected is never told', async () => {
    waits({});
    hear();
    await clock.pass(10 * SECOND);
    waits({ state: 'kept-off' });
    notes.update(now);
    await clock.pass(DAY);
    expect(titles()).toEqual([]);
    expect(told).toEqual(['inc-1']);
  });

  test('what is decided while the desktop is slow to show it goes away as well', async () => {
    waits({ severity: 'security' });
    hear();
    waits({ state: 'kept-off' });
    await clock.pass(0);
    expect(closed).toEqual(['changes']);
  });

  test('it counts as told when it is out, and not before', async () => {
    waits({});
    hear();
    await clock.pass(19 * SECOND);
    expect(told).toEqual([]);
    await clock.pass(SECOND);
    expect(told).toEqual(['inc-1']);
  });
});

test('R5: a tool that nobody used for thirty days makes no note until an app tries it', async () => {
  waits(change(1, { isUnused: true }));
  hear('inc-1');
  await clock.pass(DAY);
  expect(titles()).toEqual([]);
  expect(told).toEqual(['inc-1']);
  tryTool('srv-1/tool/t');
  await clock.pass(0);
  expect(titles()).toEqual(['claude tried to use Tool 1']);
});

test('R6: more than five open changes are one note that opens all of them and approves nothing', async () => {
  waits(...[1, 2, 3, 4, 5, 6].map((n) => change(n, { incident: 'inc-1' })));
  hear('inc-1');
  await clock.pass(MINUTE);
  await press();
  expect(titles()).toEqual(['6 servers changed 6 tools']);
  expect(ran).toEqual([]);
  expect(opened).toEqual(['inc-1']);
});

test('R7: what a policy accepted makes no note', async () => {
  waits({ state: 'approved', decidedBy: 'policy' });
  hear();
  await clock.pass(7 * DAY);
  expect(titles()).toEqual([]);
});

describe('R8: the button', () => {
  test('Approve approves exactly what was shown, in all its apps, and opens nothing', async () => {
    waits({}, { id: 'rev-2', app: 'cursor', appName: 'Cursor' });
    hear();
    await clock.pass(MINUTE);
    await press();
    expect(ran).toEqual([
      ['review.approve', { id: 'rev-1', target: 'sha256:2' }],
      ['review.approve', { id: 'rev-2', target: 'sha256:2' }],
    ]);
    expect(opened).toEqual([]);
  });

  test('Approve of a change that has moved on, or was kept off meanwhile, approves nothing and shows it', async () => {
    waits({});
    hear();
    await clock.pass(MINUTE);
    waits({ targetId: 'sha256:9' });
    await press();
    waits(change(2));
    hear('inc-2');
    await clock.pass(4 * HOUR);
    waits(change(2, { state: 'kept-off' }));
    await press();
    expect(ran).toEqual([]);
    expect(opened).toEqual(['rev-1', 'rev-2']);
  });

  test('a press that crossed with another note in its place approves neither', async () => {
    waits(change(1));
    hear('inc-1');
    await clock.pass(MINUTE);
    const [first] = shown;
    waits(change(1), change(2));
    hear('inc-2');
    await clock.pass(4 * HOUR);
    // One desktop knows only which note it was, and passes the key of the button that was read.
    await press(1, first?.note.button?.key);
    expect(ran).toEqual([]);
    expect(opened).toEqual(['inbox']);
  });

  test('a press on a change that is judged graver by now opens the review', async () => {
    waits(change(1));
    hear('inc-1');
    await clock.pass(MINUTE);
    waits(change(1, { severity: 'security' }));
    await press();
    expect(ran).toEqual([]);
    expect(opened).toEqual(['rev-1']);
  });

  test('a tool that is new is never approved here, however small it looks', async () => {
    waits(change(1, { change: { change: 'added' } }));
    hear('inc-1');
    tryTool('srv-1/tool/t');
    await clock.pass(MINUTE);
    for (let at = 0; at < shown.length; at++) await press(at);
    expect(shown.length).toBeGreaterThan(0);
    expect(ran).toEqual([]);
  });

  test('an approval that is refused opens the review', async () => {
    waits({});
    hear();
    await clock.pass(MINUTE);
    isStale = true;
    await press();
    expect(opened).toEqual(['rev-1']);
  });

  test('a click on the note, and Review, open the right review: also where there are no buttons', async () => {
    waits({ severity: 'security' });
    hear();
    await clock.pass(MINUTE);
    await press();
    await press(0, null);
    expect(opened).toEqual(['rev-1', 'rev-1']);
    expect(ran).toEqual([]);
  });
});

describe('what the person wants to hear of', () => {
  test('careful only: what adds risk, and nothing else', async () => {
    tell('careful');
    lost = { 'inc-3': { ...NOTHING, removed: ['Clock'] } };
    waits(change(1), change(2, { severity: 'security' }));
    for (const id of ['inc-1', 'inc-2', 'inc-3']) hear(id);
    tryTool('srv-1/tool/t');
    await clock.pass(DAY);
    expect(titles()).toEqual(['Tool 2 can do more now']);
    expect([...told].sort()).toEqual(['inc-1', 'inc-2', 'inc-3']);
  });

  test('dot only: nothing at all', async () => {
    tell('dot');
    now = { ...now, servers: [{ id: 'srv-1', name: 'Exa' } as ServerView] }; // the rest is not read
    broken = ['srv-1'];
    waits(change(1, { severity: 'security' }));
    hear('inc-1');
    tryTool('srv-1/tool/t');
    await clock.pass(DAY);
    expect(titles()).toEqual([]);
    expect(told).toEqual(['inc-1']);
  });
});
