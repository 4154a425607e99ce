/** One value that a pasted server needs and that the text does not give: it is asked for. */
export interface PastedEnv {
  readonly name: string;
  /** `null` where the text has nothing, or something that only stands for a value, such as `YOUR_KEY`. */
  readonly value: string | null;
  /** Entered and kept unseen. */
  readonly isSecret: boolean;
}

/** A place in the arguments that only stands for a value, such as `/path/to/folder`. */
export interface PastedHole {
  readonly at: number;
  readonly label: string;
}

/** A server that a pasted text describes; nothing has been started. */
export interface PastedServer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly PastedEnv[];
  readonly holes: readonly PastedHole[];
  /** It is on the internet, and a small program here connects to it. */
  readonly isRemote: boolean;
}

/** Why a text is no server, for the window to put into words. */
export type Unreadable = 'empty' | 'long' | 'block' | 'nothing' | 'page' | 'shell' | 'unsafe';
export type Pasted =
  | { readonly ok: true; readonly servers: readonly [PastedServer, ...PastedServer[]] }
  | { readonly ok: false; readonly reason: Unreadable };

/** What a text of one form came to; `null` where it is not of that form. */
export type Found = readonly PastedServer[] | Unreadable | null;
