import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { trayImage } from '../../electron/desktop/tray-image.ts';
import { ROOT } from '../support/holdfast.ts';

const RESOURCES = path.join(ROOT, 'resources');
const STATES = ['ok', 'attention', 'error', 'paused'] as const;
const PLATFORMS = ['linux', 'win32', 'darwin'] as const;
const made = mkdtempSync(path.join(tmpdir(), 'holdfast-icons-'));

beforeAll(() => {
  const script = path.join(ROOT, 'electron/tools/make-icons.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, made], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
});
afterAll(() => {
  rmSync(made, { recursive: true });
});

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:png|ico|icns)$/.test(entry.name))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
const has = (file: string) => existsSync(path.join(RESOURCES, file));

test('the images in the repository are exactly those that the script draws from the one source', () => {
  expect(filesBelow(RESOURCES)).toEqual(filesBelow(made));
  for (const file of filesBelow(made)) {
    const [kept, drawn] = [RESOURCES, made].map((folder) => readFileSync(path.join(folder, file)));
    expect(kept?.equals(drawn ?? Buffer.alloc(0)), file).toBe(true);
  }
});

test('every state has its image on every system, on a light and on a dark panel', () => {
  const files = PLATFORMS.flatMap((platform) =>
    STATES.flatMap((state) => [true, false].map((isDark) => trayImage(state, platform, isDark))),
  );
  expect(files.filter((file) => !has(file))).toEqual([]);
  // A template is coloured by the system.
  expect(new Set(files).size).toBe(STATES.length * 5);
});

test('dense screens get images of their own', () => {
  const linux = STATES.flatMap((state) => [`tray/${state}-light`, `tray/${state}-dark`]);
  const pngs = [...linux, ...STATES.map((state) => `tray/${state}Template`)];
  const missing = pngs.flatMap((name) => ['@1.5x', '@2x'].map((dense) => `${name}${dense}.png`)).filter((f) => !has(f));
  expect(missing).toEqual([]);
  // The number of images in an ICO stands behind its first four bytes: 100 to 400 %.
  expect(readFileSync(path.join(RESOURCES, 'tray/ok-dark.ico')).readUInt16LE(4)).toBe(7);
});

test('the states differ in shape: without any colour no two of them are alike', () => {
  const shapes = STATES.map((state) =>
    readFileSync(path.join(RESOURCES, trayImage(state, 'darwin', false))).toString('hex'),
  );
  expect(new Set(shapes).size).toBe(STATES.length);
});

test('every colour stands out from the panel it is made for, as controls have to', () => {
  const script = readFileSync(path.join(ROOT, 'electron/tools/make-icons.mjs'), 'utf8').split('template: {')[0] ?? '';
  const pairs = [...script.matchAll(/'(#[0-9a-f]{6})': '(#[0-9a-f]{6})',?\n/g)].map(([, light, dark]) => [light, dark]);
  const drawn = pairs.filter(([light]) => light !== '#ffffff');
  expect(drawn).toHaveLength(4);
  for (const [light = '', dark = ''] of drawn) {
    expect(contrast(light, '#f3f3f3'), light).toBeGreaterThanOrEqual(3);
    expect(contrast(dark, '#202020'), dark).toBeGreaterThanOrEqual(3);
  }
});

/** WCAG 2.2, relative luminance. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}
