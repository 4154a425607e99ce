import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import {
  stateOf,
  type Facts,
  type FileFacts,
  type FolderFacts,
  type GatewayFacts,
  type Stored,
  type Told,
} from './facts.ts';
import { findProgram } from '../system/find-program.ts';
import { appFacts, journalFacts, serverFacts } from './look-parts.ts';
import type { Asked, DoctorPorts } from './ports.ts';

/** A gateway that starts has the folder before it answers, and a passing command has it for a moment. */
const STARTING_MS = 5_000;
const PAUSE_MS = 100;
const TOKEN = /^[0-9a-f]{64}$/;
const OTHERS = 0o077;

/** Looks at everything the checks judge by. Changes nothing, starts nothing, and takes what it cannot see as such. */
export async function lookAtMachine(ports: DoctorPorts): Promise<Facts> {
  const { gateway, owners, path: searched } = await lookAtGateway(ports);
  const stored = {
    present: orElse(() => ports.stored('present'), UNREADABLE),
    previous: orElse(() => ports.stored('previous'), UNREADABLE),
  };
  const folder = folderFacts(ports);
  const journal = orElse(() => journalFacts(ports), { servers: new Map(), newest: null });
  const state = stateOf(stored);
  const inData = (name: string): string => path.join(ports.dataDir, name);
  return {
    at: ports.now(),
    own: ports.own,
    folder,
    ...stored,
    setAside: [...namesIn(ports.dataDir), ...namesIn(inData('journal'))].filter((name) => name.includes('.damaged-'))
      .length,
    owners,
    gateway,
    socket: { path: ports.endpoint, kind: socketFacts(ports) },
    token: fileFacts(ports.tokenFile, (text) => TOKEN.test(text)),
    bridge: bridgeFacts(ports),
    launch: launchFacts(ports),
    keys: keyFacts(inData('secrets.json')),
    servers: state === undefined ? [] : serverFacts(ports, state, searched, journal.servers),
    apps: orElse(() => appFacts(ports), []),
    leftOver: await ports.serverProcesses().catch(() => []),
    newest: newestOf([journal.newest, ...Object.values(state?.publications ?? {}).map(({ at }) => at)]),
    bytes: { journal: bytesIn(inData('journal')), traces: bytesIn(inData('traces')) },
  };
}

const UNREADABLE: Stored = { kind: 'unreadable' };

/** What cannot be seen must not end the look at the rest. */
function orElse<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

const aboutShape = z.object({ version: z.string().max(100), pid: z.int(), path: z.string().nullable() });
const toldShape: z.ZodType<Told> = z.object({
  servers: z.array(z.object({ id: z.string(), state: z.string(), problem: z.string().nullable() })),
  apps: z.array(
    z.object({
      id: z.string(),
      connected: z.number(),
      entries: z.number(),
      withheld: z.array(z.object({ reason: z.string() })),
    }),
  ),
  notices: z.array(z.string()),
  keys: z.string().optional(),
});

interface Met {
  readonly gateway: GatewayFacts;
  readonly owners: readonly number[];
  /** PATH that servers are looked up on. */
  readonly path: string | undefined;
}

