import { soundsSecret } from '../core/value-names.ts';
import type { HostApp } from './host-app-schema.ts';

/** A place in an entry that stands for a value which only the app, or the person, knows. */
export interface ImportBlank {
  /** As it is written; the same text stands for the same value everywhere in the entry. */
  readonly token: string;
  readonly label: string;
  readonly isSecret: boolean;
  /** What the app takes where nobody gives a value. */
  readonly fallback: string | null;
}

/** What an app asks its person for, and how: VS Code's `inputs`. */
export interface ImportInput {
  readonly id: string;
  readonly description: string;
  readonly isSecret: boolean;
  readonly fallback: string | null;
}

/** What an app replaces in its entries. Everything else is passed to the server as it is written. */
export type Variables = HostApp['variables'];

const NAME = '[A-Za-z_][A-Za-z0-9_]*';
const FORMS: Readonly<Record<Variables, RegExp | null>> = {
  none: null,
  editor:
    /\$\{(?<kind>input|env|command|config|workspaceFolder|workspaceFolderBasename|userHome|pathSeparator|\/)(?::(?<name>[^{}]{1,200}))?\}/g,
  braces: new RegExp(`\\$\\{(?<name>${NAME})(?::-(?<fallback>[^{}]{0,1000}))?\\}`, 'g'),
  dollar: new RegExp(`\\$\\{(?<name>${NAME})(?::-(?<fallback>[^{}]{0,1000}))?\\}|\\$(?<bare>${NAME})`, 'g'),
  opencode: /\{(?<kind>env|file):(?<name>[^{}]{1,200})\}/g,
};

/** The blanks of these texts, each once. What the entry's own environment gives is none. */
export function blanksIn(
  texts: readonly string[],
  variables: Variables,
  inputs: readonly ImportInput[],
  ownNames: ReadonlySet<string>,
): ImportBlank[] {
  const form = FORMS[variables];
  if (form === null) return [];
  const found = texts.flatMap((text) => [...text.matchAll(form)]);
  const blanks = found.flatMap(({ 0: token, groups = {} }) => blankOf(token, groups, variables, inputs, ownNames));
  return [...new Map(blanks.map((blank) => [blank.token, blank])).values()];
}

type Groups = Readonly<Partial<Record<'kind' | 'name' | 'bare' | 'fallback', string>>>;

function blankOf(
  token: string,
  groups: Groups,
  variables: Variables,
  inputs: readonly ImportInput[],
  ownNames: ReadonlySet<string>,
): ImportBlank[] {
  const { kind = 'env', fallback = null } = groups;
  const name = groups.name ?? groups.bare ?? '';
  if (RESOLVED.has(kind)) return [];
  const input = kind === 'input' ? inputs.find(({ id }) => id === name) : undefined;
  if (input !== undefined) {
    return [{ token, label: input.description, isSecret: input.isSecret, fallback: input.fallback }];
  }
  const isPassedOn = variables === 'braces' || variables === 'dollar';
  // The server itself may put it in, as `mcp-remote` does with headers.
  if (isPassedOn && ownNames.has(name)) return [];
  return [{ token, label: name === '' ? kind : name, isSecret: soundsSecret(name), fallback }];
}

/** What is the same for every project and needs nobody. */
const RESOLVED = new Set(['userHome', 'pathSeparator', '/']);

/** A text with the values in place. */
export function withValues(text: string, values: ReadonlyMap<string, string>): string {
  let filled = text;
  for (const [token, value] of values) filled = filled.replaceAll(token, () => value);
  return filled;
}

/** What an app's editor variables mean on this machine. */
export function machineValues(variables: Variables, home: string, separator: string): ReadonlyMap<string, string> {
  if (variables !== 'editor') return new Map();
  return new Map([
    ['${userHome}', home],
    ['${pathSeparator}', separator],
    ['${/}', separator],
  ]);
}
