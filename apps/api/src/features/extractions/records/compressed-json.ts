import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import { DomainError } from '@docwright/contract';
import { longJson, parseLongJson } from '../../../platform/long-values/long-json.ts';

/** Shorter texts, in bytes, are not compressed. */
const compressedFrom = 32 * 1024;
/** No JSON text starts like this. */
const mark = 'deflate:';
/** The fastest level, which shrinks results to about a sixth. */
const level = 1;
/** The limit of a decompressed text, ten times the size of the largest result. */
const maxOutputLength = 512 * 1024 * 1024;

/** In a thread of the engine. */
const deflated = promisify(deflate) as (bytes: Buffer, options: { level: number }) => Promise<Buffer>;
const inflated = promisify(inflate) as (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

/**
 * The stored text of a value: JSON, compressed if it is large, so that a result with many thousand values fits into one
 * record. It is a text, because undo stores records as JSON. Other work has its turn meanwhile, as when it is read.
 */
export async function storedJson(value: unknown): Promise<string> {
  const json = Buffer.concat(await longJson(value));
  if (json.length < compressedFrom) return json.toString();
  return `${mark}${(await deflated(json, { level })).toString('base64')}`;
}

/** The JSON of a stored text, compressed or not. */
export async function jsonOfStored(stored: string): Promise<string> {
  if (!stored.startsWith(mark)) return stored;
  return (await inflated(Buffer.from(stored.slice(mark.length), 'base64'), { maxOutputLength })).toString();
}

/** The value of a stored text, of any type as from `JSON.parse`. */
export async function parseStored(stored: string): Promise<ReturnType<JSON['parse']>> {
  return await parseLongJson(await jsonOfStored(stored));
}

/** Checks that the texts of a record fit into the 16 MB of a database record. Throws `extraction_too_large`. */
export function requireRoom<Texts extends Record<string, string>>(texts: Texts): Texts {
  const bytes = Object.values(texts).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes <= 15.5 * 1024 * 1024) return texts;
  throw new DomainError('invalid', 'extraction_too_large', 'The result is too large to be stored. Split the document.');
}
