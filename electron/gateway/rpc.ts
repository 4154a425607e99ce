import type { JsonObject } from '../core/model.ts';
import type { WireMessage } from './answer.ts';

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
/** Refused by Holdfast, or the server is gone: the text says which. */
export const REFUSED = -32000;

/** A request from a host app. */
export interface Request {
  readonly method: string;
  readonly params: JsonObject;
  /** The id as JSON text, exactly as it goes back. */
  readonly idText: string;
  readonly line: Buffer;
}

/** One result line; `resultText` is ready JSON. */
export function resultLine(idText: string, resultText: string): string {
  return `{"jsonrpc":"2.0","id":${idText},"result":${resultText}}`;
}

export function errorLine(idText: string, code: number, message: string): string {
  return `${JSON.stringify({ jsonrpc: '2.0', error: { code, message } }).slice(0, -1)},"id":${idText}}`;
}

export function notificationLine(method: string, params?: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', method, ...(params !== undefined && { params }) });
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A number that JSON.parse cannot hold exactly is none: its answer would go to another request. */
export function isRequestId(id: unknown): id is string | number {
  return typeof id === 'string' || (typeof id === 'number' && Math.abs(id) <= Number.MAX_SAFE_INTEGER);
}

/** The params of a message, or an empty object. */
export function paramsOf(message: WireMessage): JsonObject {
  return isObject(message.params) ? message.params : {};
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
