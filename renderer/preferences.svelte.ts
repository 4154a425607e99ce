export const LOOKS = ['system', 'light', 'dark'] as const;
export type Look = (typeof LOOKS)[number];

const KEY = 'holdfast';

/** What concerns this window only, kept with its page. Nothing breaks where the page may keep nothing. */
export class Preferences {
  readonly #dark = matchMedia('(prefers-color-scheme: dark)');
  #isSystemDark = $state(false);
  look = $state<Look>('system');
  hasLetterKeys = $state(true);
  readonly theme: 'light' | 'dark' = $derived(
    this.look === 'system' ? (this.#isSystemDark ? 'dark' : 'light') : this.look,
  );

  constructor() {
    const kept = read();
    this.look = LOOKS.find((look) => look === kept['look']) ?? 'system';
    this.hasLetterKeys = kept['hasLetterKeys'] !== false;
    this.#isSystemDark = this.#dark.matches;
    this.#dark.addEventListener('change', ({ matches }) => {
      this.#isSystemDark = matches;
    });
  }

  set(given: { readonly look?: Look; readonly hasLetterKeys?: boolean }): void {
    this.look = given.look ?? this.look;
    this.hasLetterKeys = given.hasLetterKeys ?? this.hasLetterKeys;
    try {
      localStorage.setItem(KEY, JSON.stringify({ look: this.look, hasLetterKeys: this.hasLetterKeys }));
    } catch {
      // It holds until the window closes.
    }
  }
}

function read(): Readonly<Record<string, unknown>> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Readonly<Record<string, unknown>>) : {}; // its values are checked one by one
  } catch {
    return {};
  }
}
