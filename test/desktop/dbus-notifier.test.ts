import type { ChildProcess } from 'node:child_process';
import dbus from 'dbus-next';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DbusNotifier, escapeMarkup } from '../../electron/desktop/dbus-notifier.ts';
import type { Note } from '../../electron/desktop/note.ts';
import { FakeDesktop } from '../support/desktop.ts';
import { hasBus, startBus } from '../support/session-bus.ts';

const NOTE: Note = {
  id: 'inc-1',
  title: 'Clock changed',
  body: 'It’s off. <b>Look</b>',
  button: { key: 'approve', label: 'Approve' },
  openLabel: 'Review',
};

const until = (isSo: () => boolean) => expect.poll(isSo, { timeout: 5_000, interval: 10 }).toBe(true);

describe.skipIf(!hasBus)('notifications over D-Bus', () => {
  let bus: ChildProcess;
  let desktop: FakeDesktop;
  let notifier: DbusNotifier;
  let pressed: (string | null)[];
  let wentAway: number;
  const press = (key: string | null) => pressed.push(key);
  const gone = () => {
    wentAway += 1;
  };

  beforeAll(async () => {
    bus = await startBus();
  });
  afterAll(() => {
    bus.kill();
  });
  beforeEach(async () => {
    desktop = await FakeDesktop.start();
    notifier = new DbusNotifier('/icon.png');
    pressed = [];
    wentAway = 0;
  });
  afterEach(() => {
    notifier.dispose();
    desktop.stop();
  });

  test('a note shows with its button, and the button is heard once', async () => {
    expect(await notifier.notify(NOTE, press, gone)).toBe(true);
    const [note] = desktop.notes;
    expect(note).toMatchObject({
      summary: 'Clock changed',
      actions: [
        { key: 'default', label: 'Review' },
        { key: 'approve', label: 'Approve' },
      ],
      hints: { urgency: 1, 'desktop-entry': 'holdfast', 'suppress-sound': true },
    });
    desktop.pressNote(note!.id, 'approve');
    desktop.pressNote(note!.id, 'approve');
    await until(() => pressed.length > 0);
    expect(pressed).toEqual(['approve']);
  });

  test('a click on the note is no button', async () => {
    await notifier.notify(NOTE, press, gone);
    desktop.pressNote(1, 'default');
    await until(() => pressed.length > 0);
    expect(pressed).toEqual([null]);
  });

  test('a desktop without buttons is left to others', async () => {
    desktop.capabilities = ['body'];
    expect(await notifier.notify(NOTE, press, gone)).toBe(false);
    expect(desktop.notes).toEqual([]);
  });

  test('a body is never markup, where the desktop would read it as such', async () => {
    await notifier.notify(NOTE, press, gone);
    desktop.capabilities = ['actions', 'body-markup'];
    await notifier.notify(NOTE, press, gone);
    expect(desktop.notes.map(({ body }) => body)).toEqual([NOTE.body, escapeMarkup(NOTE.body)]);
    expect(desktop.notes[1]?.body).toContain('&lt;b&gt;');
  });

  test('the same note again replaces the first, and closing takes it away', async () => {
    await notifier.notify(NOTE, press, gone);
    await notifier.notify(NOTE, press, gone);
    expect(desktop.notes.map(({ replaces }) => replaces)).toEqual([0, 1]);
    notifier.close(NOTE.id);
    await until(() => desktop.closed.length > 0);
    expect(desktop.closed).toEqual([1]);
  });

  test('another program cannot press the button', async () => {
    await notifier.notify(NOTE, press, gone);
    const stranger = dbus.sessionBus();
    stranger.on('error', () => undefined);
    const [path, name] = ['/org/freedesktop/Notifications', 'org.freedesktop.Notifications'];
    await stranger.requestName('test.stranger', 0);
    stranger.send(dbus.Message.newSignal(path, name, 'ActionInvoked', 'us', [1, 'approve']));
    await stranger.requestName('test.stranger.second', 0); // the signal has gone out before this is answered
    stranger.disconnect();
    desktop.pressNote(1, 'default');
    await until(() => pressed.length > 0);
    expect(pressed).toEqual([null]);
  });

  test('a number given by a daemon that has gone means nothing to the next one', async () => {
    await notifier.notify(NOTE, press, gone);
    desktop.stop();
    desktop = await FakeDesktop.start();
    expect(await notifier.notify({ ...NOTE, id: 'inc-2' }, press, gone)).toBe(true);
    expect(await notifier.notify(NOTE, press, gone)).toBe(true);
    expect(desktop.notes.map(({ replaces }) => replaces)).toEqual([0, 0]);
  });

  test('a note that is dismissed is gone, and one that was pressed or taken away is not said to be', async () => {
    await notifier.notify(NOTE, press, gone);
    desktop.dismissNote(1);
    await until(() => wentAway === 1);
    await notifier.notify(NOTE, press, gone);
    desktop.pressNote(2, 'approve');
    await until(() => pressed.length === 1);
    await notifier.notify(NOTE, press, gone);
    notifier.close(NOTE.id);
    await until(() => desktop.closed.length === 1);
    expect(wentAway).toBe(1);
  });

  test('no daemon is no error', async () => {
    desktop.stop();
    expect(await notifier.notify(NOTE, press, gone)).toBe(false);
    desktop = await FakeDesktop.start();
    expect(await notifier.notify(NOTE, press, gone)).toBe(true);
  });

  test('the loss of the bus is survived, and a new bus is used', async () => {
    await notifier.notify(NOTE, press, gone);
    bus.kill('SIGKILL');
    await new Promise((resolve) => bus.once('exit', resolve));
    expect(await notifier.notify(NOTE, press, gone)).toBe(false);
    bus = await startBus();
    desktop = await FakeDesktop.start();
    expect(await notifier.notify(NOTE, press, gone)).toBe(true);
  });

  test('without a bus there is no note and no crash', async () => {
    const address = process.env['DBUS_SESSION_BUS_ADDRESS'];
    process.env['DBUS_SESSION_BUS_ADDRESS'] = 'unix:path=/nowhere/at/all';
    const lonely = new DbusNotifier('');
    expect(await lonely.notify(NOTE, press, gone)).toBe(false);
    lonely.dispose();
    process.env['DBUS_SESSION_BUS_ADDRESS'] = address;
  });
});
