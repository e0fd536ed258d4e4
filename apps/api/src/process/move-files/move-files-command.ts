import { databaseFile, startEmbeddedMongo } from '@docwright/embedded-mongo';
import { stat } from 'node:fs/promises';
import { MongoClient } from 'mongodb';
import { createFilesBucket } from '../../features/documents/files/s3-file-store.ts';
import { databaseName } from '../../platform/database/connection.ts';
import { readSettings, SettingsError, type Settings } from '../../platform/settings/settings.ts';
import { moveFiles } from './move-files.ts';
import { StartError } from '../start-error.ts';
import { releaseReserve } from '../watch-database.ts';

const usage =
  'Say where to: npm run move-files -- to, or npm run move-files -- from. FILES_URL is the bucket; DATA_DIR or MONGODB_URI is the database.';

/** The database of the settings, and what closes it. */
async function open({ dataDir, mongodbUri }: Settings): Promise<{ uri: string; stop: () => Promise<void> }> {
  if (mongodbUri !== undefined) return { uri: mongodbUri, stop: async () => undefined };
  await stat(databaseFile(dataDir)).catch(() => {
    throw new StartError(`No database exists in ${dataDir}: set DATA_DIR to the server's data folder.`);
  });
  await releaseReserve(dataDir);
  return await startEmbeddedMongo({ dataDir });
}

/** Moves the documents' files between the database and the bucket of FILES_URL. Ctrl-C stops it between two files. */
try {
  const [direction, ...more] = process.argv.slice(2);
  if ((direction !== 'to' && direction !== 'from') || more.length > 0) throw new StartError(usage);
  const settings = readSettings(process.env);
  if (settings.files === undefined) throw new StartError(usage);
  const store = createFilesBucket(settings.files, { warn: (_, message) => console.warn(message) });
  await store.check().catch((error: Error) => {
    throw new StartError(error.message);
  });
  const stopping = new AbortController();
  process.once('SIGINT', () => stopping.abort());
  process.once('SIGTERM', () => stopping.abort());
  const database = await open(settings);
  try {
    const client = await MongoClient.connect(database.uri);
    try {
      const db = client.db(databaseName(database.uri));
      const moved = await moveFiles({ db, store, direction, signal: stopping.signal, log: console.log });
      const { files, bytes, missing } = moved;
      console.log(`${files} files (${(bytes / 1_000_000).toFixed(1)} MB) were moved, each compared by its SHA-256.`);
      if (missing > 0) console.warn(`${missing} files that documents name are in neither place.`);
      if (stopping.signal.aborted) throw new StartError('It was interrupted. Repeat the command to go on.');
      if (direction === 'from') console.log('Start without FILES_URL.');
    } finally {
      await client.close();
    }
  } finally {
    await database.stop();
  }
} catch (error) {
  if (!(error instanceof SettingsError || error instanceof StartError)) throw error;
  console.error(error.message);
  process.exit(1);
}
