import { stat } from 'node:fs/promises';
import { startEmbeddedMongo, type StartOptions } from '@docwright/embedded-mongo';
import { MongoClient, type Db } from 'mongodb';
import { databaseName } from '../../platform/database/connection.ts';
import { isUnfinished } from '../../platform/database/unfinished-copy.ts';
import { StartError } from '../start-error.ts';
import { releaseReserve } from '../watch-database.ts';
import { namesOf } from './database-content.ts';

const serverTimeoutMs = 10_000;

/** Opens the embedded database of a folder for `work`, and closes it again. A server that runs there continues. */
export async function useEmbedded<Answer>(
  options: StartOptions,
  work: (db: Db, client: MongoClient) => Promise<Answer>,
): Promise<Answer> {
  await releaseReserve(options.dataDir);
  const embedded = await startEmbeddedMongo(options);
  try {
    const client = await MongoClient.connect(embedded.uri);
    try {
      return await work(client.db(databaseName(embedded.uri)), client);
    } finally {
      await client.close();
    }
  } finally {
    await embedded.stop();
  }
}

/**
 * Opens the database that an address names, on a MongoDB server, for `work`.
 * @throws StartError if the server does not answer.
 */
export async function useServer<Answer>(uri: string, work: (db: Db) => Promise<Answer>): Promise<Answer> {
  const client = await connect(uri);
  try {
    return await work(client.db(databaseName(uri)));
  } finally {
    await client.close();
  }
}

async function connect(uri: string): Promise<MongoClient> {
  try {
    return await MongoClient.connect(uri, { serverSelectionTimeoutMS: serverTimeoutMs });
  } catch (error) {
    // The address can have a password.
    throw new StartError(`The MongoDB server does not answer: ${(error as Error).message}`);
  }
}

/** Throws unless a folder can take a copy: it has no database, or what an interrupted copy left. */
export async function requireFreshFolder(db: Db, dataDir: string): Promise<void> {
  if ((await namesOf(db)).length > 0 && !(await isUnfinished(db)))
    throw new StartError(`${dataDir} has a database: set DATA_DIR to a new folder, or move that one away.`);
}

export async function exists(file: string): Promise<boolean> {
  return await stat(file).then(
    () => true,
    () => false,
  );
}
