export type Status = 'ok' | 'note' | 'problem';

/** What one finding says: the message, and what to do about it. */
export interface CaseRow {
  readonly status: Status;
  readonly en: readonly [message: string, fix?: string];
  readonly zh: readonly [message: string, fix?: string];
  /** A command that does it, without `holdfast` in front. */
  readonly command?: string;
}
