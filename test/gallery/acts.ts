import type { OpenWish } from '../../electron/ipc/contract.ts';
import type { PlayedGateway } from './gateway.ts';

/** What a person has done in a state, before it is looked at. */
export type Act = (settle: () => Promise<void>, gateway: PlayedGateway) => Promise<void>;

/** Opens all that is folded. */
export function openAll(): void {
  for (const one of document.querySelectorAll('details')) one.open = true;
}

function found(selector: string, at = 0): HTMLElement {
  const all = document.querySelectorAll<HTMLElement>(selector);
  const one = all[at];
  if (one === undefined) throw new Error(`there is no ${selector} to be used (${all.length} of them)`);
  return one;
}

/** Clicks what each selector finds, one after the other; `[selector, at]` is the one at that place. */
export const clicks =
  (...selectors: (string | [string, number])[]): Act =>
  async (settle) => {
    for (const one of selectors) {
      const [selector, at] = typeof one === 'string' ? ([one, 0] as const) : one;
      found(selector, at).click();
      await settle();
    }
  };

/** Writes into a field. */
export const writes =
  (selector: string, text: string, at = 0): Act =>
  async (settle) => {
    const field = found(selector, at);
    if (!('value' in field)) throw new Error(`${selector} is no field`);
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    await settle();
  };

/** Presses a key on what has the focus, or on what the selector finds. */
export const presses =
  (key: string, selector?: string): Act =>
  async (settle) => {
    const one = selector === undefined ? window : found(selector);
    if (one instanceof HTMLElement) one.focus();
    one.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    await settle();
  };

/** Pastes a text where a server is added, and goes on. */
export const pastes = (text: string): Act => inTurn(writes('textarea', text), clicks('form .button.filled'));

/** Drops a file where a server is added. */
export const drops =
  (name: string, content: string): Act =>
  async (settle) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([content], name));
    found('form').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    await settle();
  };

/** Opens a file or a link with the app. */
export const opens =
  (wish: OpenWish): Act =>
  async (settle, gateway) => {
    gateway.open(wish);
    await settle();
  };

export const opensAll: Act = async (settle) => {
  openAll();
  await settle();
};

/** One act after the other. */
export const inTurn =
  (...acts: Act[]): Act =>
  async (settle, gateway) => {
    for (const one of acts) await one(settle, gateway);
  };
