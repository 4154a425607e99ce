import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { UserHome } from './host-folder.ts';

const APP = 'claude-desktop';
const BEFORE = '{"preferences":{}}';

function claude() {
  const user = new UserHome();
  const file = path.join(user.home, '.config', 'Claude', 'claude_desktop_config.json');
  user.write(file, BEFORE);
  const access = user.access();
  return { user, access, write: (text: string) => fs.writeFileSync(file, text) };
}

test('an app whose settings no longer name Holdfast, or cannot be read, is in trouble until it is connected again', () => {
  const { access, write } = claude();
  access.connect(APP, { dryRun: false });
  expect(access.trouble(APP)).toBeNull();
  write(BEFORE);
  expect([access.look(), access.trouble(APP), access.look()]).toEqual([true, 'disconnected', false]);
  write('{ broken');
  expect([access.look(), access.trouble(APP)]).toEqual([true, 'unreadable']);
  write(BEFORE);
  access.connect(APP, { dryRun: false });
  expect([access.trouble(APP), access.look()]).toEqual([null, false]);
});

test('an app that was never connected, or was disconnected by a person, is in none', () => {
  const { access, write } = claude();
  write('{ broken');
  expect(access.trouble(APP)).toBeNull();
  write(BEFORE);
  access.connect(APP, { dryRun: false });
  access.disconnect(APP, { dryRun: false });
  expect([access.trouble(APP), access.trouble('no-such-app')]).toEqual([null, null]);
});

test('an app that drops it again after it was put back is told of once, until it is connected again', () => {
  const { user, access, write } = claude();
  access.connect(APP, { dryRun: false });
  const isLostAfter = (text: string): boolean => {
    write(text);
    access.tend();
    access.look();
    return access.isLost(APP);
  };
  user.programs = [];
  expect(isLostAfter(BEFORE)).toBe(false); // put back, once
  expect(isLostAfter(BEFORE)).toBe(true);
  expect(isLostAfter(BEFORE)).toBe(true);
  access.connect(APP, { dryRun: false });
  access.tend();
  expect(access.isLost(APP)).toBe(false);
});
