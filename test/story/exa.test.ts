import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endProcesses, Installation, ROOT, until, type HostApp } from '../support/holdfast.ts';

interface Surface {
  epoch: number;
  manifestId: string;
  entries: { name: string; kind: string; originKey: string; ref: string; id: string }[];
  withheld: { kind: string; originKey: string; reason: string }[];
}
interface Reviews {
  incidents: { id: string; server: string; fromVersion: string; toVersion: string; reviews: string[] }[];
  reviews: {
    id: string;
    kind: string;
    originKey: string;
    state: string;
    severity: string;
    fromId: string;
    targetId: string;
    decision: number | null;
  }[];
}

const BIN = { old: 'exa-old/.smithery/stdio/index.cjs', new: 'exa-new/smithery/stdio/index.cjs' };

/** An upgrade as people get them: the same path, another program behind it. */
function install(launcher: string, version: keyof typeof BIN): void {
  mkdirSync(path.dirname(launcher), { recursive: true });
  const file = path.join(ROOT, 'node_modules', BIN[version]);
  writeFileSync(`${launcher}.new`, `#!/bin/sh\nexec "${process.execPath}" "${file}"\n`);
  chmodSync(`${launcher}.new`, 0o755);
  renameSync(`${launcher}.new`, launcher);
}

describe('the story of one upgrade, by command line, on real servers', () => {
  const installation = new Installation();
  const launcher = path.join(installation.home, 'launcher', 'exa');
  const surface = (): Promise<Surface> => installation.ok<Surface>('surface', 'claude-desktop');
  const reviews = (): Promise<Reviews> => installation.ok<Reviews>('review', 'list');
  const toolNames = async (app: HostApp): Promise<string[]> =>
    (await app.client.listTools()).tools.map((tool) => tool.name);
  const searchReview = async (): Promise<Reviews['reviews'][number]> => {
    const found = (await reviews()).reviews.find((review) => review.originKey === 'web_search_exa');
    if (found === undefined) throw new Error('no review of web_search_exa');
    return found;
  };
  let app: HostApp;

  beforeAll(async () => {
    install(launcher, 'old');
    await installation.ok('servers', 'add', 'Exa', '--env', 'EXA_API_KEY=not-a-real-key', '--', launcher);
    await installation.ok('apps', 'add', 'claude-desktop');
    await installation.serve();
  });
  afterAll(() => installation.dispose());

  test('exposing the server shows and decides what it offers', async () => {
    const exposed = await installation.ok<{ decided: { originKey: string }[] }>('expose', 'claude-desktop', 'Exa');
    expect(exposed.decided.map(({ originKey }) => originKey)).toContain('web_search_exa');
    app = await installation.hostApp('claude-desktop');
    expect(await toolNames(app)).toEqual(['company_research_exa', 'get_code_context_exa', 'web_search_exa']);
  });

  test('a call reaches the server and its answer comes back', async () => {
    const { prompts } = await app.client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['code_search_help', 'web_search_help']);
    const prompt = await app.client.getPrompt({ name: 'web_search_help', arguments: {} });
    expect(JSON.stringify(prompt.messages)).toContain('search');
    const { contents } = await app.client.readResource({ uri: 'exa://tools/list' });
    expect(JSON.stringify(contents)).toContain('web_search_exa');
    const answer = await app.client.callTool({ name: 'web_search_exa', arguments: { query: 'holdfast' } });
    expect(JSON.stringify(answer.content)).not.toContain('Nothing was run');
  });

  test('after the upgrade the changed tool is off in list and call, the vanished ones are missing, the rest works', async () => {
    const before = await surface();
    install(launcher, 'new');
    expect(await endProcesses('exa-old/')).toBeGreaterThan(0);
    const after = await until(surface, ({ withheld }) => withheld.length > 0);
    expect(after.epoch).toBe(before.epoch + 1);
    expect(Object.fromEntries(after.withheld.map(({ originKey, reason }) => [originKey, reason]))).toMatchObject({
      web_search_exa: 'changed',
      company_research_exa: 'missing',
      get_code_context_exa: 'missing',
      code_search_help: 'missing',
    });
    expect(await toolNames(app)).toEqual([]);
    const refused = await app.client.callTool({ name: 'web_search_exa', arguments: { query: 'x' } });
    expect(refused).toMatchObject({ isError: true });
    expect(JSON.stringify(refused.content)).toContain(
      'is off until the user approves it in Holdfast. Nothing was run.',
    );
    const gone = await app.client.callTool({ name: 'company_research_exa', arguments: {} });
    expect(JSON.stringify(gone.content)).toContain('is no longer offered by Exa');
    expect((await app.client.readResource({ uri: 'exa://tools/list' })).contents).toHaveLength(1);
    expect(app.seen.toolListChanges).toBe(1);
  });

  test('the review tells old and new version, and nothing new has been absorbed', async () => {
    const { incidents } = await reviews();
    expect(incidents.at(-1)).toMatchObject({ server: 'Exa', fromVersion: '3.1.8', toVersion: '3.2.1' });
    const pending = (await reviews()).reviews.filter(({ state }) => state === 'pending');
    expect(pending.map(({ originKey }) => originKey)).toContain('web_fetch_exa');
    expect((await surface()).entries.map(({ name }) => name)).not.toContain('web_fetch_exa');
  });

  test('approving turns it on under its old name, with one list_changed', async () => {
    const review = await searchReview();
    const approved = await installation.ok<Reviews>('review', 'approve', review.id, '--target', review.targetId);
    expect(approved.reviews).toMatchObject([{ id: review.id, state: 'approved' }]);
    await until(
      () => app.seen.toolListChanges,
      (count) => count === 2,
    );
    expect(await toolNames(app)).toEqual(['web_search_exa']);
    const answer = await app.client.callTool({ name: 'web_search_exa', arguments: { query: 'x' } });
    expect(JSON.stringify(answer.content)).not.toContain('Nothing was run');
    expect(app.seen.toolListChanges).toBe(2);
  });

  test('keep-off turns it off again and says so in the chat', async () => {
    await installation.ok('review', 'keep-off', (await searchReview()).id);
    const refused = await app.client.callTool({ name: 'web_search_exa', arguments: { query: 'x' } });
    expect(JSON.stringify(refused.content)).toContain('was turned off by the user in Holdfast');
  });

  test('a restart in between keeps the decision, and undo after it restores the one before', async () => {
    const before = await surface();
    await app.client.close();
    expect(await installation.stop()).toBe(0);
    await installation.serve();
    expect(await surface()).toEqual(before);
    await installation.ok('review', 'undo', (await searchReview()).id);
    expect((await searchReview()).state).toBe('approved');
    app = await installation.hostApp('claude-desktop');
    expect(await toolNames(app)).toEqual(['web_search_exa']);
  });

  test('undoing the approval as well leaves the change waiting for a person', async () => {
    await installation.ok('review', 'undo', (await searchReview()).id);
    expect((await searchReview()).state).toBe('pending');
    expect(await toolNames(app)).toEqual([]);
  });

  test('going back to the old version restores what was approved, without a question', async () => {
    const asked = (await reviews()).incidents.length;
    install(launcher, 'old');
    await endProcesses('exa-new/');
    const restored = await until(surface, ({ entries }) => entries.some(({ name }) => name === 'web_search_exa'));
    expect(restored.withheld.filter(({ reason }) => reason === 'changed' || reason === 'new')).toEqual([]);
    expect(await toolNames(app)).toEqual(['company_research_exa', 'get_code_context_exa', 'web_search_exa']);
    const { incidents } = await reviews();
    expect(incidents.slice(asked).flatMap((incident) => incident.reviews)).toEqual([]);
  });
});
