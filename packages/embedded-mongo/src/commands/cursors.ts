import { encodeDocument } from '../bson/encode.ts';
import { maxDocumentBytes } from '../errors/limits.ts';
import { MongoError, tooLarge } from '../errors/mongo-error.ts';
import type { Yielder } from '../event-loop/yielder.ts';
import type { BsonDocument } from '../values/value.ts';
import type { CursorReply } from '../wire/reply.ts';

const defaultBatchSize = 101;
const maxIdleMs = 10 * 60 * 1000;

/** A sequence of documents as stored bytes. */
type DocumentSource = Iterator<Buffer>;

interface Cursor {
  namespace: string;
  source: DocumentSource;
  /** The next document, read from the source but not returned yet. */
  next: Buffer | undefined;
  usedAt: number;
}

/** The open cursors of all clients. */
export class Cursors {
  readonly #open = new Map<bigint, Cursor>();
  #lastId = BigInt(Date.now()) << 20n;

  /** Returns the first batch. The cursor stays open when documents are left, except with `isSingleBatch`. */
  async start(
    namespace: string,
    source: DocumentSource,
    yielder: Yielder,
    batchSize = defaultBatchSize,
    isSingleBatch = false,
  ): Promise<CursorReply> {
    const cursor: Cursor = { namespace, source, next: undefined, usedAt: Date.now() };
    cursor.next = nextOf(source);
    const documents = await take(cursor, batchSize, yielder);
    if (isSingleBatch || cursor.next === undefined) return { namespace, cursorId: 0n, documents, batch: 'firstBatch' };
    const cursorId = ++this.#lastId;
    this.#open.set(cursorId, cursor);
    return { namespace, cursorId, documents, batch: 'firstBatch' };
  }

  /** Like `start`, for documents that are not encoded yet. */
  startOf(
    namespace: string,
    documents: Iterable<BsonDocument>,
    yielder: Yielder,
    batchSize?: number,
  ): Promise<CursorReply> {
    return this.start(namespace, encoded(documents), yielder, batchSize);
  }

  /** Returns the next batch. Throws CursorNotFound for a cursor that is not open. */
  async more(cursorId: bigint, namespace: string, yielder: Yielder, batchSize = Infinity): Promise<CursorReply> {
    const cursor = this.#open.get(cursorId);
    if (!cursor) throw new MongoError(43, 'CursorNotFound', `cursor id ${cursorId} not found`);
    if (cursor.namespace !== namespace) {
      throw new MongoError(
        13,
        'Unauthorized',
        `Requested getMore on namespace '${namespace}', but cursor belongs to a different namespace ${cursor.namespace}`,
      );
    }
    cursor.usedAt = Date.now();
    const documents = await take(cursor, batchSize, yielder);
    if (cursor.next !== undefined) return { namespace, cursorId, documents, batch: 'nextBatch' };
    this.#open.delete(cursorId);
    return { namespace, cursorId: 0n, documents, batch: 'nextBatch' };
  }

  /** Returns false when the cursor does not exist. */
  kill(cursorId: bigint): boolean {
    return this.#open.delete(cursorId);
  }

  /** Closes cursors that have not been used for ten minutes. */
  closeIdle(): void {
    const limit = Date.now() - maxIdleMs;
    for (const [id, cursor] of this.#open) if (cursor.usedAt < limit) this.#open.delete(id);
  }
}

async function take(cursor: Cursor, count: number, yielder: Yielder): Promise<Buffer[]> {
  const documents: Buffer[] = [];
  let bytes = 0;
  while (cursor.next !== undefined && documents.length < count) {
    bytes += cursor.next.length;
    if (documents.length > 0 && bytes > maxDocumentBytes) break;
    documents.push(cursor.next);
    cursor.next = nextOf(cursor.source);
    if (yielder.isDue) await yielder.yield();
  }
  return documents;
}

const nextOf = (source: DocumentSource): Buffer | undefined => {
  const next = source.next();
  return next.done ? undefined : next.value;
};

function* encoded(documents: Iterable<BsonDocument>): Generator<Buffer> {
  for (const document of documents) {
    const bytes = encodeDocument(document);
    if (bytes.length > maxDocumentBytes) throw tooLarge(bytes.length);
    yield bytes;
  }
}
