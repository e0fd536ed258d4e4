import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { createReadiness } from '../platform/http/readiness.ts';
import { readSettings } from '../platform/settings/settings.ts';
import { startDatabase } from './start-database.ts';

const free = vi.hoisted(() => ({ bytes: 0, seen: [] as string[] }));
vi.mock('node:fs/promises', async (original) => ({
  ...(await original<object>()),
  statfs: async () => ({ bavail: free.bytes, bsize: 1 }),
}));
vi.mock('@docwright/embedded-mongo', () => ({
  startEmbeddedMongo: async ({ dataDir }: { dataDir: string }) => {
    free.seen = await readdir(dataDir);
    throw new Error('not started in this test.');
  },
}));

it('a database that starts on a full disk has the space of the reserve, and the reserve stays while there is some', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'docwright-full-'));
  try {
    await writeFile(path.join(dataDir, 'reserve'), 'x');
    const start = () =>
      startDatabase(
        readSettings({ DATA_DIR: dataDir }),
        pino({ level: 'silent' }),
        createReadiness([]),
        () => undefined,
      );
    free.bytes = 100 * 1024 * 1024;
    await expect(start()).rejects.toThrow('not started');
    expect(free.seen).toEqual(['reserve']);
    free.bytes = 0;
    await expect(start()).rejects.toThrow('not started');
    expect(free.seen).toEqual([]);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
