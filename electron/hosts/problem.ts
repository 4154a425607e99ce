/** Why a host app's settings file is left alone. Each comes with one English sentence in {@link HostConfigProblem}. */
export type ProblemCode =
  | 'SYNTAX'
  | 'ENCODING'
  | 'DUP_SECTION'
  | 'DUP_ENTRY'
  | 'SECTION_TYPE'
  | 'ROOT_TYPE'
  | 'SHAPE'
  | 'FLOW'
  | 'TOO_BIG'
  | 'NAME_TAKEN'
  | 'READ_ONLY'
  | 'NO_DIR'
  | 'DANGLING_LINK'
  | 'NOT_A_FILE'
  | 'NO_SPACE'
  | 'BUSY';

/** A place in a text, both counted from 1, the way editors show it. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Says that nothing was changed and why. `message` is the plain sentence; it never quotes the file (secrets). */
export class HostConfigProblem extends Error {
  readonly code: ProblemCode;
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(code: ProblemCode, message: string, position?: Position, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'HostConfigProblem';
    this.code = code;
    this.line = position?.line;
    this.column = position?.column;
  }
}

/** Line and column of an offset; CRLF, LF and a lone CR each end a line. */
export function positionAt(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
