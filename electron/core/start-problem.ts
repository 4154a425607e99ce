import type { StartProblem, StartProblemCode } from './start-problem-words.ts';

/** What is known of a start that came to nothing, or of a server that ended. */
export interface StartFacts {
  /** The gateway's own words for it, as the transport gives them. */
  readonly reason: string;
  /** What the server printed last, oldest first. */
  readonly lastWords: readonly string[];
  readonly command: string;
  readonly args: readonly string[];
}

interface Rule {
  readonly code: StartProblemCode;
  /** Where it is looked for: in the gateway's words, or in what the server printed. */
  readonly in: 'reason' | 'words';
  readonly pattern: RegExp;
  /** Only with a program of this name. */
  readonly of?: RegExp;
  /** Also where it still runs, and merely does not answer. */
  readonly isOfSilent?: boolean;
}

const PACKAGE_RUNNERS = /^(?:npx|npm|pnpm|yarn|bunx|bun|uvx|uv|pipx)$/;
const CONTAINERS = /^(?:docker|podman|nerdctl)$/;

/**
 * What a line says about why a server does not start, the more telling first: package runners and containers talk a lot,
 * and only one line of it is the cause. Each row is something that a real program prints; see the table in its test.
 */
const RULES: readonly Rule[] = [
  { code: 'program-missing', in: 'reason', pattern: /program was not found/ },
  { code: 'not-allowed', in: 'reason', pattern: /program may not be run/ },
  { code: 'wrong-machine', in: 'reason', pattern: /ENOEXEC|EBADARCH|Unknown system error -86|not a valid Win32/ },
  {
    code: 'engine-off',
    in: 'words',
    pattern:
      /Cannot connect to the Docker daemon|docker daemon is not running|error during connect:|Cannot connect to Podman/i,
    isOfSilent: true,
  },
  {
    code: 'image-missing',
    in: 'words',
    pattern: /pull access denied|manifest unknown|manifest for .* not found|No such image/i,
    of: CONTAINERS,
  },
  { code: 'disk-full', in: 'words', pattern: /\bENOSPC\b|\bEDQUOT\b|No space left on device|os error 28/ },
  {
    code: 'traffic-inspected',
    in: 'words',
    pattern:
      /SELF_SIGNED_CERT|self-signed certificate|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF)|CERTIFICATE_VERIFY_FAILED|invalid peer certificate|CERT_HAS_EXPIRED/i,
  },
  {
    code: 'version-missing',
    in: 'words',
    pattern:
      /\bcode ETARGET\b|No matching version found|there is no version of|no versions? of .* (?:matching|and you require)/i,
  },
  {
    code: 'package-missing',
    in: 'words',
    pattern: /\bcode E404\b|was not found in the package registry|No matching distribution found/i,
  },
  {
    code: 'runtime-old',
    in: 'words',
    pattern:
      /\bcode EBADENGINE\b|requires Python\s*[<>=!~]|requires a different Python|does not satisfy Python|requires Node(?:\.js)? (?:version )?[>v\d]|GLIBC_[\d.]+' not found/i,
  },
  {
    code: 'needs-network',
    in: 'words',
    pattern:
      /^npm (?:error|ERR!).*\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ECONNREFUSED|ECONNRESET)\b|Failed to fetch: |error sending request|dns error|not found in the cache|network connectivity is disabled/i,
    of: PACKAGE_RUNNERS,
    isOfSilent: true,
  },
  {
    code: 'key-refused',
    in: 'words',
    pattern:
      /\b(?:401|403)\b.*(?:unauthori[sz]ed|forbidden)|unauthori[sz]ed|authentication failed|(?:invalid|expired|incorrect) (?:api[ _-]?)?(?:key|token|credentials?)\b/i,
    isOfSilent: true,
  },
  {
    code: 'key-missing',
    in: 'words',
    pattern:
      /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:API_KEY|KEY|TOKEN|SECRET|PASSWORD|PAT|ID)\b.*(?:required|missing|not (?:set|found|provided|defined)|must be|environment variable)|(?:missing|no|required?|provide|set|need)\b.*\b(?:[A-Z][A-Z0-9]*_(?:API_)?(?:KEY|TOKEN|SECRET)|api[ _-]?key|(?:api|access|auth)[ _-]token|credentials?)\b|(?:api[ _-]?key|(?:api|access|auth)[ _-]token|credentials) (?:is |are )?(?:not|missing|required)/i,
    isOfSilent: true,
  },
  {
    code: 'port-taken',
    in: 'words',
    pattern: /\bEADDRINUSE\b|address already in use|only one usage of each socket address/i,
  },
  { code: 'part-missing', in: 'words', pattern: /\benv: .*: No such file or directory/ },
  {
    code: 'file-missing',
    in: 'words',
    pattern:
      /Cannot find module '(?:\/|[A-Za-z]:\\)[^']*'|can't open file '[^']*'|Unable to access jarfile|No such file or directory @ rb_|Could not open input file|None of the specified directories are accessible|Error accessing directory|(?:no such file or directory|cannot find the (?:file|path)).*/i,
  },
  {
    code: 'part-missing',
    in: 'words',
    pattern:
      /\bERR_MODULE_NOT_FOUND\b|Cannot find (?:module|package) '|ModuleNotFoundError|No module named|cannot load such file|ImportError|NODE_MODULE_VERSION|invalid ELF header|error while loading shared libraries|command not found|‘?[^’ ]+’?: No such file or directory/,
  },
  { code: 'not-allowed', in: 'words', pattern: /\bEACCES\b|\bEPERM\b|Permission denied|os error 13|Access is denied/i },
  {
    code: 'needs-more',
    in: 'words',
    pattern:
      /^\s*usage: |Please provide |missing (?:required )?(?:argument|option|parameter)|required argument|the following arguments are required/i,
  },
  { code: 'out-of-memory', in: 'words', pattern: /heap out of memory|Cannot allocate memory|MemoryError|ENOMEM/ },
  {
    code: 'unreachable',
    in: 'words',
    pattern:
      /\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ECONNREFUSED|ECONNRESET)\b|Temporary failure in name resolution|Connection refused|fetch failed/i,
    isOfSilent: true,
  },
  { code: 'not-a-server', in: 'reason', pattern: /initialize is malformed|exited with code 0\b/ },
  { code: 'ended-by-system', in: 'reason', pattern: /was ended by SIGKILL/ },
  { code: 'crashed', in: 'reason', pattern: /exited with code|was ended by|it stopped/ },
  { code: 'too-slow', in: 'reason', pattern: /no answer within/ },
];

