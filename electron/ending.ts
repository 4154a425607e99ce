/** How the app ends: with nothing of it left running. */
export interface Ending {
  /** True when apps and servers are gone, so that the app may quit by itself. */
  readonly hasLeft: boolean;
  /** Lets go of apps and servers, and takes tray and window away. */
  leave(): Promise<void>;
  quit(): Promise<void>;
}

interface Steps {
  /** Servers' process trees end before the app does. */
  readonly close: () => Promise<void>;
  readonly dispose: () => void;
  readonly exit: () => void;
}

/** Ends once, however often and by whomever it is asked. */
export function endOnce({ close, dispose, exit }: Steps): Ending {
  let left: Promise<void> | undefined;
  let hasLeft = false;
  const leave = (): Promise<void> =>
    (left ??= close().then(() => {
      dispose();
      hasLeft = true;
    }));
  return {
    get hasLeft() {
      return hasLeft;
    },
    leave,
    quit: () => leave().then(exit),
  };
}
