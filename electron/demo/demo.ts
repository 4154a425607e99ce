import { watch, watchFile } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { DemoChange } from '../core/own-programs.ts';
import { changeFile, readChange } from './change-file.ts';
import { clockAnswer, clockDefinition, type ClockInput, type DemoLanguage } from './clock.ts';

/** How often it is looked where the system does not tell of changed files. */
const LOOK_MS = 500;

/**
 * The demo server: a clock that really changes, so that a person can see what Holdfast does then. It runs in a folder of
 * its own, reads one file there, and reaches nothing else.
 */
export async function serveDemo(folder: string, language: DemoLanguage): Promise<void> {
  const server = new McpServer({ name: 'holdfast-demo', version: '1.0.0' });
  const answer = (input: ClockInput) => clockAnswer(input, new Date(), language);
  let offered: DemoChange = readChange(folder) ?? 'none';
  const clock = server.registerTool('clock', clockDefinition(offered, language), answer);
  const look = (): void => {
    const wanted = readChange(folder);
    if (wanted === null || wanted === offered) return;
    offered = wanted;
    const { inputSchema: paramsSchema, ...rest } = clockDefinition(wanted, language);
    clock.update({ ...rest, paramsSchema, callback: answer }); // the SDK tells of it
  };
  onChange(folder, look);
  await server.connect(new StdioServerTransport());
  look();
}

function onChange(folder: string, look: () => void): void {
  const lookOften = (): void => void watchFile(changeFile(folder), { interval: LOOK_MS, persistent: false }, look);
  try {
    watch(folder, { persistent: false }, look).once('error', lookOften);
  } catch {
    lookOften();
  }
}

const at = process.argv.indexOf('--language');
const language = at > 0 && process.argv[at + 1] === 'zh-CN' ? 'zh-CN' : 'en';
serveDemo(process.cwd(), language).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : 'the demo server could not start');
  process.exitCode = 1;
});
