/** What a desktop notification shows. Plain text: whoever shows it takes care that none of it is read as markup. */
export interface Note {
  /** Showing another note with the same id replaces the first. */
  readonly id: string;
  readonly title: string;
  readonly body: string;
  /** UX and every desktop agree on one at most. */
  readonly button: { readonly key: string; readonly label: string } | null;
  /** Names the click on the note itself, where a desktop lists it as an action. */
  readonly openLabel: string;
}

/** Called with the button's key, or `null` for a click on the note itself. At most once per note. */
export type OnNote = (key: string | null) => void;

/** Shows notifications; a port, because every desktop does it in its own way. */
export interface Notifier {
  /**
   * Resolves to false where nothing can be shown here. Never rejects.
   * @param onGone called where the desktop tells that the note is away for good, without having been pressed
   */
  notify(note: Note, onNote: OnNote, onGone: () => void): Promise<boolean>;
  /** Takes a note off the screen and out of the desktop's list. */
  close(id: string): void;
  dispose(): void;
}
