import { chmodSync, createReadStream } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { argsInput, commandInput, envInput } from './control/inputs.ts';
import { HoldfastError } from './core/errors.ts';
import { SEVERITIES } from './core/model.ts';
import type { Mask } from './core/redact.ts';
import { HostConfigProblem, type ProblemCode } from './hosts/problem.ts';
import { asProblem, readTarget, refuseProtected, replaceTarget, type TargetFile } from './hosts/target-file.ts';
import { masking } from './masked.ts';
import { contractOf, isWhole, type Contract, type Program } from './publish/contract.ts';
import { diffMarkdown } from './publish/diff-markdown.ts';
import { diffText } from './publish/diff-text.ts';
import { diffContracts, isNegative } from './publish/diff.ts';
import { visibleJson } from './publish/plain-json.ts';
import { looksLikeContract, MAX_CONTRACT_BYTES, readContract } from './publish/read-contract.ts';
import { MAX_SAMPLES_BYTES, readSamples } from './publish/samples.ts';
import { masksFor, type Masks } from './publish/secrets.ts';
import { notWritten, snapshotProblems, snapshotText } from './publish/snapshot-words.ts';
import { observeAtRest, withServer, type Starting } from './publish/started-server.ts';
import { timeoutOf, verifySamples, verifyText } from './publish/verify.ts';
import { version } from '../package.json';

/** What a command prints, and how it ends. */
interface Told {
  readonly stdout: string;
  readonly stderr?: string;
  readonly status: 0 | 1;
}

/** Where a command was typed, and what came with it. */
interface Place {
  readonly cwd: string;
  readonly json: boolean;
  /** Takes over what a crash is masked with. */
  readonly useMask: (mask: Mask) => void;
}

const program = { command: commandInput, args: argsInput, env: envInput };
const snapshotInput = z.strictObject({ ...program, output: z.string().min(1).optional() });
const diffInput = z.strictObject({
  old: z.string().min(1),
  new: z.string().min(1),
  markdown: z.boolean(),
  failOn: z.enum(SEVERITIES),
});
const verifyInput = z.strictObject({ ...program, samples: z.string().min(1), timeout: z.string().optional() });

type Input = Readonly<Record<string, unknown>>;

/**
 * Commands for people who publish servers. They run here, without data folder or gateway.
 * @throws HoldfastError what they cannot do, without the keys that were given to a server
 */
export const PUBLISH_COMMANDS: Readonly<Record<string, (input: Input, place: Place) => Promise<Told>>> = {
  snapshot: async (input, place) => snapshot(checked(snapshotInput, input), place),
  diff: async (input, place) => diff(checked(diffInput, input), place),
  verify: async (input, place) => verify(checked(verifyInput, input), place),
};

function checked<T>(schema: z.ZodType<T>, input: Input): T {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const reason = `${(issue?.path ?? []).map(String).join('.')}: ${issue?.message ?? 'it is malformed'}`;
  throw new HoldfastError('COMMAND_BAD_INPUT', { reason });
}

async function snapshot({ output, ...given }: z.output<typeof snapshotInput>, place: Place): Promise<Told> {
  const { masks, starting } = startingOf(given, place);
  // Before anything is started: a file that may not be written over is not found out after a minute.
  const target = output === undefined ? undefined : targetOf(output, place.cwd);
  const contract = await masking(observed(starting, masks), masks.words);
  const text = visibleJson(contract);
  const whole = isWhole(contract);
  // A part of a contract never takes the place of a whole one.
  if (target !== undefined && whole) writeTarget(target, text);
  const problems = [
    ...snapshotProblems(contract),
    ...(output !== undefined && !whole ? [notWritten(output, target?.content !== undefined)] : []),
  ];
  const summary = whole && output !== undefined ? snapshotText(output, contract) : '';
  return {
    stdout: output === undefined || place.json ? text : summary,
    ...(problems.length > 0 && { stderr: `${problems.join('\n')}\n` }),
    status: whole ? 0 : 1,
  };
}

function observed(starting: Starting, masks: Masks): Promise<Contract> {
  return withServer(starting, async (connection) => {
    const observation = await observeAtRest(connection);
    const { name, version: own } = connection.info ?? { name: null, version: null };
    return contractOf(observation, { name, version: own }, starting.program, masks);
  });
}

