import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const TESTS = path.join(process.cwd(), 'test');
const text = readFileSync(path.join(TESTS, 'renderer/README.md'), 'utf8');
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('|') && !/^\| -+|^\| line /.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, what = '', shownBy = '']) => [what, shownBy] as const);
const states = readdirSync(path.join(TESTS, 'gallery'))
  .filter((name) => name.endsWith('states.ts'))
  .map((name) => readFileSync(path.join(TESTS, 'gallery', name), 'utf8'))
  .join('\n');

const ENDINGS = ['.test.ts', '.spec.ts', '.property.test.ts', '.figures.ts', '.ts'];

/** The source of the test file that is named by its folder and its first name; `undefined` where there is none. */
function sourceOf(link: string): string | undefined {
  const [room = '', name = ''] = link.split('/');
  const files = readdirSync(path.join(TESTS, room), { withFileTypes: true }).filter((one) => one.isFile());
  const file = files.find((one) => ENDINGS.some((ending) => one.name === `${name}${ending}`));
  return file === undefined ? undefined : readFileSync(path.join(TESTS, room, file.name), 'utf8');
}

const linksOf = (cell: string): string[] => [...cell.matchAll(/`([\w-]+\/[\w.-]+)`/g)].map(([, link = '']) => link);
/** Not tests, but what is looked at by them. */
const OWN_FILES = ['words/translation', 'renderer/tokens.css'];

describe.each(rows)('%s', (_, shownBy) => {
  test('is shown by something, or says that it is not', () => {
    expect(linksOf(shownBy).length > 0 || /\bperson\b|not built|`vite\.config\.ts`/i.test(shownBy)).toBe(true);
  });

  test('leads to test files that are there, and to titles and states that are in them', () => {
    const links = linksOf(shownBy).filter((link) => !OWN_FILES.includes(link));
    const sources = links.map(sourceOf);
    expect(links.filter((_link, at) => sources[at] === undefined)).toEqual([]);
    const titles = [...shownBy.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title);
    expect(titles.filter((title) => !sources.some((source) => source?.includes(title)))).toEqual([]);
    const named = [...shownBy.matchAll(/\((?:state )?`([\w-]+)`\)/g)].map(([, state = '']) => state);
    expect(named.filter((state) => !new RegExp(`^ {2}(?:'${state}'|${state}):`, 'm').test(states))).toEqual([]);
  });
});

test('the list has all parts of the specification’s', () => {
  expect([...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual([
    'Clicks and time',
    'Quiet',
    'Words',
    'Access',
  ]);
  expect(rows.length).toBeGreaterThan(40);
});
