import mongoose, { type Connection } from 'mongoose';
import { openDatabase } from './connection.ts';

/** A filter for strings that contain this text, ignoring case. */
export function hasInAnyCase(text: string): { $regex: string; $options: 'i' } {
  return { $regex: patternOf(text), $options: 'i' };
}

/** A pattern that matches the text literally. `RegExp.escape` does not fit: MongoDB does not know its `\u3000`. */
export function patternOf(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

const commandNotFound = 59;

/**
 * Creates the index of the embedded database that finds any part of a name, if it does not exist. MongoDB has no such index and
 * checks the names in the keys of another one.
 *
 * @param index the field with the name, and those that each search has one value of
 */
export async function createNameIndex(
  connection: Connection,
  { collection, path, within }: { collection: string; path: string; within: readonly string[] },
): Promise<void> {
  try {
    await openDatabase(connection).command({ docwrightSubstringIndex: collection, path, within });
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoServerError && error.code === commandNotFound)) throw error;
  }
}
