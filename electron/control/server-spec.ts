import { createHmac } from 'node:crypto';
import path from 'node:path';
import { canonicalText } from '../core/canonical.ts';
import type { Server, Settings } from '../core/model.ts';
import { words } from '../core/words.ts';
import { isShut } from '../store/secrets.ts';
import type { UpstreamSpec } from '../gateway/ports.ts';
import type { ControlOptions } from './control-options.ts';
import { startOf } from './own-start.ts';
import { keysFor } from './server-keys.ts';

type Place = Pick<ControlOptions, 'secrets' | 'dataDir' | 'digestKey' | 'ownPrograms'>;

/** How a server is started; one whose keys cannot be had is locked, with the reason in words. */
export function serverSpec(server: Server, place: Place, language: Settings['language']): UpstreamSpec {
  const { id, name, route, launch, asks } = server;
  const { secrets, dataDir, digestKey, ownPrograms = {} } = place;
  const env = keysFor(secrets, server);
  const folder = launch.cwd === undefined ? {} : { cwd: launch.cwd };
  const config = canonicalText({ command: launch.command, args: launch.args, env, ...folder });
  const digest = createHmac('sha256', digestKey).update(config).digest('hex').slice(0, 32);
  const cwd = launch.cwd ?? path.join(dataDir, 'servers', id);
  const spec = { server: id, name, route, ...startOf(launch, env, ownPrograms), cwd, digest, asks };
  // Without its keys it may offer other tools, and everything in use would go off for a reason that is none.
  if (launch.envNames.every((key) => Object.hasOwn(env, key))) return spec;
  const { keeping } = secrets;
  return { ...spec, locked: words(isShut(keeping) ? `keys.${keeping}` : 'keys.missing', language) };
}
