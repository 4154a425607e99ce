import { cleanName } from '../core/display.ts';
import type { WithheldReason } from '../core/model.ts';
import type { ChatKey, GatewayPorts } from './ports.ts';
import { REFUSED, errorLine, resultLine } from './rpc.ts';
import type { Use } from './use.ts';

/** What a chat is told for each reason why a capability is not in force. */
export const WITHHELD_WORDS: Readonly<Record<WithheldReason, ChatKey>> = {
  changed: 'chat.blocked',
  new: 'chat.blocked',
  conflict: 'chat.blocked',
  invalid: 'chat.blocked',
  rejected: 'chat.keptOff',
  missing: 'chat.missing',
  hidden: 'chat.missing',
};

/** The line that refuses a use, in words that the model can pass on to the person. */
export function refusalLine(ports: GatewayPorts, use: Use, key: ChatKey, server: string): string {
  const { consumer } = use.session;
  const values = { app: 'Holdfast', tool: cleanName(use.name), server, consumer: ports.consumerName(consumer) };
  const text = ports.words(key, values);
  const { idText, method } = use.request;
  if (method !== 'tools/call') return errorLine(idText, REFUSED, text);
  return resultLine(idText, JSON.stringify({ content: [{ type: 'text', text }], isError: true }));
}
