import mongoose, { type Connection, type Model } from 'mongoose';
import { isDatabaseUnavailable, isDuplicateKey } from './connection.ts';

type Operation = mongoose.mongo.AnyBulkWriteOperation;

/** A write of one record. Mongoose neither casts it nor sets defaults; undefined fields are not stored. */
export interface JointWrite {
  collection: mongoose.mongo.Collection;
  operation: Operation;
}

/** A write of a model's collection for `createJointWrites`. */
export function writeOf<Stored extends object>(
  model: Model<Stored>,
  operation: mongoose.mongo.AnyBulkWriteOperation<Stored>,
): JointWrite {
  return { collection: model.collection, operation: operation as Operation };
}

/**
 * Applies writes of several collections in order; rejects with the first failure, after which the caller's later ones
 * are not applied. An upsert whose insert lost a race is applied again.
 */
export type JointWrites = (writes: readonly JointWrite[]) => Promise<void>;

interface Caller {
  writes: readonly JointWrite[];
  hasLostRace: boolean;
  done: () => void;
  failed: (error: unknown) => void;
}

/** Far below the driver's limit, so that the first write of a batch does not wait long for the last. */
const maxWrites = 100;
/** Of one write; the driver refuses to send a larger one. */
const maxWriteBytes = 16 * 1024 * 1024 - 1024;
/** Of the writes that the driver sends in one command, at least. */
const maxCommandBytes = 40 * 1024 * 1024;
/** CommandNotFound, CommandNotSupported and NotImplemented. */
const unknownCommand = [59, 115, 238] as const;
/** The connections to servers without the command `bulkWrite`. */
const withoutBulkWrite = new WeakSet<Connection>();

/**
 * Batches writes: those of several collections that belong together, and those that are requested while a command runs,
 * go into one command (`bulkWrite`; MongoDB 8 and newer, and the embedded database), since a command costs far more than
 * a write in it. On another server, each run of writes to a collection is a command.
 */
export function createJointWrites(connection: Connection): JointWrites {
  let waiting: Caller[] = [];
  let isWriting = false;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const group = nextGroup(waiting);
      try {
        const failure = await apply(
          connection,
          group.flatMap(({ writes }) => writes),
        );
        waiting = [...settle(group, failure), ...waiting];
      } catch (error) {
        for (const { failed } of group) failed(error);
      }
    }
    isWriting = false;
  }

  return (writes) =>
    new Promise((done, failed) => {
      if (writes.length === 0) return done();
      waiting.push({ writes, hasLostRace: false, done, failed });
      if (isWriting) return;
      isWriting = true;
      queueMicrotask(() => void writeAll());
    });
}

function nextGroup(waiting: Caller[]): Caller[] {
  let count = 0;
  const end = waiting.findIndex(({ writes }, index) => {
    count += writes.length;
    return index > 0 && count > maxWrites;
  });
  return waiting.splice(0, end === -1 ? waiting.length : end);
}

/** Settles the callers of a command. Returns those whose writes were not reached or must be repeated. */
function settle(group: readonly Caller[], failure: Failure | undefined): Caller[] {
  const again: Caller[] = [];
  let first = 0;
  for (const caller of group) {
    const { writes, done, failed, hasLostRace } = caller;
    const at = failure === undefined ? writes.length : failure.index - first;
    first += writes.length;
    if (at >= writes.length) done();
    else if (at < 0) again.push(caller);
    else if (isUpsert(writes[at]!) && isDuplicateKey(failure!.error) && !hasLostRace) {
      again.push({ ...caller, writes: writes.slice(at), hasLostRace: true });
    } else failed(failure!.error);
  }
  return again;
}

function isUpsert({ operation }: JointWrite): boolean {
  return 'updateOne' in operation && operation.updateOne.upsert === true;
}

interface Failure {
  /** The place of the write that failed; those before it are applied, those after it are not. */
  index: number;
  error: unknown;
}

/** Throws if the command failed as a whole. */
async function apply(connection: Connection, writes: readonly JointWrite[]): Promise<Failure | undefined> {
  const isOfOneCollection = writes.every(({ collection }) => collection === writes[0]?.collection);
  if (isOfOneCollection || withoutBulkWrite.has(connection)) return await applyByCollection(writes);
  const models = writes.map(({ collection, operation }) => {
    const [[name, parts]] = Object.entries(operation) as [[string, object]];
    return { name, namespace: `${connection.name}.${collection.collectionName}`, ...parts };
  });
  try {
    await connection.getClient().bulkWrite(models as mongoose.mongo.AnyClientBulkWriteModel<mongoose.mongo.Document>[]);
    return undefined;
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoClientBulkWriteError)) {
      return await applyBeforeUnsendable(writes, error, (before) => apply(connection, before));
    }
    const [[index, { code, message }] = [undefined, {}]] = error.writeErrors as Map<
      number,
      Partial<mongoose.mongo.ClientBulkWriteError>
    >;
    if (index !== undefined) return { index, error: serverError(code, message) };
    const { cause } = error;
    const isUnknown =
      cause instanceof mongoose.mongo.MongoServerError && unknownCommand.some((code) => code === cause.code);
    if (!isUnknown) throw cause ?? error;
    withoutBulkWrite.add(connection);
    return await applyByCollection(writes);
  }
}

async function applyByCollection(writes: readonly JointWrite[]): Promise<Failure | undefined> {
  for (let first = 0; first < writes.length;) {
    const { collection } = writes[first]!;
    const length = writes.slice(first).findIndex((write) => write.collection !== collection);
    const end = length === -1 ? writes.length : first + length;
    const run = writes.slice(first, end);
    try {
      const operations = run.map(({ operation }) => operation);
      await collection.bulkWrite(operations, { ordered: true, ignoreUndefined: true });
    } catch (error) {
      const failure = error instanceof mongoose.mongo.MongoBulkWriteError ? [error.writeErrors].flat()[0] : undefined;
      const { index, error: reason } =
        failure === undefined
          ? await applyBeforeUnsendable(run, error, applyByCollection)
          : { index: failure.index, error: serverError(failure.code, failure.errmsg) };
      return { index: first + index, error: reason };
    }
    first = end;
  }
  return undefined;
}

/**
 * Applies the writes before the one that the driver refuses to send, such as one that is too large: it has then sent none,
 * and the other callers are not to blame. Throws the error if there is no such write.
 */
async function applyBeforeUnsendable(
  writes: readonly JointWrite[],
  error: unknown,
  applyAll: (before: readonly JointWrite[]) => Promise<Failure | undefined>,
): Promise<Failure> {
  const index = isDatabaseUnavailable(error) ? undefined : placeOfUnsendable(writes);
  if (index === undefined) throw error;
  return (await applyAll(writes.slice(0, index))) ?? { index, error };
}

/** The first write that cannot be sent; undefined if others may have been sent before it. */
function placeOfUnsendable(writes: readonly JointWrite[]): number | undefined {
  let total = 0;
  for (const [index, { operation }] of writes.entries()) {
    const bytes = sizeOf(operation);
    if (bytes > maxWriteBytes) return index;
    total += bytes;
    if (total > maxCommandBytes) return undefined;
  }
  return undefined;
}

function sizeOf(operation: Operation): number {
  try {
    return mongoose.mongo.BSON.serialize(operation).byteLength;
  } catch {
    return Infinity;
  }
}

function serverError(code: number | string | undefined, message = 'The write failed.'): Error {
  return new mongoose.mongo.MongoServerError({ message, code });
}
