import type { z } from 'zod';
import { jsonObject } from './fields.ts';

/** Maximum nesting depth of stored JSON: far above practical values, below the limits of databases and call stacks. */
export const maxJsonDepth = 80;

/**
 * The reason why a parsed JSON value cannot be stored; undefined if it can. Databases refuse names with a NUL character
 * and reserve `_bsontype`, and recursive code needs a limited depth.
 */
export function reasonNotStorable(value: unknown): string | undefined {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxJsonDepth) return `It must not be nested deeper than ${maxJsonDepth} levels.`;
    const nextLevel: unknown[] = [];
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue;
      const refused = Array.isArray(each) ? undefined : Object.keys(each).find(isReservedName);
      if (refused !== undefined) {
        return `It must not have a field named ${JSON.stringify(refused.slice(0, 60))}. Use another name.`;
      }
      for (const child of Object.values(each)) if (typeof child === 'object' && child !== null) nextLevel.push(child);
    }
    level = nextLevel;
  }
  return undefined;
}

function isReservedName(name: string): boolean {
  return name === '_bsontype' || name.includes('\u0000');
}

/** The size of a value as JSON in UTF-8 bytes. It is counted here because the contract uses neither Node.js nor browser APIs. */
export function jsonBytes(value: unknown): number {
  let bytes = 0;
  for (const character of JSON.stringify(value) ?? '') {
    const code = character.codePointAt(0)!;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

function isJsonLarger(value: unknown, maxBytes: number): boolean {
  // Each character takes a byte at least; counting the bytes of a long text is slow.
  return (JSON.stringify(value) ?? '').length > maxBytes || jsonBytes(value) > maxBytes;
}

/**
 * An object with any fields. Its size is limited, because lists return it completely.
 *
 * @example smallJsonObject(64 * 1024).parse({ cost_center: '4711' })
 */
export function smallJsonObject(maxBytes: number): z.ZodType<Record<string, unknown>, Record<string, unknown>> {
  return jsonObject.superRefine((value, context) => {
    const reason = reasonNotStorable(value) ?? (isJsonLarger(value, maxBytes) ? tooLarge(maxBytes) : undefined);
    if (reason !== undefined) context.addIssue({ code: 'custom', message: reason });
  });
}

function tooLarge(maxBytes: number): string {
  return `It must not exceed ${Math.floor(maxBytes / 1024)} kB of JSON. Remove unneeded fields, or upload the data as a document.`;
}
