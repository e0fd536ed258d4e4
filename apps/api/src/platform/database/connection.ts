import mongoose, { type Connection } from 'mongoose';

/**
 * Opens a separate connection, so that models never depend on mongoose's global state. Operations fail at once while
 * the database is unreachable; mongoose does not queue them in memory.
 */
export async function connectDatabase(uri: string): Promise<Connection> {
  return await mongoose
    .createConnection(uri, {
      dbName: databaseName(uri),
      autoIndex: false,
      autoCreate: false,
      bufferCommands: false,
      monitorCommands: true,
      ...defaultsFor(uri),
    })
    .asPromise();
}

const defaults = {
  serverSelectionTimeoutMS: 10_000,
  // Detects a hanging database within one heartbeat plus the connect timeout.
  heartbeatFrequencyMS: 5_000,
  connectTimeoutMS: 10_000,
  maxPoolSize: 20,
};

/** The defaults that the connection string does not set: the driver would let ours win. */
function defaultsFor(uri: string): Partial<typeof defaults> {
  const given = new URLSearchParams(/\?(.*)$/su.exec(uri)?.[1] ?? '');
  const names = new Set([...given.keys()].map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => !names.has(name.toLowerCase())));
}

/** The database that an address names. */
export function databaseName(uri: string): string {
  const path = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(uri)?.[1];
  return path === undefined ? 'docwright' : decodeURIComponent(path);
}

/** The driver's own database behind an open connection, for GridFS and the job queue. */
export function openDatabase(connection: Connection): mongoose.mongo.Db {
  if (connection.db === undefined) throw new Error('The database connection is not open.');
  return connection.db;
}

/** OutOfDiskSpace, as MongoDB and the embedded database answer it. */
const outOfDiskSpace = 14_031;

/** Whether the database refused a write because its disk is full. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof mongoose.mongo.MongoServerError && error.code === outOfDiskSpace;
}

/**
 * Whether a failure means that the database is unreachable or out of space, as opposed to an operation that it refused.
 * The work is not to blame and can be retried later.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  // The driver wraps connection failures of a bulk write in a server error.
  const reason: unknown = error instanceof mongoose.mongo.MongoBulkWriteError ? error.errorResponse : error;
  return (
    isDiskFull(error) ||
    isBrokenPipe(reason) ||
    reason instanceof mongoose.mongo.MongoNetworkError ||
    reason instanceof mongoose.mongo.MongoServerSelectionError ||
    reason instanceof mongoose.mongo.MongoNotConnectedError ||
    reason instanceof mongoose.mongo.MongoTopologyClosedError ||
    reason instanceof mongoose.Error.MongooseServerSelectionError
  );
}

/** Whether a write violated a unique index. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof mongoose.mongo.MongoServerError && error.code === 11_000;
}

/** For `catch`: ignores the violation of a unique index, and throws any other error. */
export function ignoreDuplicateKey(error: unknown): void {
  if (!isDuplicateKey(error)) throw error;
}

/** For a `catch` of an unordered insert: the places of the records that were there before. Throws any other error. */
export function placesOfDuplicates(error: unknown): Set<number> {
  ignoreDuplicateKey(error);
  const refused = error instanceof mongoose.mongo.MongoBulkWriteError ? [error.writeErrors].flat() : [];
  return new Set(refused.map(({ index }) => index));
}

/** Of two concurrent upserts that insert the same record, one fails; its retry updates the record. */
export async function retryOnDuplicateKey<Answer>(upsert: () => Promise<Answer>): Promise<Answer> {
  try {
    return await upsert();
  } catch (error) {
    ignoreDuplicateKey(error);
    return await upsert();
  }
}

/** The driver passes on the socket's own error if the server ends while a command is written to it. */
function isBrokenPipe(error: unknown): boolean {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return code === 'EPIPE' && syscall === 'write';
}
