import { expect, test } from 'vitest';
import type { Note } from '../../electron/desktop/note.ts';
import { isGone, toastOf } from '../../electron/desktop/toast.ts';

const NOTE: Note = {
  id: 'changes',
  title: 'Clock changed',
  body: 'It’s off in Claude until you decide.',
  button: { key: 'approve.1', label: 'Approve' },
  openLabel: 'Review',
};
const TEXT = { title: NOTE.title, body: NOTE.body, silent: true };
const APPROVE = [{ type: 'button', text: 'Approve' }];

test.each([
  ['win32', NOTE, { ...TEXT, id: 'changes', icon: '/i.png', timeoutType: 'default', actions: APPROVE }],
  ['win32', { ...NOTE, button: null }, { ...TEXT, id: 'changes', icon: '/i.png', timeoutType: 'default', actions: [] }],
  ['darwin', NOTE, { ...TEXT, id: 'changes', actions: APPROVE }],
  ['darwin', { ...NOTE, button: null }, { ...TEXT, id: 'changes', actions: [] }],
  // Electron shows no buttons there; the click on the note itself opens the review.
  ['linux', NOTE, { ...TEXT, icon: '/i.png', urgency: 'normal' }],
] as const)('on %s a note is silent, ordinary and named, with one button at most (%#)', (platform, note, options) => {
  expect(toastOf(platform)(note, '/i.png')).toEqual(options);
});

test('a toast’s name fits what Windows takes', () => {
  expect(toastOf('win32')({ ...NOTE, id: 'x'.repeat(200) }, '').id).toHaveLength(64);
});

test('a note that went into the list of notifications is not gone: it can still be clicked, and has to be removed', () => {
  expect(['timedOut', 'userCanceled', 'applicationHidden', undefined].map(isGone)).toEqual([false, true, true, true]);
});
