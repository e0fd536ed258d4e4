import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectTestDatabase } from '../../../testing/test-database.ts';
import { storedBytesOf } from '../../../platform/database/stored-bytes/stored-bytes.ts';
import { pageModel } from '../records/page-model.ts';
import { createPageRepositories } from './page-repository.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(() => connection.close());

it('returns pages in order, and only those that start within the maximum of characters', async () => {
  const [organizationId, documentId] = [1, 2].map(() => new mongoose.Types.ObjectId().toHexString()) as [
    string,
    string,
  ];
  const pages = createPageRepositories(connection)(organizationId);
  const page = { width: 1, height: 1, text: '0123456789', words: [], hidden_text: 0, needs_ocr: false };
  await pages.insert(
    documentId,
    [3, 1, 2].map((page_num) => ({ ...page, page_num })),
  );
  const numbers = async (maxCharacters?: number) =>
    (await pages.pages(documentId, maxCharacters)).map(({ page_num }) => page_num);
  expect(await numbers()).toEqual([1, 2, 3]);
  expect(await numbers(11)).toEqual([1, 2]);
  expect(await numbers(10)).toEqual([1]);
});

it('counts the bytes of a page once that another reader has stored', async () => {
  const [organizationId, documentId] = [new mongoose.Types.ObjectId(), new mongoose.Types.ObjectId()].map(String) as [
    string,
    string,
  ];
  await pageModel(connection).createIndexes();
  const pages = createPageRepositories(connection)(organizationId);
  const page = { width: 1, height: 1, text: '0123456789', words: [], hidden_text: 0, needs_ocr: false };
  const stored = async () => await storedBytesOf(connection).stored(organizationId);
  await pages.insert(documentId, [{ ...page, page_num: 1 }]);
  const once = await stored();
  await pages.insert(documentId, [
    { ...page, page_num: 1 },
    { ...page, page_num: 2 },
  ]);
  expect([once > 0, (await stored()) / once]).toEqual([true, 2]);
});
