import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { IntegrityCheck } from './integrity.ts';

it('takes no table for damaged that was dropped since it was listed', () => {
  const sqlite = new DatabaseSync(':memory:');
  for (const name of ['d1', 'x2', 'x3']) sqlite.exec(`CREATE TABLE ${name} (id INTEGER)`);
  const check = new IntegrityCheck(sqlite);
  for (const name of ['x2', 'x3']) sqlite.exec(`DROP TABLE ${name}`);
  check.checkFor(1_000);
  expect(check.result).toEqual({ state: 'sound' });
  sqlite.close();
});

describe('a large table', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'integrity-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function open(name: string): { file: string; sqlite: DatabaseSync } {
    const file = path.join(folder, name);
    const sqlite = new DatabaseSync(file);
    sqlite.exec(`PRAGMA page_size = 8192; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;
      CREATE TABLE IF NOT EXISTS small (id INTEGER PRIMARY KEY); CREATE TABLE IF NOT EXISTS large (id INTEGER PRIMARY KEY, text)`);
    return { file, sqlite };
  }
  const fill = (sqlite: DatabaseSync) =>
    sqlite.exec(`WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 3000)
      INSERT INTO large (text) SELECT printf('%d %0500d', at, at) FROM n`);
  const sound = { state: 'sound' };

  it('is checked in the background, while this process writes and moves its log', async () => {
    const { file, sqlite } = open('sound.sqlite');
    fill(sqlite);
    sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const check = new IntegrityCheck(sqlite, file, { ms: 1, share: 0 });
    check.checkFor(10_000);
    expect(check.result).toEqual({ state: 'checking' });
    const end = new AbortController();
    const background = check.checkInBackground(end.signal, 60_000);
    fill(sqlite);
    check.interrupt();
    sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    await vi.waitFor(() => expect(check.result).toEqual(sound), 20_000);
    end.abort();
    await background;
    sqlite.close();
  });

  it('is found damaged', async () => {
    const first = open('damaged.sqlite');
    fill(first.sqlite);
    first.sqlite.close();
    const bytes = readFileSync(first.file);
    bytes.fill(0xa5, bytes.length - 20 * 8192, bytes.length - 10 * 8192);
    writeFileSync(first.file, bytes);
    const { file, sqlite } = open('damaged.sqlite');
    const check = new IntegrityCheck(sqlite, file, { ms: 1, share: 0 });
    check.checkFor(10_000);
    expect(check.result).toEqual({ state: 'checking' });
    await check.checkInBackground(new AbortController().signal, 60_000);
    expect(check.result).toMatchObject({ state: 'damaged' });
    sqlite.close();
  });
});
