import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { createReadiness } from '../platform/http/readiness.ts';
import { readSettings } from '../platform/settings/settings.ts';
import { useEmbedded } from './copies/use-database.ts';
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

it.each([
  [
    'of a server',
    (dataDir: string) =>
      startDatabase(
        readSettings({ DATA_DIR: dataDir }),
        pino({ level: 'silent' }),
        createReadiness([]),
        () => undefined,
      ),
  ],
  ['of a back-up or move', (dataDir: string) => useEmbedded({ dataDir }, async () => undefined)],
])(
  'a database %s that starts on a full disk has the space of the reserve, which stays before',
  async (_name, startIn) => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'docwright-full-'));
    try {
      await writeFile(path.join(dataDir, 'reserve'), 'x');
      const start = () => startIn(dataDir);
      free.bytes = 100 * 1024 * 1024;
      await expect(start()).rejects.toThrow('not started');
      expect(free.seen).toEqual(['reserve']);
      free.bytes = 0;
      await expect(start()).rejects.toThrow('not started');
      expect(free.seen).toEqual([]);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);
