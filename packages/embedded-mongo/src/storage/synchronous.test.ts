import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Storage } from './storage.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'durability-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** SQLite's numbers: with FULL every commit is on the disk before it is answered, with NORMAL a power cut may cost the last. */
it.each([
  ['normal', 1],
  ['full', 2],
] as const)('with SYNCHRONOUS=%s the file is written at that level', (synchronous, level) => {
  const storage = new Storage(path.join(folder, `${synchronous}.sqlite`), synchronous);
  expect(storage.sqlite.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: level });
  storage.sqlite.close();
});
