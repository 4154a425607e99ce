/** A newer version of the program that is downloaded and waits for a restart. */
export interface ReadyUpdate {
  readonly version: string;
}

/** The program's own updates, where it was installed in a way that can be updated. */
export interface UpdatesPort {
  /** `null` where none is there to be installed. */
  ready(): ReadyUpdate | null;
  /** Installs it once no call is under way, and starts the new version. @throws HoldfastError UPDATE_NONE */
  restart(): void;
  /** Whether newer versions are looked for. */
  readonly isOn: boolean;
  /** Looks at once where that is switched on. @throws HoldfastError STORE_WRITE_FAILED */
  setOn(isOn: boolean): Promise<void>;
}

/** What finds, downloads and installs newer versions; it takes no version that is older than the running one. */
export interface Updater {
  /** Looks, and downloads what there is, in the background. Rejects where the place of updates cannot be reached. */
  check(): Promise<void>;
  /** Calls back when a newer version is downloaded and its digest is right. */
  onDownloaded(listener: (version: string) => void): void;
  /** Ends the program, installs and starts the new version. */
  install(): void;
}
