import { createHash } from 'node:crypto';
import { BSON, type Collection, type Db, type Document, type FindCursor } from 'mongodb';
import { unfinishedCopy } from '../../platform/database/unfinished-copy.ts';

/** What a collection holds: the number of its records, and the SHA-256 of their bytes in the order of `_id`. */
export interface Content {
  records: number;
  sha256: string;
}

/** The content of each collection of a database, by name. */
export type DatabaseContent = Record<string, Content>;

const batchSize = 500;

/** The names of the collections in a database, sorted. */
export async function namesOf(db: Db): Promise<string[]> {
  const found = await db.listCollections({}, { nameOnly: true }).toArray();
  return found
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('system.') && name !== unfinishedCopy)
    .toSorted();
}

/** The records of a collection as bytes of BSON, by `_id`. At most one answer of the server is held, 16 MB. */
export function bytesOf(collection: Collection): FindCursor<Buffer> {
  const options = { raw: true, batchSize, readPreference: 'primary' } as const;
  return collection.find<Buffer>({}, options).sort({ _id: 1 });
}

/** Adds up a content, record by record. */
export function sumOfContent() {
  const hash = createHash('sha256');
  let records = 0;
  return {
    add(bytes: Uint8Array) {
      hash.update(bytes);
      records += 1;
    },
    content: (): Content => ({ records, sha256: hash.digest('hex') }),
  };
}

export async function contentOf(collection: Collection): Promise<Content> {
  const sum = sumOfContent();
  for await (const bytes of bytesOf(collection)) sum.add(bytes);
  return sum.content();
}

export async function databaseContentOf(db: Db): Promise<DatabaseContent> {
  const contents: DatabaseContent = {};
  for (const name of await namesOf(db)) contents[name] = await contentOf(db.collection(name));
  return contents;
}

/** The `_id` of the first record that two collections do not have alike; undefined if all are alike. */
export async function firstDifference(one: Collection, other: Collection): Promise<string | undefined> {
  const [left, right] = [bytesOf(one), bytesOf(other)];
  try {
    for (;;) {
      const [a, b] = [await left.next(), await right.next()];
      if (a === null && b === null) return undefined;
      if (a === null || b === null || !a.equals(b)) return idOf((a ?? b)!);
    }
  } finally {
    await Promise.all([left.close(), right.close()]);
  }
}

const exact = { promoteValues: false, promoteBuffers: false, bsonRegExp: true };
const idOf = (bytes: Buffer) => BSON.EJSON.stringify(BSON.deserialize(bytes)['_id']);

/**
 * A record that the driver writes with the same bytes as given. Objects of JavaScript move keys such as `2026` to the front;
 * a record with such keys is a map.
 *
 * @example
 * recordOf(Buffer.from(BSON.serialize({ text: 'a' }))) // { text: 'a' }
 */
export function recordOf(bytes: Uint8Array): Document {
  const record = BSON.deserialize(bytes, exact);
  return Buffer.compare(BSON.serialize(record), bytes) === 0 ? record : mapOf(bytes);
}

const [embeddedDocument, array] = [3, 4];

function mapOf(bytes: Uint8Array): Map<string, unknown> {
  const map = new Map<string, unknown>();
  for (const [type, nameOffset, nameLength, offset, length] of BSON.onDemand.parseToElements(bytes)) {
    const name = Buffer.from(bytes.subarray(nameOffset, nameOffset + nameLength)).toString('utf8');
    const value = bytes.subarray(offset, offset + length);
    if (type === embeddedDocument) map.set(name, mapOf(value));
    else if (type === array) map.set(name, [...mapOf(value).values()]);
    else map.set(name, valueOf(type, value));
  }
  return map;
}

/** One value, read as the only field of a document. */
function valueOf(type: number, value: Uint8Array): unknown {
  const document = Buffer.alloc(value.length + 8);
  document.writeInt32LE(document.length, 0);
  document[4] = type;
  document.write('v', 5);
  document.set(value, 7);
  return BSON.deserialize(document, exact)['v'];
}
