import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseFile } from '../process/data-directory.ts';
import { EmbeddedMongoServer, type ServerOptions } from '../server/server.ts';

/** A running test database, as `startTestDatabase` returns it. */
export interface TestDatabase {
  /** A connection string for the official driver, without a database name. */
  uri: string;
  /** Path of the folder of the database. */
  dataDir: string;
  /** The server in this process. */
  server: EmbeddedMongoServer;
  /** Stops the server and removes its folder. */
  stop(): Promise<void>;
}

/**
 * Starts an empty database in a temporary folder, served by this process on a port of the loopback interface. Its
 * writes do not survive a power loss.
 *
 * @param options Options of the server that replace these defaults.
 * @returns The connection string, the folder and `stop`.
 *
 * @example
 * ```ts
 * import { startTestDatabase } from '@docwright/embedded-mongo/testing';
 * import { MongoClient } from 'mongodb';
 *
 * const database = await startTestDatabase({ expiryIntervalMs: 100 });
 * const client = await new MongoClient(database.uri).connect();
 * await client.db('test').collection('notes').insertOne({ text: 'temporary' });
 * await client.close();
 * await database.stop();
 * ```
 */
export async function startTestDatabase(options: Partial<ServerOptions> = {}): Promise<TestDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'docwright-database-'));
  const file = databaseFile(dataDir);
  const server = new EmbeddedMongoServer({ file, listen: { port: 0 }, synchronous: 'off', ...options });
  await server.listen();
  return {
    uri: server.uri,
    dataDir,
    server,
    async stop() {
      await server.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
