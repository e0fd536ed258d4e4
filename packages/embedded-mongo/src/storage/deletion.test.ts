import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { encodeDocument } from '../bson/encode.ts';
import type { BsonDocument, BsonValue } from '../values/value.ts';
import { Storage } from './storage.ts';

const doc = (fields: Record<string, BsonValue>): BsonDocument => new Map(Object.entries(fields));

test('a dropped collection leaves no content in the file and its log', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docwright-deletion-'));
  const file = join(folder, 'database.sqlite');
  const storage = new Storage(file, 'normal');
  const things = storage.ensure('test', 'things');
  things.addIndex(doc({ v: 2, key: doc({ name: 1 }), name: 'name_1' }));
  for (let at = 0; at < 50; at++) {
    const document = doc({ _id: at, name: `confidential-${at}`, text: `confidential-${'x'.repeat(300)}` });
    things.insert(encodeDocument(document), document);
  }
  storage.commit();
  storage.checkpoint();
  const bytes = async () => Buffer.concat([await readFile(file), await readFile(`${file}-wal`)]);
  expect((await bytes()).includes('confidential')).toBe(true);
  storage.drop(things);
  storage.commit();
  storage.checkpoint();
  expect((await bytes()).includes('confidential')).toBe(false);
  storage.close();
  await rm(folder, { recursive: true });
});
