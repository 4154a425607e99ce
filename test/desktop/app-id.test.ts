import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../support/holdfast.ts';

test('the app calls itself by the id that the installer gives its shortcut, or Windows shows no notification', () => {
  const builder: unknown = parse(readFileSync(path.join(ROOT, 'electron-builder.yml'), 'utf8'));
  const source = readFileSync(path.join(ROOT, 'electron/desktop/single-instance.ts'), 'utf8');
  const [, id] = /const APP_ID = '([^']+)'/.exec(source) ?? [];
  expect(builder).toMatchObject({ appId: id });
});
