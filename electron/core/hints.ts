import { isObject } from './canonical.ts';
import type { Json } from './model.ts';

export const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
export type Hint = (typeof HINTS)[number];

/** The protocol's own defaults (MCP 2025-11-25, ToolAnnotations). */
export const DEFAULT_HINTS: Readonly<Record<Hint, boolean>> = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

/**
 * What a tool's hints come to. A hint that is no boolean says nothing. A tool that only reads destroys nothing unless
 * it says so itself, and repeating it does no further work.
 */
export function effectiveHints(annotations: Json | undefined): Record<Hint, boolean> {
  const read = (hint: Hint): boolean | undefined => {
    const value = isObject(annotations) ? annotations[hint] : undefined;
    return typeof value === 'boolean' ? value : undefined;
  };
  const readOnly = read('readOnlyHint') ?? DEFAULT_HINTS.readOnlyHint;
  return {
    readOnlyHint: readOnly,
    destructiveHint: read('destructiveHint') ?? !readOnly,
    idempotentHint: readOnly || (read('idempotentHint') ?? DEFAULT_HINTS.idempotentHint),
    openWorldHint: read('openWorldHint') ?? DEFAULT_HINTS.openWorldHint,
  };
}
