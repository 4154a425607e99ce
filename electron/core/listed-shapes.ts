import { z } from 'zod';
import type { ListedKind } from './model.ts';

/** A JSON Schema as the protocol allows it for inputs and outputs; other keywords pass. */
const objectSchema = z.looseObject({
  type: z.literal('object'),
  properties: z.record(z.string(), z.looseObject({})).optional(),
  required: z.array(z.string()).optional(),
});
const hints = z.looseObject({
  title: z.string().optional(),
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  idempotentHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
});
const words = { title: z.string().optional(), description: z.string().optional(), _meta: z.looseObject({}).optional() };
const execution = z.looseObject({ taskSupport: z.enum(['required', 'optional', 'forbidden']).optional() });
const argument = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  required: z.boolean().optional(),
});

/**
 * What host apps insist on per kind: many refuse a whole list for one entry that breaks it, so such an entry
 * is withheld. Everything else passes, unknown fields included.
 */
export const LISTED_SHAPES: Readonly<Record<ListedKind, z.ZodType>> = {
  tool: z.looseObject({
    ...words,
    inputSchema: objectSchema,
    outputSchema: objectSchema.optional(),
    annotations: hints.optional(),
    execution: execution.optional(),
  }),
  prompt: z.looseObject({ ...words, arguments: z.array(argument).optional() }),
  resource: z.looseObject({ ...words, name: z.string(), mimeType: z.string().optional() }),
  resourceTemplate: z.looseObject({ ...words, name: z.string(), mimeType: z.string().optional() }),
};