/** Of a line: the cause is told at its beginning. */
const MAX_LINE = 1_000;

/** What npm and others say besides, whatever the cause is. */
const ASIDE = /complete log of this run|npm (?:warn|notice)\b|If you are behind a proxy|running in keyless mode/i;

/**
 * Why a server does not start, as one of the plain problems: by what the system said of its program, how it ended, and
 * what it printed. Only one that ended is judged by its last words; of one that merely does not answer they say less.
 */
export function startProblem({ reason, lastWords, command, args }: StartFacts): StartProblem {
  const program = programName(command);
  const isSilent = /^no answer within/.test(reason);
  const isEnded = /exited with code|was ended by|it stopped/.test(reason);
  const words =
    isEnded || isSilent ? lastWords.map((line) => line.slice(0, MAX_LINE)).filter((line) => !ASIDE.test(line)) : [];
  if (isEnded && isTooNew(lastWords)) return { code: 'runtime-old', subject: 'Node.js' };
  for (const rule of RULES) {
    if (rule.of && !rule.of.test(program)) continue;
    if (isSilent && rule.in === 'words' && rule.isOfSilent !== true) continue;
    const line = rule.in === 'reason' ? reason : words.find((each) => rule.pattern.test(each));
    if (line === undefined || !rule.pattern.test(line)) continue;
    return { code: rule.code, subject: subjectOf(rule.code, line, program, args) };
  }
  return { code: 'other', subject: program };
}

/** npm only warns of a Node that is too old; that the server then cannot be read is the other half. */
function isTooNew(lines: readonly string[]): boolean {
  return (
    lines.some((line) => /EBADENGINE/.test(line)) &&
    lines.some((line) => /^\s*\w*(?:Syntax|Reference|Type)Error\b/.test(line))
  );
}

/** What the sentence names: a key, a file, a package, or the program. */
function subjectOf(code: StartProblemCode, line: string, program: string, args: readonly string[]): string {
  if (code === 'key-missing' || code === 'key-refused') return KEY_NAME.exec(line)?.[0] ?? '';
  if (code === 'file-missing') return fileIn(line, args) ?? program;
  if (code === 'part-missing') return PART.exec(line)?.slice(1).find(Boolean) ?? program;
  if (code === 'package-missing' || code === 'version-missing' || code === 'image-missing')
    return packageIn(args) ?? program;
  if (code === 'runtime-old') return /python/i.test(line) ? 'Python' : /GLIBC/.test(line) ? 'Linux' : 'Node.js';
  return program;
}

const PART =
  /(?:No module named|Cannot find (?:module|package)|cannot load such file --|loading shared libraries:)\s*['"‘]?([^'"’:\s]+)|(?:[‘']([^’']+)[’']|([^\s:]+)): (?:No such file|command not found)/;
const KEY_NAME = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN|SECRET|PASSWORD|PAT|ID)\b/;

/** The one that is among the arguments, else the one that is quoted, else the first path. */
function fileIn(line: string, args: readonly string[]): string | undefined {
  const given = args.find((arg) => /[\\/]/.test(arg) && line.includes(arg));
  return (
    given ??
    /['"‘“]([^'"’”]*[\\/][^'"’”]*)['"’”]/.exec(line)?.[1] ??
    /(?:[A-Za-z]:\\|\/)[^\s,:'"]+/.exec(line)?.[0] ??
    args.find((arg) => /[\\/]/.test(arg) && !arg.startsWith('-') && !arg.startsWith('@'))
  );
}

/** The first argument that is no option and no verb: what a package runner was asked for. */
function packageIn(args: readonly string[]): string | undefined {
  return args.find((arg) => !arg.startsWith('-') && !/^(?:tool|run|exec|dlx|x)$/.test(arg));
}

function programName(command: string): string {
  const last = command.split(/[\\/]/).at(-1) ?? command;
  return last.replace(/\.(?:exe|cmd|bat)$/i, '');
}
