import { BOUNDS } from '../core/bounds.ts';
import { surfaceKey } from './ports.ts';
import type { ActiveSurface, Refusal, SurfaceEntry } from './ports.ts';
import type { Source } from './provenance.ts';
import { templateMatcher } from './uri-template.ts';

export type Route =
  | { readonly type: 'entry'; readonly entry: SurfaceEntry }
  | { readonly type: 'refused'; readonly refusal: Refusal }
  | { readonly type: 'unknown' };

interface Templates {
  readonly approved: readonly { readonly entry: SurfaceEntry; matches(uri: string): boolean }[];
  readonly refused: readonly { readonly refusal: Refusal; matches(uri: string): boolean }[];
}

/** Finds what a URI may be read through: its own entry, one approved template, or whoever returned it before. */
export class ResourceRoutes {
  readonly #templates = new WeakMap<ActiveSurface, Templates>();

  /** `returnedBy`: the capability that returned this URI in this connection. */
  find(surface: ActiveSurface, uri: string, returnedBy: Source | undefined): Route {
    const exact = surfaceKey('resource', uri);
    const entry = surface.entries.get(exact);
    if (entry) return { type: 'entry', entry };
    // A resource that is off must not come back through a template.
    const refusal = surface.refusals.get(exact);
    if (refusal) return { type: 'refused', refusal };
    const through = this.#approvedTemplate(surface, uri) ?? this.#returned(surface, returnedBy);
    if (through) return { type: 'entry', entry: through };
    const refused = this.#of(surface).refused.find((template) => template.matches(uri));
    return refused ? { type: 'refused', refusal: refused.refusal } : { type: 'unknown' };
  }

  /** What an older definition returned says nothing about what the one in force may reach. */
  #returned(surface: ActiveSurface, returnedBy: Source | undefined): SurfaceEntry | undefined {
    const entry = returnedBy && surface.entries.get(returnedBy.key);
    return entry?.id === returnedBy?.id ? entry : undefined;
  }

  /** Where templates of several servers match, none can be meant. */
  #approvedTemplate(surface: ActiveSurface, uri: string): SurfaceEntry | undefined {
    const matching = this.#of(surface).approved.filter((template) => template.matches(uri));
    const servers = new Set(matching.map((template) => template.entry.server));
    return servers.size === 1 ? matching[0]?.entry : undefined;
  }

  #of(surface: ActiveSurface): Templates {
    const known = this.#templates.get(surface);
    if (known) return known;
    const templates = compile(surface);
    this.#templates.set(surface, templates);
    return templates;
  }
}

function compile(surface: ActiveSurface): Templates {
  const approved = [...surface.entries.values()].flatMap((entry) => {
    const matches = entry.kind === 'resourceTemplate' ? templateMatcher(entry.name) : null;
    return matches ? [{ entry, matches }] : [];
  });
  const prefix = surfaceKey('resourceTemplate', '');
  const refused = [...surface.refusals].flatMap(([key, refusal]) => {
    const matches = key.startsWith(prefix) ? templateMatcher(key.slice(prefix.length)) : null;
    return matches ? [{ refusal, matches }] : [];
  });
  // Each one is tried for each address that is read.
  const { value } = BOUNDS.templates;
  return { approved: approved.slice(0, value), refused: refused.slice(0, value) };
}
