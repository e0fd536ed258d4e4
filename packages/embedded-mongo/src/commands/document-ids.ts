import { createHash, randomUUID } from 'node:crypto';
import { Binary } from 'bson';
import { badValue, locationError } from '../errors/mongo-error.ts';
import type { Yielder } from '../event-loop/yielder.ts';
import { findHits } from '../execution/find.ts';
import { objectIdsOf } from '../execution/identifier-scan.ts';
import { decidedRows } from '../execution/row-filter.ts';
import { requireNotDropped } from '../execution/scan.ts';
import { substringPlans } from '../execution/substring-plan.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { RowBits } from '../storage/kept-rows.ts';
import { isDocument, type BsonDocument, type BsonValue } from '../values/value.ts';
import type { Reply } from '../wire/reply.ts';
import { ok, type ReceivedCommand } from './command.ts';

/** Rows mean the same documents only within one process. */
const ofProcess = randomUUID();
const rowsPerStep = 1_000;
/** So many ids are in an answer at most. */
const maxIds = 1_200_000;
/** Sets of rows that were answered last, by their version: each has one bit a row. */
const maxAnswered = 64;
const answered = new WeakMap<StoredCollection, Map<string, Uint32Array>>();

/**
 * `{ docwrightIds: <collection>, filter: <filter>, known: <version> }`, which MongoDB does not have. Answers a version of the documents that
 * match and, where `known` is another one, their ids, 12 bytes each: all of them as `added`, or with `removed` what changed since.
 */
export async function documentIds({ storage, db, command, yielder }: ReceivedCommand): Promise<Reply> {
  const [name, filter, known] = ['docwrightIds', 'filter', 'known'].map((field) => command.get(field));
  if (typeof name !== 'string' || !isDocument(filter) || typeof known !== 'string')
    throw badValue('docwrightIds takes a collection, a filter and the version that is known');
  const collection = storage.find(db, name);
  if (collection === undefined)
    return ok([
      ['version', ofProcess],
      ['added', new Binary(Buffer.alloc(0))],
    ]);
  // A row can be of another document once one was removed, or a write undone.
  const writes = `${ofProcess} ${collection.id} ${collection.removals} ${storage.failedTransactions}`;
  const words = trimmed(await matchingRows(collection, filter, yielder));
  const hash = createHash('sha256').update(new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
  const version = `${writes} ${hash.digest('base64')}`;
  const versions = answered.get(collection) ?? new Map<string, Uint32Array>();
  answered.set(collection, versions);
  const former = known.startsWith(`${writes} `) ? versions.get(known) : undefined;
  versions.delete(version);
  versions.set(version, words);
  for (const oldest of versions.keys()) if (versions.size > maxAnswered) versions.delete(oldest);
  const reply: [string, BsonValue][] = [['version', version]];
  if (version === known) return ok(reply);
  reply.push(['added', await packedIds(collection, former ? without(words, former) : words, yielder)]);
  if (former) reply.push(['removed', await packedIds(collection, without(former, words), yielder)]);
  return ok(reply);
}

async function matchingRows(collection: StoredCollection, filter: BsonDocument, yielder: Yielder): Promise<RowBits> {
  const decided = await decidedRows(collection, filter, substringPlans(collection, filter, [])[0]?.plan, yielder);
  if (decided?.isExact === true) return decided.rows;
  const rows = new RowBits();
  for (const { id } of await findHits(collection, { filter, wantBytes: false }, yielder)) rows.add(id);
  return rows;
}

/** The same rows have the same words, however many rows there were room for. */
function trimmed({ words }: RowBits): Uint32Array {
  let { length } = words;
  while (length > 0 && words[length - 1] === 0) length -= 1;
  return words.slice(0, length);
}

const without = (words: Uint32Array, others: Uint32Array): Uint32Array =>
  words.map((word, at) => word & ~(others[at] ?? 0));

async function packedIds(collection: StoredCollection, words: Uint32Array, yielder: Yielder): Promise<Binary> {
  const rows = [...new RowBits(words)];
  if (rows.length > maxIds) throw locationError(17217, `more than ${maxIds} ids are no answer of docwrightIds`);
  const packed: Uint8Array[] = [];
  for (let at = 0; at < rows.length; at += rowsPerStep) {
    for (const ids of objectIdsOf(collection, rows.slice(at, at + rowsPerStep))) {
      if (ids === undefined) throw badValue('docwrightIds takes a collection whose ids are object ids');
      packed.push(ids);
    }
    if (yielder.isDue) await yielder.yield();
    requireNotDropped(collection);
  }
  return new Binary(Buffer.concat(packed));
}
