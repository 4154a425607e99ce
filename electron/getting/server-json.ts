import { z } from 'zod';

/**
 * What the MCP registry says of a server (`server.json`, as of 2025-12-11). Unknown members are let be; what is used has
 * bounds.
 */
const short = z.string().max(300);
const text = z
  .string()
  .max(8_192)
  .refine((value) => !/[\0\p{Cs}]/u.test(value), 'a character is not allowed');
const inputShape = z.object({
  description: z.string().max(2_000).default(''),
  isRequired: z.boolean().default(false),
  isSecret: z.boolean().default(false),
  format: z.enum(['string', 'number', 'boolean', 'filepath']).default('string').catch('string'),
  value: text.optional(),
  default: z.union([text, z.number(), z.boolean()]).transform(String).optional(),
  choices: z.array(text).max(100).default([]),
});
const variableName = z.string().regex(/^[\w.-]{1,100}$/);
const withVariables = inputShape.extend({ variables: z.record(variableName, inputShape).default({}) });
const argumentShape = z.discriminatedUnion('type', [
  withVariables.extend({
    type: z.literal('positional'),
    valueHint: short.optional(),
    isRepeated: z.boolean().default(false),
  }),
  withVariables.extend({
    type: z.literal('named'),
    name: text.pipe(z.string().min(1).max(300)),
    isRepeated: z.boolean().default(false),
  }),
]);
const keyValueShape = withVariables.extend({ name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]{0,199}$/) });
const args = z.array(argumentShape).max(100).default([]);

export const packageShape = z.object({
  registryType: short,
  registryBaseUrl: short.optional(),
  identifier: z.string().min(1).max(2_000),
  version: z.string().max(255).optional(),
  fileSha256: z.string().max(200).optional(),
  runtimeHint: short.optional(),
  transport: z.object({ type: short }),
  runtimeArguments: args,
  packageArguments: args,
  environmentVariables: z.array(keyValueShape).max(100).default([]),
});
export const remoteShape = z.object({
  type: short,
  url: z.string().max(2_000),
  headers: z.array(keyValueShape).max(50).default([]),
});
export const serverShape = z.object({
  name: z.string().regex(/^[a-zA-Z0-9.-]{1,100}\/[a-zA-Z0-9._-]{1,100}$/),
  title: short.optional(),
  description: z.string().max(2_000).default(''),
  version: z.string().max(255),
  websiteUrl: z.string().max(2_000).optional(),
  repository: z
    .object({ url: z.string().max(2_000) })
    .optional()
    .catch(undefined),
  // Each is looked at by itself: one that does not fit takes no other along.
  packages: z.array(z.unknown()).max(50).default([]),
  remotes: z.array(z.unknown()).max(50).default([]),
});
export type RegistryServer = z.output<typeof serverShape>;
export type RegistryPackage = z.output<typeof packageShape>;
export type RegistryRemote = z.output<typeof remoteShape>;
export type RegistryArgument = z.output<typeof argumentShape>;
export type RegistryInput = z.output<typeof withVariables>;
export type RegistryKeyValue = z.output<typeof keyValueShape>;
