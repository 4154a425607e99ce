import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { TriedServer, TryableServer } from './control/context.ts';
import { asHoldfastError } from './core/errors.ts';
import { KINDS, type Observation } from './core/model.ts';
import { redactor } from './core/redact.ts';
import { withServer, type Starting } from './publish/started-server.ts';
import { tryFolder } from './left-behind.ts';
import { version } from '../package.json';

/**
 * Starts a server that Holdfast does not have, in the way it starts its own, asks what it offers and ends it. Nothing is
 * remembered of it. Never throws: that it does not start is the answer.
 */
export async function tryServer(
  server: TryableServer,
  dataDir: string,
  gateway: NonNullable<Starting['gateway']>,
): Promise<TriedServer> {
  const { command, args, env } = server;
  const folder = newFolder(dataDir);
  const mask = redactor(Object.values(env));
  try {
    const program = { command, args, env };
    const starting = { program, cwd: server.cwd ?? folder, version, gateway };
    return triedOf(await withServer(starting, (connection) => connection.observe()), mask);
  } catch (thrown) {
    const { details, code } = asHoldfastError(thrown);
    return { problem: mask(String(details['reason'] ?? code)), tools: [] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function newFolder(dataDir: string): string {
  const place = tryFolder(dataDir);
  mkdirSync(path.dirname(place), { recursive: true, mode: 0o700 });
  return mkdtempSync(place);
}

function triedOf({ kinds }: Observation, mask: (text: string) => string): TriedServer {
  const failed = KINDS.flatMap((kind) => {
    const outcome = kinds[kind];
    return outcome?.status === 'failed' || outcome?.status === 'incomplete' ? [outcome.reason] : [];
  });
  const tools = kinds.tool?.status === 'complete' ? kinds.tool.items.map(({ originKey }) => originKey) : [];
  return { problem: failed[0] === undefined ? null : mask(failed[0]), tools };
}
