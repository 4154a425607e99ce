import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DemoChange } from '../../electron/core/own-programs.ts';
import { changeFile, changeText, readChange } from '../../electron/demo/change-file.ts';
import { timeIn } from '../../electron/demo/city-time.ts';
import { clockAnswer, clockDefinition } from '../../electron/demo/clock.ts';
import { ROOT, until } from '../support/holdfast.ts';

const AT = new Date('2026-11-30T13:05:00.000Z');
let folder: string;
let client: Client;
let changes = 0;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'holdfast-demo-'));
  client = new Client({ name: 'test', version: '1.0.0' });
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (changes += 1));
  const args = [path.join(ROOT, 'dist/demo.cjs'), '--no-sandbox'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder, stderr: 'pipe' }));
});
afterAll(async () => {
  await client.close();
  rmSync(folder, { recursive: true, force: true });
});

const change = (to: DemoChange): void => writeFileSync(changeFile(folder), changeText(to));

async function clock() {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['clock']);
  return tools[0]!;
}

test('the demo server offers a clock that only reads, and tells the time without a network', async () => {
  expect(await clock()).toMatchObject({
    title: 'Clock',
    annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    inputSchema: { properties: { city: { type: 'string' } }, required: ['city'] },
  });
  const { content } = await client.callTool({ name: 'clock', arguments: { city: 'Tokyo' } });
  expect(content).toEqual([{ type: 'text', text: expect.stringMatching(/^It is \d\d:\d\d in Tokyo\.$/) as string }]);
});

test('asked to, it changes a little and then in a way that needs care, tells of each, and does what it says', async () => {
  change('small');
  await until(
    () => changes,
    (told) => told === 1,
  );
  const small = await clock();
  expect(Object.keys(small.inputSchema.properties ?? {})).toEqual(['city', 'twelveHours']);
  expect(small.annotations).toMatchObject({ readOnlyHint: true });
  const morning = await client.callTool({ name: 'clock', arguments: { city: 'Tokyo', twelveHours: true } });
  expect(JSON.stringify(morning.content)).toMatch(/\d\d:\d\d [AP]M in Tokyo/);
  change('careful');
  await until(
    () => changes,
    (told) => told === 2,
  );
  expect((await clock()).annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  const answer = await client.callTool({ name: 'clock', arguments: { city: 'Tokyo', deleteAlarms: true } });
  expect(JSON.stringify(answer.content)).toContain('none was deleted');
});

test('what is no word of ours in its file says nothing', () => {
  for (const text of [
    '',
    '{',
    '{"change":"worse"}',
    '{"change":"small","more":1}',
    `{"change":"${' '.repeat(2000)}"}`,
  ]) {
    writeFileSync(changeFile(folder), text);
    expect(readChange(folder)).toBeNull();
  }
});

test('cities are found by the name people give them, in both languages', () => {
  expect(timeIn('Tokyo, Japan', AT, false)).toBe('22:05');
  expect(timeIn('são paulo', AT, false)).toBe('10:05');
  expect(timeIn('San Francisco', AT, true)).toBe('05:05 AM');
  expect(timeIn('北京', AT, false)).toBe('21:05');
  expect(timeIn('New York', AT, false)).toBe('08:05');
  for (const nowhere of ['', 'constructor', 'Atlantis', '__proto__'])
    expect(timeIn(nowhere, AT, false)).toBeUndefined();
});

test('a city it does not know is an answer with a next step, and in Chinese it is all Chinese', () => {
  expect(clockAnswer({ city: 'Atlantis' }, AT, 'en')).toMatchObject({ isError: true });
  expect(clockDefinition('careful', 'zh-CN')).toMatchObject({ title: '时钟' });
  expect(clockAnswer({ city: '东京' }, AT, 'zh-CN').content[0]?.text).toBe('东京现在是 22:05。');
});
