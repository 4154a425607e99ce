import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const css = readFileSync(path.join(process.cwd(), 'renderer/tokens.css'), 'utf8');

/** Colours of one theme, by name; dark ones stand in for the light ones they name. */
function coloursOf(selector: string): Record<string, string> {
  const start = css.indexOf(`${selector} {`);
  const block = css.slice(start, css.indexOf('}', start));
  return Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, hex]) => [name, hex]));
}

function luminance(hex: string): number {
  const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  const [r = 0, g = 0, b = 0] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

const light = coloursOf(':root');
const themes = { light, dark: { ...light, ...coloursOf(":root[data-theme='dark']") } };
const PAPERS = ['bg', 'surface', 'sunken'];
const TEXTS = ['text', 'text-2'];
const TINTED = ['ok', 'check', 'careful'];

test('both themes name the same colours', () => {
  expect(Object.keys(light)).toHaveLength(15);
  expect(Object.keys(coloursOf(":root[data-theme='dark']"))).toEqual(Object.keys(light));
  expect(contrast('#000000', '#ffffff')).toBe(21);
});

describe.each(Object.entries(themes))('%s', (_, colour) => {
  const pairs = [
    ...TEXTS.flatMap((text) => PAPERS.map((paper) => [text, paper])),
    ...TINTED.flatMap((name) => ['bg', 'surface', `${name}-tint`].map((paper) => [name, paper])),
    ...TINTED.map((name) => ['text', `${name}-tint`]),
    ...['bg', 'surface'].map((paper) => ['accent', paper]),
    ['on-accent', 'accent'],
  ] as [string, string][];

  test.each(pairs)('text in %s on %s has a contrast of at least 4.5', (text, paper) => {
    expect(contrast(colour[text]!, colour[paper]!)).toBeGreaterThanOrEqual(4.5);
  });

  const edges = [
    ...['bg', 'surface'].map((paper) => ['border', paper]),
    ...PAPERS.map((paper) => ['accent', paper]),
  ] as [string, string][];

  test.each(edges)('the edge of a control in %s on %s has one of at least 3', (edge, paper) => {
    expect(contrast(colour[edge]!, colour[paper]!)).toBeGreaterThanOrEqual(3);
  });
});
