import mongoose, { type Model } from 'mongoose';

type Operation<Record extends object> = mongoose.mongo.AnyBulkWriteOperation<Record>;

interface Write<Record extends object> {
  operations: readonly Operation<Record>[];
  done: () => void;
  failed: (error: unknown) => void;
}

/** Writes of one collection, in order and whole; fails as the first of them that failed. */
export type GroupedWrites<Record extends object> = (operations: readonly Operation<Record>[]) => Promise<void>;

/** Far below what one command may hold, so that the first of a group does not wait long for the last. */
const maxOperations = 100;

/**
 * Sends what is to be written while a command is under way together, in the next one: a command costs many times what a
 * write in it does, so that many turns at once need few commands. A write that waits for nobody leaves at once. Each is told
 * of its own failure alone. Records go as they are, without what is undefined: mongoose neither casts them nor sets defaults.
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
    isWriting = true;
    while (waiting.length > 0) await writeNext();
    isWriting = false;
  }

  return (operations) =>
    new Promise((done, failed) => {
      if (operations.length === 0) return done();
      waiting.push({ operations, done, failed });
      if (!isWriting) void writeAll();
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
