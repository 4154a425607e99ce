import { z } from 'zod';

const MAX_TEXT = 8_000;
const MAX_ITEMS = 200;
const MAX_NAME = 200;

const text = z.string().max(MAX_TEXT);
const scalar = z.union([text, z.number(), z.boolean()]).transform(String);
const words = z.array(scalar).max(MAX_ITEMS);
/** `null` takes a value out, which is what leaving it out does. */
const pairs = z
  .record(z.string().max(MAX_NAME), scalar.nullable())
  .refine((all) => Object.keys(all).length <= MAX_ITEMS)
  .transform((all) =>
    Object.fromEntries(Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== null)),
  );
const names = z.array(z.string().max(MAX_NAME)).max(MAX_ITEMS * 5);
/** Names of variables that the app hands on; one app can say where from. */
const handedOn = z
  .array(
    z.union([
      z.string().max(MAX_NAME),
      z.looseObject({ name: z.string().max(MAX_NAME) }).transform(({ name }) => name),
    ]),
  )
  .max(MAX_ITEMS);
/** A program with what goes with it in one value, as an older Zed has it. */
const program = z.looseObject({ path: text, args: words.nullish(), env: pairs.nullish() });

/** An entry for one server, in the words of all apps: each has its own for the same thing. */
export const entryShape = z.looseObject({
  type: text.nullish(),
  transport: text.nullish(),
  source: text.nullish(),
  command: z.union([text, z.array(text).min(1).max(MAX_ITEMS), program]).nullish(),
  cmd: text.nullish(),
  args: words.nullish(),
  env: pairs.nullish(),
  envs: pairs.nullish(),
  environment: pairs.nullish(),
  env_keys: handedOn.nullish(),
  env_vars: handedOn.nullish(),
  envFile: text.nullish(),
  cwd: text.nullish(),
  working_directory: text.nullish(),
  url: text.nullish(),
  serverUrl: text.nullish(),
  httpUrl: text.nullish(),
  uri: text.nullish(),
  headers: pairs.nullish(),
  http_headers: pairs.nullish(),
  env_http_headers: pairs.nullish(),
  bearer_token_env_var: z.string().max(MAX_NAME).nullish(),
  disabled: z.boolean().nullish(),
  enabled: z.boolean().nullish(),
  disabledTools: names.nullish(),
  disabled_tools: names.nullish(),
  excludeTools: names.nullish(),
  enabled_tools: names.nullish(),
  includeTools: names.nullish(),
});
export type Entry = z.output<typeof entryShape>;

const input = z.looseObject({
  id: z.string().min(1).max(MAX_NAME),
  description: z.string().max(MAX_TEXT).nullish(),
  password: z.boolean().nullish(),
  default: z.string().max(MAX_TEXT).nullish(),
});

/** VS Code's `inputs`: what it asks for, and where it has kept the answers nobody else can read. */
export const inputsShape = z.array(z.unknown()).max(MAX_ITEMS);
export const inputShape = input;
