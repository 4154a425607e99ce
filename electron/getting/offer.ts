/** What a person may be asked for before a server can be started. */
export interface OfferField {
  readonly key: string;
  readonly title: string;
  readonly about: string | null;
  readonly type: 'text' | 'number' | 'yes-no' | 'folder' | 'file';
  /** Entered and kept unseen. */
  readonly isSecret: boolean;
  readonly isRequired: boolean;
  /** May have several values. */
  readonly isMany: boolean;
  readonly default: readonly string[];
  /** What it may be, where only certain values fit. */
  readonly choices: readonly string[];
  readonly min: number | null;
  readonly max: number | null;
}

/** A text with places for what the person fills in. */
export type Template = readonly (string | { readonly field: string })[];

/** Arguments that belong together: left out together, and repeated together for each value of a field with several. */
export type ArgumentGroup = readonly Template[];

/** A server that is laid out to be added: how it would be started, and what it still needs. Nothing has been started. */
export interface Offer {
  /** What it is called until the person says otherwise. */
  readonly name: string;
  readonly version: string | null;
  readonly about: string | null;
  readonly command: string;
  readonly args: readonly ArgumentGroup[];
  readonly env: Readonly<Record<string, Template>>;
  readonly fields: readonly OfferField[];
  /** It is on the internet, and a small program here connects to it. */
  readonly isRemote: boolean;
}

/** What a person filled in, by the key of the field. */
export type Values = Readonly<Record<string, readonly string[]>>;

/** A server as it will be started. */
export interface Filled {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Keys of fields that have to be filled in and are not. */
  readonly missing: readonly string[];
  /** Keys of fields whose value does not fit. */
  readonly wrong: readonly string[];
}
