import mongoose, { type Model } from 'mongoose';

type Operation<Record extends object> = mongoose.mongo.AnyBulkWriteOperation<Record>;

interface Write<Record extends object> {
  operations: readonly Operation<Record>[];
  done: () => void;
  failed: (error: unknown) => void;
}

/** Applies the operations in order; rejects with the first failure among them. */
export type GroupedWrites<Record extends object> = (operations: readonly Operation<Record>[]) => Promise<void>;

/** Far below the driver's limit, so that the first write of a batch does not wait long for the last. */
const maxOperations = 100;

/**
 * Batches writes: operations requested while a command runs go together into the next one, since a command costs far
 * more than a write in it, and many concurrent turns then need few commands. A write starts with the others of its moment if no command runs.
 * Each caller learns only of its own failure. Records are stored without their undefined fields; mongoose neither casts
 * them nor sets defaults.
 */
export function createGroupedWrites<Record extends object>(model: Model<Record>): GroupedWrites<Record> {
  const collection = model.collection as unknown as mongoose.mongo.Collection<Record>;
  const waiting: Write<Record>[] = [];
  let isWriting = false;

  async function writeNext(): Promise<void> {
    const group = nextGroup(waiting);
    try {
      await collection.bulkWrite(
        group.flatMap(({ operations }) => operations),
        { ordered: false, ignoreUndefined: true },
      );
      for (const { done } of group) done();
    } catch (error) {
      rejectFailed(group, error);
    }
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) await writeNext();
    isWriting = false;
  }

  return (operations) =>
    new Promise((done, failed) => {
      if (operations.length === 0) return done();
      waiting.push({ operations, done, failed });
      if (isWriting) return;
      isWriting = true;
      queueMicrotask(() => void writeAll());
    });
}

function nextGroup<Record extends object>(waiting: Write<Record>[]): Write<Record>[] {
  let count = 0;
  const end = waiting.findIndex(({ operations }, index) => {
    count += operations.length;
    return index > 0 && count > maxOperations;
  });
  return waiting.splice(0, end === -1 ? waiting.length : end);
}

function rejectFailed<Record extends object>(group: readonly Write<Record>[], error: unknown): void {
  const failures = error instanceof mongoose.mongo.MongoBulkWriteError ? [error.writeErrors].flat() : [];
  let first = 0;
  for (const { operations, done, failed } of group) {
    const end = first + operations.length;
    const failure = failures.find(({ index }) => index >= first && index < end);
    if (failure)
      failed(
        new mongoose.mongo.MongoServerError({ message: failure.errmsg ?? 'The write failed.', code: failure.code }),
      );
    else if (failures.length > 0) done();
    else failed(error);
    first = end;
  }
}
