// SPDX-License-Identifier: Apache-2.0
// Tolerant reading of JSON whose keys may be missing: manifests of other versions, failed runs.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path of keys, undefined where the path ends early. */
export function at(value: Json | undefined, ...path: string[]): Json | undefined {
  let current = value;
  for (const key of path) {
    if (!isObject(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  return current;
}

export function numberAt(value: Json | undefined, ...path: string[]): number | null {
  const found = at(value, ...path);
  return typeof found === 'number' && Number.isFinite(found) ? found : null;
}

export function textAt(value: Json | undefined, ...path: string[]): string | null {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : null;
}
