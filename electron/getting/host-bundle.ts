import fs from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { HoldfastError } from '../core/errors.ts';
import { systemCode } from '../core/system-reasons.ts';

/** What goes into a bundle of our own bridge. */
export interface HostBundle {
  /** Id of the host app that it is for. */
  readonly app: string;
  /** Absolute path of the data folder whose gateway it connects to. */
  readonly dataDir: string;
  /** The bridge's own file. */
  readonly bridgeSource: string;
  readonly version: string;
}

/** The same content gives the same bytes. */
const MTIME = new Date('2000-01-01T00:00:00Z');

/** What a host app reads of it. The program is the bridge; which tools there are is not said, because that changes. */
function hostManifest({ app, dataDir, version }: HostBundle): Readonly<Record<string, unknown>> {
  return {
    manifest_version: '0.2',
    name: 'holdfast',
    display_name: 'Holdfast',
    version,
    description: 'The tools you chose in Holdfast, which keeps them working when servers change.',
    author: { name: 'Holdfast' },
    server: {
      type: 'node',
      entry_point: 'bridge.cjs',
      mcp_config: { command: 'node', args: ['${__dirname}/bridge.cjs', 'connect', app, '--home', dataDir], env: {} },
    },
    tools_generated: true,
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: '>=18.15.0' } },
  };
}

/**
 * Writes a bundle that a host app takes in through its own window, where its settings file does not last. A file that is
 * there already is left alone.
 * @throws HoldfastError FILE_EXISTS, FILE_NOT_WRITTEN
 */
export async function writeHostBundle(file: string, bundle: HostBundle): Promise<void> {
  const zip = new ZipFile();
  const options = { mtime: MTIME, mode: 0o100644 };
  zip.addBuffer(Buffer.from(`${JSON.stringify(hostManifest(bundle), null, 2)}\n`), 'manifest.json', options);
  zip.addBuffer(fs.readFileSync(bundle.bridgeSource), 'bridge.cjs', options);
  zip.end();
  const bytes = await buffer(zip.outputStream);
  try {
    await fs.promises.writeFile(path.resolve(file), bytes, { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    const system = systemCode(cause);
    if (system === 'EEXIST') throw new HoldfastError('FILE_EXISTS', { file }, { cause });
    const details = { file, reason: cause instanceof Error ? cause.message : String(cause) };
    throw new HoldfastError('FILE_NOT_WRITTEN', { ...details, ...(system !== undefined && { system }) }, { cause });
  }
}
