import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { isOurPage } from '../../electron/ipc/sender.ts';

const FILE = '/opt/Hold fast/dist/renderer/index.html';
const url = pathToFileURL(FILE).href;

test('the main frame of our window, on our page, is heard', () => {
  expect(isOurPage(true, { url, parent: null }, FILE)).toBe(true);
  expect(isOurPage(true, { url: `${url}#part`, parent: null }, FILE)).toBe(true);
});

test('another window, an inner frame and a frame that is gone are not', () => {
  expect(isOurPage(false, { url, parent: null }, FILE)).toBe(false);
  expect(isOurPage(true, { url, parent: {} }, FILE)).toBe(false);
  expect(isOurPage(true, null, FILE)).toBe(false);
});

test.each([
  'about:blank',
  'https://example.invalid/opt/Hold%20fast/dist/renderer/index.html',
  'file:///opt/Hold%20fast/dist/renderer/other.html',
  'file://host/opt/Hold%20fast/dist/renderer/index.html',
  'file:///opt/Hold%20fast/dist/renderer%2Findex.html',
  'data:text/html,x',
  '',
])('another page is not: %s', (other) => {
  expect(isOurPage(true, { url: other, parent: null }, FILE)).toBe(false);
});