async function lookAtGateway(ports: DoctorPorts): Promise<Met> {
  const deadline = Date.now() + STARTING_MS;
  for (;;) {
    const owners = orElse(() => ports.owners(), []);
    const asked = await ports.ask('about');
    const here = { owners, path: ports.path };
    if (asked.kind === 'silent') return { ...here, gateway: { kind: 'silent', pid: owners[0] ?? null } };
    if (asked.kind === 'no-token') return { ...here, gateway: { kind: 'no-token' } };
    if (asked.kind === 'refused') return { ...here, gateway: refused(asked) };
    if (asked.kind === 'answer') return answered(ports, owners, asked.value);
    if (owners.length === 0) return { ...here, gateway: { kind: 'none' } };
    if (Date.now() > deadline) return { ...here, gateway: { kind: 'silent', pid: owners[0] ?? null } };
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** A version that does not know the question is another version. */
function refused({ code, said }: Extract<Asked, { kind: 'refused' }>): GatewayFacts {
  const isOther = code === 'COMMAND_BAD_INPUT';
  return isOther ? { kind: 'answers', version: null, pid: null, told: null } : { kind: 'refused', code, said };
}

async function answered(ports: DoctorPorts, owners: readonly number[], value: unknown): Promise<Met> {
  const about = aboutShape.safeParse(value).data;
  const asked = await ports.ask('snapshot');
  const told = asked.kind === 'answer' ? (toldShape.safeParse(asked.value).data ?? null) : null;
  const gateway: GatewayFacts = { kind: 'answers', version: about?.version ?? null, pid: about?.pid ?? null, told };
  return { gateway, owners, path: about?.path ?? ports.path };
}

function folderFacts({ dataDir, platform }: DoctorPorts): FolderFacts {
  const blank = { path: dataDir, isPrivate: true, canWrite: true, freeBytes: freeBytes(dataDir) };
  try {
    const stat = fs.statSync(dataDir);
    if (!stat.isDirectory()) return { ...blank, kind: 'not-folder' };
    if (!may(dataDir, fs.constants.R_OK | fs.constants.X_OK)) return { ...blank, kind: 'unreadable' };
    const isPrivate = platform === 'win32' || (stat.mode & OTHERS) === 0;
    return { ...blank, kind: 'there', isPrivate, canWrite: may(dataDir, fs.constants.W_OK) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOTDIR') return { ...blank, kind: 'not-folder' };
    return { ...blank, kind: code === 'ENOENT' ? 'missing' : 'unreadable' };
  }
}

function may(file: string, what: number): boolean {
  return orElse(() => {
    fs.accessSync(file, what);
    return true;
  }, false);
}

/** Of the folder, or of the one that it will be made in. */
function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = fs.statfsSync(folder);
    return bavail * bsize;
  } catch {
    const parent = path.dirname(folder);
    return parent === folder ? null : freeBytes(parent);
  }
}

function socketFacts({ endpoint, platform, isPrivateEndpoint }: DoctorPorts): Facts['socket']['kind'] {
  if (platform === 'win32') return 'ok';
  if (!fs.existsSync(endpoint)) return 'none';
  if (!isPrivateEndpoint(endpoint)) return 'foreign';
  return orElse(() => ((fs.lstatSync(endpoint).mode & OTHERS) === 0 ? 'ok' : 'open'), 'foreign');
}

function fileFacts(file: string, isSound: (text: string) => boolean): FileFacts {
  if (!fs.existsSync(file)) return 'missing';
  try {
    const { mode } = fs.statSync(file);
    if (!isSound(fs.readFileSync(file, 'utf8'))) return 'damaged';
    return process.platform !== 'win32' && (mode & OTHERS) !== 0 ? 'open' : 'ok';
  } catch {
    return 'unreadable';
  }
}

function bridgeFacts({ bridge: { installed, source } }: DoctorPorts): Facts['bridge'] {
  if (!fs.existsSync(source)) return 'unknown';
  if (!fs.existsSync(installed)) return 'missing';
  return orElse(() => (fs.readFileSync(installed).equals(fs.readFileSync(source)) ? 'ok' : 'different'), 'different');
}

function launchFacts(ports: DoctorPorts): Facts['launch'] {
  if (!fs.existsSync(ports.launchFile)) return { kind: 'missing' };
  const launch = orElse(() => ports.launch(), null);
  if (launch === null) return { kind: 'unreadable' };
  const place = { path: ports.path, cwd: ports.dataDir, platform: ports.platform };
  if (findProgram(launch.command, place) !== 'found') return { kind: 'gone', path: launch.command };
  const [script] = launch.args;
  const isGone = script !== undefined && path.isAbsolute(script) && !fs.existsSync(script);
  return isGone ? { kind: 'gone', path: script } : { kind: 'ok' };
}

/** How the keys are kept; the keys themselves are not looked at. */
function keyFacts(file: string): Facts['keys'] {
  const keeping = orElse(() => keepingIn(fs.readFileSync(file, 'utf8')), undefined);
  const found = fileFacts(file, () => keeping !== undefined);
  if (found === 'missing' || (found !== 'unreadable' && keeping === 'none')) return 'none';
  if (keeping === undefined) return 'unreadable';
  return keeping === 'plain' && found === 'open' ? 'open' : keeping;
}

/** @throws SyntaxError for what is no JSON; `undefined` for what is no file of keys. */
function keepingIn(text: string): 'none' | 'plain' | 'sealed' | undefined {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) return undefined;
  if ('sealed' in value && value.sealed === true) return 'sealed';
  // The first format was the values and nothing around them.
  const values = 'values' in value ? value.values : value;
  if (typeof values !== 'object' || values === null) return undefined;
  return Object.values(values).every(isEmpty) ? 'none' : 'plain';
}

function isEmpty(values: unknown): boolean {
  return typeof values === 'object' && values !== null && Object.keys(values).length === 0;
}

function namesIn(folder: string): readonly string[] {
  return orElse(() => fs.readdirSync(folder), []);
}

function bytesIn(folder: string): number {
  return namesIn(folder).reduce((sum, name) => sum + orElse(() => fs.statSync(path.join(folder, name)).size, 0), 0);
}

function newestOf(times: readonly (string | null)[]): string | null {
  const known = times.filter((time) => time !== null && !Number.isNaN(Date.parse(time)));
  return known.sort().at(-1) ?? null;
}
