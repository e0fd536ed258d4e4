import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedMongo } from '@docwright/embedded-mongo';

export interface TestDatabase {
  uri: string;
  stop(): Promise<void>;
}

/** An empty database of its own: the embedded one, or a new name on the server at TEST_MONGODB_URI. */
export async function startTestDatabase(): Promise<TestDatabase> {
  const server = process.env['TEST_MONGODB_URI'];
  if (server !== undefined) {
    const uri = new URL(server);
    uri.pathname = `test_${randomUUID().replaceAll('-', '')}`;
    return { uri: uri.href, stop: async () => undefined };
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'docwright-test-'));
  const database = await startEmbeddedMongo({ dataDir });
  return {
    uri: database.uri,
    async stop() {
      await database.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
