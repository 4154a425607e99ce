import { expect, test } from 'vitest';
import { readable } from '../../electron/cli/readable.ts';

const server = (name: string, args: readonly string[] = []): object => ({
  ...{ name, version: null, state: 'idle' },
  ...{ command: 'program', args },
});

test('no name and no argument can break the table of servers, colour it or turn it round', () => {
  const names = ['Two\nlines', '\u001B[31mRed', '\u202Eturned', 'Plain'];
  const servers = names.map((name) => server(name, ['a\tb\r\nc', '\u001B]0;title\u0007']));
  const lines = readable('servers.list', { servers, keysNote: null }).split('\n');
  expect(lines.map((line) => line.slice(0, 9).trimEnd())).toEqual(['Two lines', '[31mRed', 'turned', 'Plain', '']);
  expect(lines.join('')).not.toMatch(/[\p{Cc}\u202E]/u);
  expect(new Set(lines.slice(0, 4).map((line) => line.indexOf('idle')))).toEqual(new Set([11]));
});

test('what is told of the keys stands below the table, also where a gateway of before says nothing', () => {
  expect(readable('servers.list', { servers: [], keysNote: 'Told.' })).toBe('Nothing here yet.\n\nTold.\n');
  expect(readable('servers.list', { servers: [] })).toBe('Nothing here yet.\n');
});
