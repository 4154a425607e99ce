import { beforeEach, expect, test } from 'vitest';
import type { Snapshot } from '../../electron/control/snapshot.ts';
import type { IncidentId } from '../../electron/core/model.ts';
import { IncidentNotes } from '../../electron/desktop/incident-notes.ts';
import type { Note, OnNote } from '../../electron/desktop/note.ts';
import { review, snapshot } from '../support/desktop-samples.ts';

const incident = 'inc-1' as IncidentId; // a sample id
let now: Snapshot;
let shown: { note: Note; press: OnNote }[];
let closed: string[];
let ran: unknown[];
let opened: (string | undefined)[];
let isInFront: boolean;
let isStale: boolean;
let canShow: boolean;
let notes: IncidentNotes;

beforeEach(() => {
  now = snapshot({ reviews: [review()] });
  [shown, closed, ran, opened] = [[], [], [], []];
  [isInFront, isStale, canShow] = [false, false, true];
  notes = new IncidentNotes({
    notifier: {
      notify: (note, press) => {
        shown.push({ note, press });
        return Promise.resolve(canShow);
      },
      close: (id) => closed.push(id),
      dispose: () => undefined,
    },
    snapshot: () => now,
    removedBy: () => Promise.resolve({ serverName: 'Exa', removed: ['Clock'], unusable: [] }),
    run: (command, input) => {
      ran.push([command, input]);
      return isStale ? Promise.reject(new Error('REVIEW_STALE')) : Promise.resolve();
    },
    open: (id) => opened.push(id),
    isWindowInFront: () => isInFront,
  });
});

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

test('Approve approves exactly what was shown, and opens nothing', async () => {
  await notes.notify(incident);
  now = snapshot({ reviews: [review({ targetId: 'sha256:9' })] });
  shown[0]?.press('approve');
  await settle();
  expect(ran).toEqual([['review.approve', { id: 'rev-1', target: 'sha256:2' }]]);
  expect(opened).toEqual([]);
});

test('a stale Approve opens the window on that review', async () => {
  await notes.notify(incident);
  isStale = true;
  shown[0]?.press('approve');
  await settle();
  expect(opened).toEqual(['rev-1']);
});

test('Review and a click on the note open the window on the review', async () => {
  await notes.notify(incident);
  shown[0]?.press('review');
  shown[0]?.press(null);
  expect(opened).toEqual(['rev-1', 'rev-1']);
  expect(ran).toEqual([]);
});

test('a note goes away when all it asks about is decided elsewhere, and not before', async () => {
  const second = review({ id: 'rev-2', app: 'cursor', appName: 'Cursor' });
  now = snapshot({ reviews: [review(), second] });
  await notes.notify(incident);
  notes.update(snapshot({ reviews: [review({ state: 'approved' }), second] }));
  expect(closed).toEqual([]);
  notes.update(snapshot({ reviews: [review({ state: 'approved' }), review({ ...second, state: 'superseded' })] }));
  notes.update(snapshot());
  expect(closed).toEqual(['inc-1']);
});

test('what is decided while the desktop is slow to show it goes away as well', async () => {
  const telling = notes.notify(incident);
  now = snapshot({ reviews: [review({ state: 'kept-off' })] });
  await telling;
  expect(closed).toEqual(['inc-1']);
});

test('nothing is shown over the window itself', async () => {
  isInFront = true;
  await notes.notify(incident);
  expect(shown).toEqual([]);
});

test('removals are told by name and stay until they are dismissed', async () => {
  now = snapshot();
  await notes.notify(incident);
  expect(shown[0]?.note).toMatchObject({ title: 'Clock is gone from Exa', button: null });
  notes.update(snapshot());
  expect(closed).toEqual([]);
  shown[0]?.press(null);
  expect(opened).toEqual([undefined]);
});

test('where nothing can be shown, nothing is taken away later', async () => {
  canShow = false;
  await notes.notify(incident);
  notes.update(snapshot());
  expect(closed).toEqual([]);
});
