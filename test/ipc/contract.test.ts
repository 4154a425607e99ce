import { expect, test } from 'vitest';
import { COMMANDS } from '../../electron/control/commands.ts';
import { isWindowCommand, WINDOW_COMMANDS } from '../../electron/ipc/contract.ts';

test('the window’s commands are the rows of the command table that say so', () => {
  const rows = Object.entries(COMMANDS).filter(([, row]) => row.inWindow);
  expect([...WINDOW_COMMANDS].sort()).toEqual(rows.map(([name]) => name).sort());
});

test('no other name is one of them, whatever it is', () => {
  for (const name of ['trace', 'servers.forget-keys', 'toString', '__proto__', '', 1, null, undefined, ['snapshot']])
    expect(isWindowCommand(name)).toBe(false);
});
