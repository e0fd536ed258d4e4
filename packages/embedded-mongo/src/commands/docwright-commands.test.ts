import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { docwrightCommands } from './docwright-commands.ts';

const folder = mkdtempSync(join(tmpdir(), 'docwright-copies-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('a copy that cannot begin in an open transaction begins after its commit', async () => {
  const backUp = new Map(docwrightCommands).get('docwrightBackUp')!;
  const sqlite = new DatabaseSync(join(folder, 'source'));
  sqlite.exec('PRAGMA journal_mode = WAL; CREATE TABLE items (name TEXT); BEGIN IMMEDIATE');
  sqlite.exec("INSERT INTO items VALUES ('one')");
  const path = join(folder, 'copy');
  const command = new Map([['docwrightBackUp', path]]);
  const copied = Promise.resolve(backUp({ storage: { sqlite }, command } as never));
  await Promise.race([copied, delay(100)]);
  sqlite.exec('COMMIT');
  await copied;
  expect(new DatabaseSync(path).prepare('SELECT name FROM items').all()).toEqual([{ name: 'one' }]);
});
