import { deflateSync, inflateSync } from 'node:zlib';
import { DomainError } from '@docwright/contract';

/** Shorter texts are not compressed. */
const compressedFrom = 32 * 1024;
/** No JSON text starts like this. */
const mark = 'deflate:';
/** The fastest level, which shrinks results to about a sixth. */
const level = 1;
/** The limit of a decompressed text, ten times the size of the largest result. */
const maxOutputLength = 512 * 1024 * 1024;

/**
 * The stored text of a value: JSON, compressed if it is large, so that a result with many thousand values fits into one
 * record. It is a text, because undo stores records as JSON.
 */
export function storedJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (json.length < compressedFrom) return json;
  return `${mark}${deflateSync(json, { level }).toString('base64')}`;
}

/** The JSON of a stored text, compressed or not. */
export function jsonOfStored(stored: string): string {
  if (!stored.startsWith(mark)) return stored;
  return inflateSync(Buffer.from(stored.slice(mark.length), 'base64'), { maxOutputLength }).toString();
}

/** The value of a stored text, of any type as from `JSON.parse`. */
export const parseStored = (stored: string): ReturnType<JSON['parse']> => JSON.parse(jsonOfStored(stored));

/** Checks that the texts of a record fit into the 16 MB of a database record. Throws `extraction_too_large`. */
export function requireRoom<Texts extends Record<string, string>>(texts: Texts): Texts {
  const bytes = Object.values(texts).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes <= 15.5 * 1024 * 1024) return texts;
  throw new DomainError('invalid', 'extraction_too_large', 'The result is too large to be stored. Split the document.');
}
