import { expect, test } from 'vitest';
import { abilitiesOf, fieldLabel, visibleText } from '../../renderer/abilities.ts';

test('missing labels count as the protocol says: changing, deleting, online', () => {
  expect(abilitiesOf({})).toEqual({ mayDo: 'delete', isOnline: true, needs: [], extras: [] });
  expect(abilitiesOf({ annotations: { readOnlyHint: 'yes' } })).toMatchObject({ mayDo: 'delete' });
});

test('labels that are given count', () => {
  expect(abilitiesOf({ annotations: { readOnlyHint: true, openWorldHint: false } })).toMatchObject({
    mayDo: 'read',
    isOnline: false,
  });
  expect(abilitiesOf({ annotations: { destructiveHint: false } })).toMatchObject({ mayDo: 'change' });
  expect(abilitiesOf({ annotations: { readOnlyHint: true, destructiveHint: true } })).toMatchObject({
    mayDo: 'delete',
  });
});

test('fields are told by title or by a readable name, needed ones apart', () => {
  const inputSchema = {
    properties: { url: { title: 'Web address' }, maxAgeHours: {}, page_size: {}, hasOwnProperty: {} },
    required: ['url', 'undeclared', 7],
  };
  expect(abilitiesOf({ inputSchema })).toMatchObject({
    needs: ['Web address', 'undeclared'],
    extras: ['max age hours', 'page size', 'has own property'],
  });
});

test('a shape that cannot be told in a line is not told wrongly', () => {
  expect(abilitiesOf({ inputSchema: { anyOf: [{ required: ['a'] }] } })).toMatchObject({ needs: null, extras: null });
});

test('a label is one short line without hidden characters', () => {
  expect(fieldLabel('x', { title: 'a\u202Eb\nc' })).toBe('a b c');
  expect(fieldLabel('x'.repeat(100), undefined)).toHaveLength(40);
  expect(fieldLabel('', undefined)).toBe('–');
});

test('hidden characters in a server’s words are made visible', () => {
  expect(visibleText('save\u202Ethem\u200B\n\tnow\u{E0041}')).toBe('save⟨U+202E⟩them⟨U+200B⟩\n\tnow⟨U+E0041⟩');
});
