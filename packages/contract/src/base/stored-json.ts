import type { z } from 'zod';
import { jsonObject } from './common.ts';

/** How deep lists and objects may lie in each other: far beyond what anybody writes, below what databases and stacks take. */
export const maxJsonDepth = 80;

/**
 * Why a value that was read from JSON can neither be stored nor handed on; undefined where it can. Databases take no name
 * with a NUL character and keep `_bsontype` for themselves, and whatever walks a value must come to an end of it.
 */
export function whyNotStored(value: unknown): string | undefined {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxJsonDepth) return `It may not be nested deeper than ${maxJsonDepth} levels.`;
    const below: unknown[] = [];
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue;
      const refused = Array.isArray(each) ? undefined : Object.keys(each).find(isRefusedName);
      if (refused !== undefined) {
        return `It may have no field named ${JSON.stringify(refused.slice(0, 60))}. Call it something else.`;
      }
      for (const child of Object.values(each)) if (typeof child === 'object' && child !== null) below.push(child);
    }
    level = below;
  }
  return undefined;
}

function isRefusedName(name: string): boolean {
  return name === '_bsontype' || name.includes('\u0000');
}

/** The bytes that a value takes as JSON in UTF-8. Counted here, since the contract knows neither Node.js nor browsers. */
export function jsonBytes(value: unknown): number {
  let bytes = 0;
  for (const character of JSON.stringify(value) ?? '') {
    const code = character.codePointAt(0)!;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/**
 * An object of any fields that is stored whole, with a limit on its size: what is stored comes back in lists.
 *
 * @example smallJsonObject(64 * 1024).parse({ cost_center: '4711' })
 */
export function smallJsonObject(maxBytes: number): z.ZodType<Record<string, unknown>, Record<string, unknown>> {
  return jsonObject.superRefine((value, context) => {
    const reason = whyNotStored(value) ?? (jsonBytes(value) > maxBytes ? tooLarge(maxBytes) : undefined);
    if (reason !== undefined) context.addIssue({ code: 'custom', message: reason });
  });
}

function tooLarge(maxBytes: number): string {
  return `It may take ${Math.floor(maxBytes / 1024)} kB of JSON at most. Leave out what nobody looks up, or upload it as a document.`;
}
