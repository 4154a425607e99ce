export type ListKey = 'up' | 'down' | 'approve' | 'keep-off' | 'undo';

const KEYS: Readonly<Record<string, ListKey>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  a: 'approve',
  k: 'keep-off',
  z: 'undo',
};

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat' | 'target'>;

/** What a key means in the list; nothing with a modifier, inside a field that takes letters, or held down. */
export function listKey({ key, ctrlKey, metaKey, altKey, repeat, target }: Pressed): ListKey | undefined {
  if (ctrlKey || metaKey || altKey || isTyping(target)) return undefined;
  const meaning = KEYS[key.length === 1 ? key.toLowerCase() : key];
  const mayRepeat = meaning === 'up' || meaning === 'down';
  return repeat && !mayRepeat ? undefined : meaning;
}

/** True in a field that takes letters, and in a list of choices, where letters find one. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('select, input, textarea, [role=listbox], [role=menu]') !== null;
}

/** The row that gets the focus; without one, the first or the last. */
export function nextRow(at: number, key: 'up' | 'down', count: number): number {
  if (at < 0) return key === 'down' ? 0 : count - 1;
  return Math.max(0, Math.min(count - 1, at + (key === 'down' ? 1 : -1)));
}
