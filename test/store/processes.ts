import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const SOURCE = fileURLToPath(new URL('./fixtures/committer.ts', import.meta.url));

/** Bundles the committer, as Node alone cannot run it; returns the script. */
export async function bundleCommitter(folder: string): Promise<string> {
  const outfile = path.join(folder, 'committer.cjs');
  await build({ entryPoints: [SOURCE], outfile, bundle: true, platform: 'node', format: 'cjs', target: 'node18' });
  return outfile;
}

export interface Committer {
  readonly child: ChildProcess;
  /** Everything it wrote to standard output, so far. */
  readonly marks: () => string;
  readonly errors: () => string;
  /** Resolves when it has ended and all its output is read. */
  readonly ended: Promise<unknown>;
}

/** Starts the committer on a data folder. */
export function startCommitter(script: string, ...args: readonly string[]): Committer {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (texts.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (texts.err += chunk.toString()));
  return { child, marks: () => texts.out, errors: () => texts.err, ended: once(child, 'close') };
}

/** Waits until it has written a mark, or ended. */
export async function marked(committer: Committer, mark: string): Promise<void> {
  const { stdout } = committer.child;
  const hasEnded = committer.ended.then(() => true);
  while (!committer.marks().includes(mark)) {
    const next = stdout ? once(stdout, 'data').then(() => false) : Promise.resolve(true);
    if (await Promise.race([next, hasEnded])) return;
  }
}
