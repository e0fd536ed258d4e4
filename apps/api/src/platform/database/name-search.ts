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
 * Clients of servers where records store the parts of their names: on every server but the embedded database, which has an
 * index of its own. Several connections share a client.
 */
const storing = new WeakSet<object>();

/** Those of them whose names are found by their parts. */
const finding = new WeakSet<object>();

export const storesParts = (connection: Connection): boolean => storing.has(connection.getClient());

/**
 * Whether writes store the parts of a name, and searches count on them. If not, a write removes them: a process of an older
 * release that runs beside this one changes names without them.
 */
export const findsByParts = (connection: Connection): boolean => finding.has(connection.getClient());

/** To be called when all stored parts are right, and no process runs that does not keep them. */
export function findByParts(connection: Connection): void {
  finding.add(connection.getClient());
}

const partLength = 3;

/** The parts of a name by which an index finds it: each three characters that follow one another. */
export function partsOfName(name: string): string[] {
  const characters = Array.from(name);
  const count = Math.max(characters.length - partLength + 1, 0);
  return [...new Set(Array.from({ length: count }, (_, at) => characters.slice(at, at + partLength).join('')))];
}

/** From the most frequent letters of names on, as in English and German texts. */
const frequent = ' enirtsaodlucmpghfbvk.-_wzyxjq0123456789';

/** The part of a text that the fewest names have, as far as its letters tell. Undefined for a text that has none. */
export function rarestPart(text: string): string | undefined {
  const rarity = (part: string) =>
    Array.from(part).reduce((sum, letter) => sum + (frequent.indexOf(letter) + 1 || frequent.length + 1), 0);
  return partsOfName(text).toSorted((one, other) => rarity(other) - rarity(one))[0];
}

/**
 * Creates the index that finds any part of a name, if it does not exist. The embedded database makes the parts itself; on
 * other servers, records store them.
 *
 * @param index the field with the name, the one with its parts, those that each search has one value of, and the usual order
 */
export async function createNameIndex(
  connection: Connection,
  {
    collection,
    path,
    parts,
    within,
    order,
  }: { collection: string; path: string; parts: string; within: readonly string[]; order: Record<string, 1 | -1> },
): Promise<void> {
  try {
    await openDatabase(connection).command({ docwrightSubstringIndex: collection, path, within });
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoServerError && error.code === commandNotFound)) throw error;
    storing.add(connection.getClient());
    // Records without parts are then the first: those of older releases, and of a moved database.
    const key = { [parts]: 1, ...Object.fromEntries(within.map((each) => [each, 1])), ...order } as const;
    await connection.collection(collection).createIndex(key);
  }
}
