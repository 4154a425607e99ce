import { expect, test } from 'vitest';
import { listKey, nextRow } from '../../renderer/keys.ts';

const press = (key: string, more: Partial<KeyboardEvent> = {}) =>
  listKey({ key, ctrlKey: false, metaKey: false, altKey: false, repeat: false, target: document.body, ...more });

test('letters decide, arrows move, case does not matter', () => {
  expect(['a', 'K', 'z', 'ArrowUp', 'ArrowDown', 'Enter', 'b'].map((key) => press(key))).toEqual([
    'approve',
    'keep-off',
    'undo',
    'up',
    'down',
    undefined,
    undefined,
  ]);
});

test('a modifier, a held key and a field that takes letters decide nothing', () => {
  expect(press('a', { ctrlKey: true })).toBeUndefined();
  expect(press('a', { repeat: true })).toBeUndefined();
  expect(press('ArrowDown', { repeat: true })).toBe('down');
  const select = document.createElement('select');
  expect(press('a', { target: select })).toBeUndefined();
});

test('moving stops at the ends, and starts at one', () => {
  expect(nextRow(-1, 'down', 3)).toBe(0);
  expect(nextRow(-1, 'up', 3)).toBe(2);
  expect(nextRow(2, 'down', 3)).toBe(2);
  expect(nextRow(1, 'up', 3)).toBe(0);
});
