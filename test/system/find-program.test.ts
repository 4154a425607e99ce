import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findProgram, type ProgramPlace } from '../../electron/system/find-program.ts';

let folder: string;
let place: ProgramPlace;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'holdfast-programs-'));
  for (const name of ['bin', 'other', 'cwd']) mkdirSync(path.join(folder, name));
  place = {
    path: `${path.join(folder, 'bin')}:${path.join(folder, 'other')}`,
    cwd: path.join(folder, 'cwd'),
    platform: 'linux',
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(name: string, mode: number): string {
  const file = path.join(folder, name);
  writeFileSync(file, '#!/bin/sh\n');
  chmodSync(file, mode);
  return file;
}

test('a bare name is looked for in every folder of the PATH', () => {
  put('other/tool', 0o755);
  expect(findProgram('tool', place)).toBe('found');
  expect(findProgram('tool', { ...place, path: path.join(folder, 'bin') })).toBe('missing');
});

test('a bare name is not looked for in the folder the server runs in', () => {
  put('cwd/tool', 0o755);
  expect(findProgram('tool', place)).toBe('missing');
});

test('a path is used as it is, a relative one from the folder the server runs in', () => {
  const file = put('cwd/tool', 0o755);
  expect(findProgram(file, place)).toBe('found');
  expect(findProgram('./tool', place)).toBe('found');
  expect(findProgram('./other', place)).toBe('missing');
});

test('what may not be run is no program, and neither is a folder', () => {
  const file = put('bin/notes', 0o644);
  expect(findProgram(file, place)).toBe('not-program');
  expect(findProgram('notes', place)).toBe('not-program');
  expect(findProgram(path.join(folder, 'bin'), place)).toBe('not-program');
});

test('a later folder of the PATH counts where an earlier one has a file that may not be run', () => {
  put('bin/tool', 0o644);
  put('other/tool', 0o755);
  expect(findProgram('tool', place)).toBe('found');
});

test('without a PATH the system’s own folders are looked through', () => {
  expect(findProgram('sh', { ...place, path: undefined })).toBe('found');
  expect(findProgram('no-such-program-at-all', { ...place, path: undefined })).toBe('missing');
});
