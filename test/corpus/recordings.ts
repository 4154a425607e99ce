/** Recorded listings of real servers as observations of one server, version by version. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { capabilityId } from '../../electron/core/identity.ts';
import { launchRoute } from '../../electron/core/launch.ts';
import type {
  JsonObject,
  Kind,
  KindOutcome,
  Launch,
  ListedKind,
  Observation,
  ServerId,
} from '../../electron/core/model.ts';
import { inspectWith, instructionsOutcome, listOutcome, LISTS, type PageAnswer } from '../../electron/core/observe.ts';

const answer = z.looseObject({
  result: z.unknown().optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
});
const recording = z.looseObject({
  initialize: z.looseObject({
    result: z.looseObject({
      capabilities: z.record(z.string(), z.unknown()).default({}),
      instructions: z.unknown().optional(),
      serverInfo: z.looseObject({ version: z.string() }),
    }),
  }),
  lists: z.record(z.string(), z.looseObject({ responses: z.array(answer).optional() })),
});

/** Name of the folder -> versions that listed, oldest first. */
export function recordedServers(folder: string): Map<string, string[]> {
  const snapshots = path.join(folder, 'snapshots');
  const packages = readdirSync(snapshots).map((name): [string, string[]] => {
    const files = readdirSync(path.join(snapshots, name)).filter((file) => !file.includes('.failed.'));
    const versions = files.map((file) => file.slice(0, -'.json'.length));
    return [name, versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))];
  });
  return new Map(packages);
}

export const recordingFile = (folder: string, name: string, version: string): string =>
  path.join(folder, 'snapshots', name, `${version}.json`);

export const SERVER = 'srv' as ServerId;
export const LAUNCH: Launch = { type: 'stdio', command: 'npx', args: ['-y', 'recorded'], envNames: [] };
const ROUTE = launchRoute(LAUNCH);

/** What one recorded version showed, as the gateway would have observed it. */
export function observationOf(folder: string, name: string, version: string): Observation {
  const { initialize, lists } = recording.parse(JSON.parse(readFileSync(recordingFile(folder, name, version), 'utf8')));
  const { capabilities, instructions, serverInfo } = initialize.result;
  const identify = (kind: Kind, originKey: string, definition: JsonObject) =>
    capabilityId({ serverId: SERVER, kind, originKey, route: ROUTE, definition });
  const listed = (Object.keys(LISTS) as ListedKind[]).map((kind): [Kind, KindOutcome] => {
    const { method, capability } = LISTS[kind];
    const answers = (lists[method]?.responses ?? []).map(({ result, error }): PageAnswer =>
      error === undefined ? { type: 'result', result } : { type: 'error', ...error },
    );
    return [kind, listOutcome(kind, capability in capabilities, answers, inspectWith(identify))];
  });
  const said = instructionsOutcome(instructions, (text) => identify('instructions', '', text));
  return {
    server: SERVER,
    consumer: null,
    connection: version,
    route: ROUTE,
    context: { era: '2025', capabilities: '', launch: '', signedIn: false },
    version: serverInfo.version,
    kinds: Object.fromEntries([...listed, ['instructions', said]]),
  };
}
