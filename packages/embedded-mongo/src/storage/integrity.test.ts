import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
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
