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
  const isTyping = target instanceof Element && target.closest('select, input, textarea') !== null;
  if (ctrlKey || metaKey || altKey || isTyping) return undefined;
  const meaning = KEYS[key.length === 1 ? key.toLowerCase() : key];
  const mayRepeat = meaning === 'up' || meaning === 'down';
  return repeat && !mayRepeat ? undefined : meaning;
}

/** The row that gets the focus; without one, the first or the last. */
export function nextRow(at: number, key: 'up' | 'down', count: number): number {
  if (at < 0) return key === 'down' ? 0 : count - 1;
  return Math.max(0, Math.min(count - 1, at + (key === 'down' ? 1 : -1)));
}
