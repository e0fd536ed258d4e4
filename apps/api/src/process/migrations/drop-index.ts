import mongoose, { type Connection } from 'mongoose';

const notFound = new Set<unknown>([26, 27]);

/** Removes a replaced index, which still slows down every write. An index that does not exist is no error. */
export async function dropIndex(connection: Connection, collection: string, name: string): Promise<void> {
  try {
    await connection.collection(collection).dropIndex(name);
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoServerError && notFound.has(error.code))) throw error;
  }
}

/** Whether the index exists. */
export async function hasIndex(connection: Connection, collection: string, name: string): Promise<boolean> {
  try {
    return await connection.collection(collection).indexExists(name);
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoServerError && notFound.has(error.code))) throw error;
    return false;
  }
}
