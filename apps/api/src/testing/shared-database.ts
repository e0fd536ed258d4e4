import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedMongo } from '@docwright/embedded-mongo';

/**
 * Starts one server for all tests of a run: starting it takes longer than most tests. Does nothing if TEST_MONGODB_URI
 * is set.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['TEST_MONGODB_URI'] !== undefined) return undefined;
  const dataDir = await mkdtemp(join(tmpdir(), 'docwright-test-'));
  const server = await startEmbeddedMongo({ dataDir });
  process.env['TEST_MONGODB_URI'] = server.uri;
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
