import { isObject } from '../canonical.ts';
import type { Fact, Json, JsonObject } from '../model.ts';

/** How a tool is carried out: as a task, and whatever later versions add. */
export function executionFacts(before: JsonObject, after: JsonObject): Fact[] {
  const [old, now] = [effective(before['execution']), effective(after['execution'])];
  if (JSON.stringify(old) === JSON.stringify(now)) return [];
  return [{ class: 'execution', path: '/definition/execution', before: old, after: now, severity: 'security' }];
}

/** Forbidding tasks is the default. */
function effective(execution: Json | undefined): JsonObject {
  if (!isObject(execution)) return {};
  const entries = Object.entries(execution).filter(([key, value]) => !(key === 'taskSupport' && value === 'forbidden'));
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
