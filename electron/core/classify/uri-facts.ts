import type { Fact, JsonObject, StoredDefinition } from '../model.ts';

/** Schemes whose addresses are contents or code themselves. */
const CODE = /^(?:javascript|vbscript|data|blob):/i;

/** Facts about the address of a resource: where it leads, and what it holds itself. `null`: it is new. */
export function uriFacts(before: JsonObject | null, { definition, kind }: StoredDefinition): Fact[] {
  const field = kind === 'resource' ? 'uri' : kind === 'resourceTemplate' ? 'uriTemplate' : undefined;
  const now = field === undefined ? undefined : definition[field];
  if (field === undefined || typeof now !== 'string') return [];
  const path = `/definition/${field}`;
  const old = before?.[field];
  if (old === now) return [];
  const code: Fact[] = CODE.test(now.trim()) ? [{ class: 'uri.code', path, after: now, severity: 'security' }] : [];
  if (typeof old !== 'string') return code;
  const isElsewhere = originOf(old) !== originOf(now);
  const moved: Fact = isElsewhere
    ? { class: 'uri.origin', path, before: old, after: now, severity: 'security' }
    : { class: 'uri.changed', path, before: old, after: now, severity: 'breaking' };
  return [moved, ...code];
}

/** Scheme and host; where there is no scheme, all of it. A template has none of both where it begins with a variable. */
function originOf(uri: string): string {
  const found = /^([a-z][a-z0-9+.-]*):(?:\/\/([^/?#]*))?/i.exec(uri);
  return (found?.[0] ?? uri).toLowerCase();
}
