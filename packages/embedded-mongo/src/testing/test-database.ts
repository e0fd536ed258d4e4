import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseFile } from '../process/data-directory.ts';
import { EmbeddedMongoServer, type ServerOptions } from '../server/server.ts';

export interface TestDatabase {
  /** A connection string for the official driver, without a database name. */
  uri: string;
  /** The folder of the database. */
  dataDir: string;
  server: EmbeddedMongoServer;
  /** Stops the server and removes its folder. */
  stop(): Promise<void>;
}

/**
 * An empty database in a temporary folder, served by this process. It starts immediately and does not survive a power
 * loss.
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
