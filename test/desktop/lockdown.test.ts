import { expect, test } from 'vitest';
import { isAllowedUrl } from '../../electron/desktop/lockdown.ts';

const FOLDER = 'file:///opt/holdfast/dist/renderer/';

test.each([`${FOLDER}index.html`, `${FOLDER}assets/index-1.js`, 'data:image/png;base64,AA==', 'devtools://devtools/x'])(
  'the page may load %s',
  (url) => {
    expect(isAllowedUrl(url, FOLDER)).toBe(true);
  },
);

test.each([
  'https://example.invalid/',
  'http://127.0.0.1/',
  'ws://127.0.0.1/',
  'file:///etc/passwd',
  'file:///opt/holdfast/dist/renderer-other/x.js',
  `${FOLDER}../main.cjs`,
  `${FOLDER}..%2Fmain.cjs`,
  'data:text/html,<script>1</script>',
  'blob:file:///1',
])('the page may not load %s', (url) => {
  expect(isAllowedUrl(url, FOLDER)).toBe(false);
});
