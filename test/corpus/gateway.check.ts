// `npm run corpus`: recorded servers behind a real gateway and a real app, version by version, under the default preset.
// HOLDFAST_REPLAY names the program that serves a recording; by default the one beside the folder of the recordings.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { Installation, until } from '../support/holdfast.ts';
import { recordedServers, recordingFile } from './recordings.ts';

const folder = process.env['HOLDFAST_CORPUS'];
if (folder === undefined) throw new Error('HOLDFAST_CORPUS names the folder with the recordings.');
const REPLAY = process.env['HOLDFAST_REPLAY'] ?? path.resolve(folder, '../tools/replay-server.mjs');
if (!existsSync(REPLAY)) throw new Error('HOLDFAST_REPLAY names the program that serves a recording.');

const SERVERS = ['exa-mcp-server', 'firecrawl-mcp', 'tavily-mcp', '@modelcontextprotocol__server-filesystem', '@upstash__context7-mcp']; // prettier-ignore

interface Surface {
  epoch: number;
  entries: { name: string; kind: string; originKey: string; id: string }[];
  withheld: { kind: string; originKey: string; ref: string; reason: string }[];
}
interface Reviews {
  incidents: { id: string; reviews: string[]; followed: string[]; missing: unknown[]; unusable: { ref: string }[] }[];
  reviews: { id: string; incident: string | null; state: string; quiet: boolean; kind: string; originKey: string }[];
}

/** The recording answers with what it was given, whatever its output schemas say. */
const ANSWER = z.looseObject({ content: z.unknown(), isError: z.boolean().optional() });

let installation: Installation;
beforeEach(() => {
  installation = new Installation();
});
afterEach(() => installation.dispose());

test.each(SERVERS)('%s goes through the gateway, version by version', async (name) => {
  const versions = recordedServers(folder).get(name) ?? [];
  expect(versions.length).toBeGreaterThan(1);
  const control = path.join(installation.home, 'control.txt');
  const serve = (version: string): void => {
    writeFileSync(`${control}.new`, `${recordingFile(folder, name, version)}\n`);
    renameSync(`${control}.new`, control);
  };
  const surface = () => installation.ok<Surface>('surface', 'app');
  const list = () => installation.ok<Reviews>('review', 'list');
  serve(versions[0] ?? '');
  await installation.ok('servers', 'add', 'Recorded', '--', process.execPath, REPLAY, '--control', control);
  await installation.ok('apps', 'add', 'app');
  await installation.serve();
  // A list that failed when it was recorded fails here, too; what the others show is given all the same.
  await installation.run('expose', 'app', 'Recorded');
  const { client } = await installation.hostApp('app');
  let asked = 0;
  const everOn = new Set<string | undefined>();
  for (const version of versions.slice(1)) {
    const before = await surface();
    const known = new Set((await list()).incidents.map(({ id }) => id));
    serve(version);
    await installation.run('servers', 'check', 'Recorded');
    const after = await surface();
    const { incidents, reviews } = await list();
    const news = incidents.filter(({ id }) => !known.has(id));
    // A server that announces each list by itself is looked at for each.
    expect(news.length, version).toBeLessThanOrEqual(4);
    const unusable = new Set(news.flatMap((incident) => incident.unusable.map(({ ref }) => ref)));
    const told = new Set(news.flatMap((incident) => [...incident.reviews, ...incident.followed]));
    const place = ({ kind, originKey }: { kind: string; originKey: string }): string => `${kind}/${originKey}`;
    const toldOf = new Set(reviews.filter(({ id }) => told.has(id)).map(place));
    const ids = new Map(before.entries.map((entry) => [place(entry), entry.id]));
    const stillOn = new Map(after.entries.map((entry) => [place(entry), entry.id]));
    for (const { id } of before.entries) everOn.add(id);
    // What an app had and has not in the same definition is gone, told of, or as it once was.
    for (const [key, id] of ids) {
      const withheld = after.withheld.find((entry) => place(entry) === key);
      if (stillOn.get(key) === id || everOn.has(stillOn.get(key)) || withheld?.reason === 'missing') continue;
      if (withheld?.reason === 'invalid' && unusable.has(withheld.ref)) continue;
      expect([...toldOf], `${version}: ${key}`).toContain(key);
    }
    if (news.length === 0) for (const { id } of after.entries) expect([...everOn], version).toContain(id);
    // The app is served exactly that.
    const tools = (await client.listTools()).tools.map((tool) => tool.name).sort();
    expect(tools).toEqual(after.entries.filter(({ kind }) => kind === 'tool').map((entry) => entry.name).sort()); // prettier-ignore
    // The same version once more raises nothing.
    await installation.run('servers', 'check', 'Recorded');
    expect(await surface()).toEqual(after);
    const pending = reviews.filter(({ state, quiet }) => state === 'pending' && !quiet);
    asked += pending.length > 0 ? 1 : 0;
    for (const { id } of pending) await installation.run('review', 'approve', id);
  }
  console.log(`${name}: ${versions.length - 1} upgrades through the gateway, ${asked} ask.`);
  const tool = (await surface()).entries.find(({ kind }) => kind === 'tool');
  if (tool === undefined) return;
  const called = await until(
    () => client.request({ method: 'tools/call', params: { name: tool.name, arguments: {} } }, ANSWER),
    ({ isError }) => isError !== true,
  );
  expect(JSON.stringify(called.content)).toContain(tool.originKey);
  expect(readFileSync(control, 'utf8')).toContain(versions.at(-1) ?? '');
});
