import { deflateSync, inflateSync } from 'node:zlib';
import { DomainError } from '@docwright/contract';

/** Shorter texts would gain little. */
const compressedFrom = 32 * 1024;
/** No JSON text starts like this. */
const mark = 'deflate:';
/** The fastest level: results shrink to about a sixth with it. */
const level = 1;
/** Of a text that is read back; ten times what the largest result takes. */
const maxOutputLength = 512 * 1024 * 1024;

/**
 * A value as the text that is stored: JSON, compressed where it is large, so that a result of many thousand values fits into one
 * record. It stays a text, since undo stores records as JSON.
 */
export function storedJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (json.length < compressedFrom) return json;
  return `${mark}${deflateSync(json, { level }).toString('base64')}`;
}

/** The JSON of a stored text, which can be older than compression. */
export function jsonOfStored(stored: string): string {
  if (!stored.startsWith(mark)) return stored;
  return inflateSync(Buffer.from(stored.slice(mark.length), 'base64'), { maxOutputLength }).toString();
}

/** The value of a stored text. */
export function parseStored<Value>(stored: string): Value {
  const value: Value = JSON.parse(jsonOfStored(stored));
  return value;
}

/** The texts of a record, which are at most 16 MB for the database. */
export function requireRoom<Texts extends Record<string, string>>(texts: Texts): Texts {
  const bytes = Object.values(texts).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes <= 15.5 * 1024 * 1024) return texts;
  throw new DomainError('invalid', 'extraction_too_large', 'The result is too large to be stored. Split the document.');
}
