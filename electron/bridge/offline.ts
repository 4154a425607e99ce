const LATEST_PROTOCOL_VERSION = '2025-11-25';
const METHOD_NOT_FOUND = -32601;
const REFUSED = -32000;

/** What a host app's model is told where the gateway cannot be reached. */
export const NOT_REACHABLE = 'Holdfast isn’t running, so its tools can’t be used. Ask the user to open Holdfast.';

const EMPTY_LISTS: Readonly<Record<string, string>> = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
};

/**
 * Answers one line of a host app in place of the gateway, so that the app shows a server with no tools and a
 * reason instead of one that crashes again and again. `null` where nothing is to be answered.
 */
export function offlineAnswer(line: string, text: string): string | null {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof message !== 'object' || message === null) return null;
  const { id, method, params } = message as Record<string, unknown>; // an object, checked above
  if ((typeof id !== 'string' && typeof id !== 'number') || typeof method !== 'string') return null;
  return JSON.stringify({ jsonrpc: '2.0', id, ...answerTo(method, params, text) });
}

function answerTo(method: string, params: unknown, text: string): object {
  const list = EMPTY_LISTS[method];
  if (list !== undefined) return { result: { [list]: [] } };
  if (method === 'initialize') return { result: introduction(params, text) };
  if (method === 'ping' || method === 'logging/setLevel') return { result: {} };
  if (method === 'tools/call') return { result: { content: [{ type: 'text', text }], isError: true } };
  if (/^(prompts|resources|completion)\//.test(method)) return { error: { code: REFUSED, message: text } };
  return { error: { code: METHOD_NOT_FOUND, message: 'Method not found' } };
}

function introduction(params: unknown, text: string): object {
  const asked = typeof params === 'object' && params !== null && 'protocolVersion' in params && params.protocolVersion;
  return {
    protocolVersion: typeof asked === 'string' && asked <= LATEST_PROTOCOL_VERSION ? asked : LATEST_PROTOCOL_VERSION,
    capabilities: { tools: {}, prompts: {}, resources: {} },
    serverInfo: { name: 'holdfast', version: '0' },
    instructions: text,
  };
}
