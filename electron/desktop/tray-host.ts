import { SessionBus } from './session-bus.ts';

const HOST = 'org.kde.StatusNotifierWatcher';
const BUS = 'org.freedesktop.DBus';

/**
 * Calls back when the program that shows tray icons on Linux appears anew: after its restart it knows none of them.
 * @returns what ends it
 */
export function onTrayHost(appeared: () => void): () => void {
  const rule = `type='signal',sender='${BUS}',interface='${BUS}',member='NameOwnerChanged',arg0='${HOST}'`;
  const bus = new SessionBus(
    [rule],
    ({ sender, member, body: [name, , owner] }) => {
      if (sender === BUS && member === 'NameOwnerChanged' && name === HOST && owner !== '') appeared();
    },
    () => undefined, // the session is over
  );
  // A call is what connects. Without a bus there is no such program, and nothing to wait for.
  bus.call({ destination: BUS, path: '/org/freedesktop/DBus', interface: BUS, member: 'GetId' }).catch(() => undefined);
  return () => {
    bus.dispose();
  };
}
