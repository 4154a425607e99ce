import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';

/** How an app starts the bridge. */
export interface BridgeCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const PATIENCE_MS = 15_000;
const MAX_TEXT = 2_000;

/**
 * Asks for the time in a city the way an AI app does: starts the bridge, introduces itself, lists the tools and calls the
 * clock. Never throws: what goes wrong is the answer, for a person to read.
 */
export async function askClock(
  bridge: BridgeCommand,
  tool: string,
  city: string,
): Promise<{ text: string; isError: boolean }> {
  const client = new Client({ name: 'holdfast-example', version: '1.0.0' });
  const options = { timeout: PATIENCE_MS };
  try {
    const { command, args, env } = bridge;
    const transport = {
      command,
      args: [...args],
      env: { ...getDefaultEnvironment(), ...env },
      stderr: 'ignore' as const,
    };
    await client.connect(new StdioClientTransport(transport), options);
    await client.listTools({}, options);
    const call = { method: 'tools/call' as const, params: { name: tool, arguments: { city } } };
    const { content, isError } = await client.request(call, CallToolResultSchema, options);
    const lines = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    return { text: lines.join('\n').slice(0, MAX_TEXT), isError: isError === true };
  } catch (error) {
    return { text: (error instanceof Error ? error.message : String(error)).slice(0, MAX_TEXT), isError: true };
  } finally {
    await client.close().catch(() => undefined); // it may never have begun
  }
}
