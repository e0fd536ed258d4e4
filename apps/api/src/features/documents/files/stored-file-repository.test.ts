import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Connection } from 'mongoose';
import { connectTestDatabase } from '../../../testing/test-database.ts';
import { createFileRepository } from './file-repository.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(() => connection.close());

it('a file that has lost a part is missing, and not read as a shorter one', async () => {
  const files = createFileRepository(connection);
  const [whole, empty] = [Buffer.alloc(600_000, 'x'), Buffer.alloc(0)];
  expect(await files.read(await files.store(empty, 'empty.txt'))).toEqual(empty);
  const id = await files.store(whole, 'long.txt');
  expect(await files.read(id)).toEqual(whole);
  await connection.collection('files.chunks').deleteOne({ n: 2 });
  await expect(files.read(id)).rejects.toThrow('missing');
});
