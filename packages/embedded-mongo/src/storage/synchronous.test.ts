import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Storage } from './storage.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'durability-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * SQLite's numbers of its modes. With FULL, every commit is on the disk before its reply; with NORMAL, a power loss can
 * cost the last ones.
 */
it.each([
  ['normal', 1],
  ['full', 2],
] as const)('the mode %s sets the pragma of SQLite', (synchronous, level) => {
  const storage = new Storage(path.join(folder, `${synchronous}.sqlite`), synchronous);
  expect(storage.sqlite.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: level });
  storage.sqlite.close();
});
