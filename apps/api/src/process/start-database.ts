import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import { connectDatabase, isDatabaseUnavailable, openDatabase } from '../platform/database/connection.ts';
import { isUnfinished } from '../platform/database/unfinished-copy.ts';
import type { Readiness } from '../platform/http/readiness.ts';
import type { Settings } from '../platform/settings/settings.ts';
import { requireDatabaseFeatures } from './database-features.ts';
import { reasonOf } from './start-database-reason.ts';
import { StartError } from './start-error.ts';
import { releaseReserve, watchDatabase } from './watch-database.ts';

const unfinished =
  'The database is an unfinished copy: a move or restore was interrupted. Repeat that command, which goes on where it ended, and start then.';

/**
 * Connects to MONGODB_URI, or starts the embedded database and connects to it. `/ready` reports a lost connection; a
 * real MongoDB can return, the embedded one cannot.
 */
export async function startDatabase(
  settings: Settings,
  logger: Logger,
  readiness: Readiness,
  onEmbeddedLost: () => void,
): Promise<{ connection: Connection; close(): Promise<void> }> {
  const embedded = settings.mongodbUri === undefined ? await startEmbedded(settings, logger) : undefined;
  const connection = await connect(settings.mongodbUri, embedded?.uri);
  try {
    if (settings.mongodbUri !== undefined) await requireDatabaseFeatures(connection);
    if (await isUnfinished(openDatabase(connection))) throw new StartError(unfinished);
  } catch (error) {
    await connection.close();
    await embedded?.stop();
    throw error;
  }
  readiness.up('database');
  connection.on('disconnected', () => readiness.down('database'));
  connection.on('connected', () => readiness.up('database'));
  const stopWatching = watchDatabase(connection, readiness, logger, {
    dataDir: embedded === undefined ? undefined : settings.dataDir,
  });
  let closing = false;
  void embedded?.exited.then(() => (closing ? undefined : onEmbeddedLost()));
  return {
    connection,
    async close() {
      closing = true;
      await stopWatching();
      await connection.close();
      await embedded?.stop();
    },
  };
}

async function startEmbedded({ dataDir, synchronous }: Settings, logger: Logger) {
  await releaseReserve(dataDir);
  const { startEmbeddedMongo } = await import('@docwright/embedded-mongo');
  try {
    return await startEmbeddedMongo({ dataDir, synchronous, log: (line) => logger.info({ part: 'database' }, line) });
  } catch (error) {
    throw new StartError(`The embedded database in ${dataDir} does not start: ${(error as Error).message}`);
  }
}

async function connect(configured: string | undefined, embedded: string | undefined): Promise<Connection> {
  try {
    return await connectDatabase(configured ?? embedded ?? '');
  } catch (error) {
    if (configured === undefined) {
      if (!isDatabaseUnavailable(error)) throw error;
      throw new StartError(
        'The embedded database does not answer: this machine may be too busy. Start Docwright again.',
      );
    }
    throw new StartError(`MONGODB_URI does not answer: ${reasonOf(error)} Start that database or correct the address.`);
  }
}
