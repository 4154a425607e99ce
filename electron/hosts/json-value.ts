export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether `actual` has everything of `wanted`; objects may have more members (a person may add some by hand). */
export function holds(actual: JsonValue | undefined, wanted: JsonValue): boolean {
  if (isJsonObject(wanted)) {
    const own = isJsonObject(actual) ? actual : undefined;
    return own !== undefined && Object.entries(wanted).every(([key, value]) => holds(ownValue(own, key), value));
  }
  if (Array.isArray(wanted)) {
    const list: readonly JsonValue[] | undefined = Array.isArray(actual) ? actual : undefined;
    const items: readonly JsonValue[] = wanted; // Array.isArray widens to any[]
    return list?.length === items.length && items.every((value, at) => equals(list[at], value));
  }
  return actual === wanted;
}

/** Deep equality of JSON values. */
export function equals(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return holds(left, right) && holds(right, left);
}

/** The value of a member, and nothing inherited. */
export function ownValue(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