function startingOf(given: Program, { cwd, useMask }: Place): { masks: Masks; starting: Starting } {
  const masks = masksFor(given);
  useMask(masks.words);
  return { masks, starting: { program: given, cwd, version } };
}

async function diff({ failOn, markdown, ...files }: z.output<typeof diffInput>, place: Place): Promise<Told> {
  if (markdown && place.json)
    throw new HoldfastError('COMMAND_BAD_INPUT', { reason: 'it takes --markdown or --json, not both' });
  const read = async (file: string): Promise<Contract> =>
    readContract(file, await readBounded(path.resolve(place.cwd, file), file, MAX_CONTRACT_BYTES));
  const found = diffContracts(await read(files.old), await read(files.new));
  const stdout = place.json ? visibleJson(found) : markdown ? diffMarkdown(found) : diffText(found);
  return { stdout, status: isNegative(found, failOn) ? 1 : 0 };
}

async function verify({ samples: file, timeout, ...given }: z.output<typeof verifyInput>, place: Place): Promise<Told> {
  const timeoutMs = timeoutOf(timeout);
  const samples = readSamples(file, await readBounded(path.resolve(place.cwd, file), file, MAX_SAMPLES_BYTES));
  const { masks, starting } = startingOf(given, place);
  const mask = masks.words;
  const found = await masking(verifySamples({ starting, samples, timeoutMs, mask }), mask);
  return { stdout: place.json ? visibleJson(found) : verifyText(found), status: found.ok ? 0 : 1 };
}

const READ_REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there',
  EACCES: 'you may not read it',
  EPERM: 'you may not read it',
  EISDIR: 'it is a folder',
};

/** A file or a pipe to its end, unless it is too long. @throws HoldfastError FILE_UNREADABLE */
async function readBounded(file: string, shown: string, maxBytes: number): Promise<Buffer> {
  const refuse = (reason: string, cause?: unknown): HoldfastError =>
    new HoldfastError('FILE_UNREADABLE', { file: shown, reason }, { cause });
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw refuse(`it is larger than ${maxBytes / 1024 / 1024} MB`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof HoldfastError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw refuse(READ_REASONS[code] ?? code, error);
  }
  return Buffer.concat(chunks);
}

/** @throws HoldfastError FILE_NOT_WRITTEN; FILE_NOT_SNAPSHOT for a file that is something else */
function targetOf(output: string, cwd: string): TargetFile {
  return writing(output, () => {
    const target = readTarget(path.resolve(cwd, output));
    // A name that was mistyped makes no folder.
    if (target.missingFolders.length > 0) throw new HostConfigProblem('NO_DIR', 'Its folder is not there.');
    const bytes = target.content?.bytes;
    if (bytes !== undefined && bytes.length > 0 && !looksLikeContract(bytes))
      throw new HoldfastError('FILE_NOT_SNAPSHOT', { file: output });
    refuseProtected(target);
    return target;
  });
}

const NEW_FILE = 0o644;

/** In one step: a reader finds the old or the new one. It is for a repository, so it is as readable as any file there. */
function writeTarget(target: TargetFile, text: string): void {
  writing(target.file, () => {
    if (!replaceTarget(target, Buffer.from(text)))
      throw new HostConfigProblem('BUSY', 'It was changed by another program meanwhile.');
    if (target.content === undefined) chmodSync(target.realPath, NEW_FILE & ~umask());
  });
}

/** There is no other way to read it. */
function umask(): number {
  const own = process.umask(0o077);
  process.umask(own);
  return own;
}

const WRITE_REASONS: Readonly<Partial<Record<ProblemCode, string>>> = {
  NO_DIR: 'its folder is not there',
  READ_ONLY: 'you may not write it',
  NOT_A_FILE: 'there is something else than a file in its place',
  TOO_BIG: 'there is a file of more than 32 MB in its place',
  NO_SPACE: 'the disk is full',
  DANGLING_LINK: 'it is a link to a file that is not there',
  BUSY: 'another program has changed it meanwhile',
};

function writing<T>(file: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof HoldfastError) throw error;
    const problem = asProblem(error);
    const known = problem instanceof HostConfigProblem ? WRITE_REASONS[problem.code] : undefined;
    const reason = known ?? (error instanceof Error ? error.message : String(error));
    throw new HoldfastError('FILE_NOT_WRITTEN', { file, reason }, { cause: error });
  }
}
