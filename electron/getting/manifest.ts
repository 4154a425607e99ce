import { z } from 'zod';
import { refused } from './refused.ts';

/** Forms of the manifest that are understood; each adds to the one before. */
const KNOWN_FORMS = ['0.1', '0.2', '0.3', '0.4'];
const MAX_FIELDS = 100;

const short = z.string().max(300);
const long = z.string().max(20_000);
const part = z
  .string()
  .max(8_192)
  .refine((text) => !/[\0\p{Cs}]/u.test(text), 'a character is not allowed');
const envName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/);
const programShape = z.object({
  command: part.min(1),
  args: z.array(part).max(200).default([]),
  env: z.record(envName, part).default({}),
});
const overrideShape = z.object({
  command: part.min(1).optional(),
  args: z.array(part).max(200).optional(),
  env: z.record(envName, part).optional(),
});
const programWithOverrides = programShape.extend({
  platform_overrides: z.record(z.string().max(20), overrideShape).default({}),
});
const started = { entry_point: part.min(1), mcp_config: programWithOverrides };
const serverShape = z.discriminatedUnion('type', [
  z.object({ type: z.literal('node'), ...started }),
  z.object({ type: z.literal('python'), ...started }),
  z.object({ type: z.literal('binary'), ...started }),
  z.object({ type: z.literal('uv'), ...started, mcp_config: programWithOverrides.optional() }),
]);
const scalar = z.union([z.string().max(8_192), z.number(), z.boolean()]);
const fieldShape = z.object({
  type: z.enum(['string', 'number', 'boolean', 'directory', 'file']),
  title: short,
  description: long.default(''),
  required: z.boolean().default(false),
  default: z.union([scalar, z.array(z.string().max(8_192)).max(50)]).optional(),
  multiple: z.boolean().default(false),
  sensitive: z.boolean().default(false),
  min: z.number().optional(),
  max: z.number().optional(),
});
const fieldKey = z.string().regex(/^[A-Za-z0-9_.-]{1,100}$/);

/** The parts of a bundle's manifest that decide what is started and what is asked for. Others are its own affair. */
const manifestShape = z.object({
  name: short.min(1),
  display_name: short.optional(),
  version: z.string().regex(/^[\w.+-]{1,100}$/),
  description: long,
  author: z.object({ name: short.min(1) }),
  server: serverShape,
  compatibility: z.object({ platforms: z.array(z.string().max(20)).max(20).optional() }).optional(),
  user_config: z
    .record(fieldKey, fieldShape)
    .default({})
    .refine((fields) => Object.keys(fields).length <= MAX_FIELDS, 'it asks for too much'),
});
export type Manifest = z.output<typeof manifestShape>;
export type ManifestField = z.output<typeof fieldShape>;

const formShape = z.object({ manifest_version: z.unknown().optional(), dxt_version: z.unknown().optional() });

/**
 * Reads the manifest of a bundle, in its form of today or that of its older name.
 * @throws HoldfastError OFFER_REFUSED newer, manifest
 */
export function readManifest(text: string, label: string): Manifest {
  const about = { file: label };
  const value = parsed(text);
  const form = formShape.safeParse(value).data;
  const found = form?.manifest_version ?? form?.dxt_version;
  if (typeof found !== 'string') throw refused('manifest', { ...about, reason: 'it does not say its form' });
  if (!KNOWN_FORMS.includes(found)) throw refused('newer', { ...about, found: found.slice(0, 20) });
  const manifest = manifestShape.safeParse(value);
  if (manifest.success) return manifest.data;
  const [issue] = manifest.error.issues;
  const where = issue?.path.join('.') ?? '';
  throw refused('manifest', { ...about, reason: `${where.slice(0, 100)}: ${issue?.message ?? ''}` }, manifest.error);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown; // checked by the schemas
  } catch {
    return undefined;
  }
}
