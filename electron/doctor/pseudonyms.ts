import type { State } from '../core/model.ts';

/** Ids of apps that everybody has heard of, so that they say nothing about a person. */
const KNOWN_APPS: ReadonlySet<string> = new Set([
  ...['claude-desktop', 'claude-code', 'cursor', 'vscode', 'vscode-insiders', 'windsurf', 'zed', 'codex'],
  ...['gemini-cli', 'antigravity', 'cline', 'lmstudio', 'kiro', 'continue', 'opencode', 'goose'],
]);

/** Stand-ins for names, the same for the same server or app within one file. */
export class Pseudonyms {
  readonly #servers = new Map<string, string>();
  readonly #apps = new Map<string, string>();

  constructor(state: State | undefined) {
    for (const id of Object.keys(state?.servers ?? {})) this.server(id);
    for (const id of Object.keys(state?.consumers ?? {})) this.app(id);
  }

  server(id: string): string {
    return numbered(this.#servers, id, 'server');
  }

  app(id: string): string {
    return KNOWN_APPS.has(id) ? id : numbered(this.#apps, id, 'app');
  }
}

function numbered(given: Map<string, string>, id: string, word: string): string {
  const known = given.get(id) ?? `${word}-${given.size + 1}`;
  given.set(id, known);
  return known;
}
