/** How Windows is asked to run a batch file: its own arguments, not to be quoted any more. */
export interface BatchCall {
  readonly command: string;
  readonly args: readonly string[];
}

const META = /[()\][%!^"`<>&|;, *?]/g;

/**
 * Windows starts a `.cmd` or `.bat` through its command interpreter alone, which reads each argument as a part of a
 * command line. Every character that means something there is escaped, twice: the interpreter reads the line, and most
 * batch files pass `%*` on to be read again. `null` where an argument cannot be passed at all.
 * @param interpreter of Windows, from `ComSpec`
 */
export function batchCall(file: string, args: readonly string[], interpreter: string): BatchCall | null {
  // A line end would begin a command of its own, and there is no escape for it.
  if ([file, ...args].some((word) => /[\0\r\n]/.test(word))) return null;
  const line = [escaped(file), ...args.map((arg) => escaped(escaped(quoted(arg))))].join(' ');
  return { command: interpreter, args: ['/d', '/s', '/c', `"${line}"`] };
}

/** As programs read their own command line: backslashes count before a quote only, where they are doubled. */
export function quoted(arg: string): string {
  return `"${arg.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`;
}

function escaped(text: string): string {
  return text.replace(META, '^$&');
}

/**
 * The script that a batch file of npm starts with Node, from its text: then there is no need of the interpreter.
 * `null` for a batch file of another kind.
 */
export function npmShimScript(text: string): string | null {
  const script = /"%(?:~dp0|dp0%)\\([^"%]+\.[cm]?js)"\s+%\*/i.exec(text)?.[1];
  return script ?? null;
}
