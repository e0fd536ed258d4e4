import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '@docwright/contract';
import type { Page, recognizePage } from '@docwright/documents';
import type { Connection } from 'mongoose';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { connectTestDatabase } from '../../../testing/test-database.ts';
import { documentModel } from '../records/document-model.ts';
import { createDocumentRepositories } from '../records/document-repository.ts';
import { createFileRepository } from '../files/file-repository.ts';
import { createPageRepositories } from './page-repository.ts';
import { createRecognitionQueueRepository } from './recognition-queue-repository.ts';
import { createRecognitionService } from './recognition-service.ts';

const organization = 'a'.repeat(24);
let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
beforeEach(async () => {
  await documentModel(connection).deleteMany({});
});
afterAll(() => connection.close());

const documents = () => createDocumentRepositories(connection)(organization);
const pages = () => createPageRepositories(connection)(organization);
const openSignal = () => new AbortController().signal;
const readAs = (text: string, page_num: number): { page: Page; language: 'eng' } => ({
  page: { page_num, width: 9, height: 9, text, words: [], hidden_text: 0, needs_ocr: false },
  language: 'eng',
});

/** A document whose pages without a text are to be recognised. */
async function insert(texts: readonly string[], name = 'x.pdf'): Promise<string> {
  const file_id = await createFileRepository(connection).store(Buffer.from(name), name);
  const given = {
    document_name: name,
    mime_type: 'application/pdf',
    size_bytes: 1,
    file_id,
    tag_ids: [],
    metadata: {},
  };
  const [document] = await documents().insert([{ ...given, uploaded_by: 'b'.repeat(24) }]);
  const { id } = document!;
  await pages().insert(
    id,
    texts.map((text, index) => ({ ...readAs(text, index + 1).page, needs_ocr: text === '' })),
  );
  const set = { state: 'ocr_processing', ocr_turn: new Date(), page_count: texts.length, pages_done: 0 };
  await documentModel(connection).updateOne({ _id: id }, { $set: set });
  return id;
}

function service(
  recognize: typeof recognizePage,
  times: { turnMilliseconds?: number; renewMilliseconds?: number } = {},
) {
  const queue = createRecognitionQueueRepository(connection);
  const files = createFileRepository(connection);
  const pagesOf = createPageRepositories(connection);
  return createRecognitionService({ queue, files, pagesOf, recognize, log: pino({ level: 'silent' }), ...times });
}

const textsOf = async (id: string) => (await pages().texts(id)).map(({ text }) => text);

it('recognises only the pages without text, and reports progress', async () => {
  const id = await insert(['layer', '', '']);
  const seen: unknown[] = [];
  const reader = service(async ({ pageNumber }) => {
    seen.push((await documents().get(id))?.ocr);
    return readAs(`read ${pageNumber}`, pageNumber);
  });
  await Promise.all([reader.recognizeAll(openSignal()), reader.recognizeAll(openSignal())]);
  expect(await textsOf(id)).toEqual(['layer', 'read 2', 'read 3']);
  expect(seen.at(-1)).toEqual({ pages_done: 2, page_count: 3 });
  const done = await documents().get(id);
  expect(done).toMatchObject({ state: 'ocr_completed' });
  expect(done).not.toHaveProperty('ocr');
});

it('completes a document although one of its pages cannot be read', async () => {
  const id = await insert(['', '']);
  await service(async ({ pageNumber }) => {
    if (pageNumber === 1) throw new DomainError('unprocessable', 'damaged_page', 'Scan it again.');
    return readAs('fine', pageNumber);
  }).recognizeAll(openSignal());
  expect(await documents().get(id)).toMatchObject({ state: 'ocr_completed' });
  expect(await pages().texts(id)).toMatchObject([
    { text: '', ocr_error: { code: 'damaged_page', message: 'Scan it again.' } },
    { text: 'fine' },
  ]);
});

it('keeps what is unread on no page, and adds unread pages', async () => {
  const id = await insert(['layer', '', '']);
  const unread = [{ kind: 'embedded_file', name: 'a.xls', message: 'Not read.' }];
  await documentModel(connection).updateOne({ _id: id }, { $set: { unread } });
  await service(async ({ pageNumber }) => {
    if (pageNumber === 2) throw new DomainError('unprocessable', 'damaged_page', 'Scan it again.');
    const { page, language } = readAs('', pageNumber);
    return { page: { ...page, read_by: 'ocr', unread: [{ kind: 'picture', message: 'Nothing sure.' }] }, language };
  }).recognizeAll(openSignal());
  expect((await documents().get(id))?.unread).toEqual([
    ...unread,
    { kind: 'picture', page_num: 2, message: 'Scan it again.' },
    { kind: 'picture', page_num: 3, message: 'Nothing sure.' },
  ]);
  // A page without words has no confidence.
  expect((await pages().texts(id))[2]).toEqual({
    page_num: 3,
    text: '',
    hidden_text: 0,
    read_by: 'ocr',
    unread: [{ kind: 'picture', page_num: 3, message: 'Nothing sure.' }],
  });
});

it('fails a document if none of its pages can be read', async () => {
  const id = await insert(['', '']);
  await service(() => Promise.reject(new DomainError('unprocessable', 'damaged_page', 'Scan it again.'))).recognizeAll(
    openSignal(),
  );
  expect(await documents().get(id)).toMatchObject({ state: 'ocr_failed', state_error: { code: 'damaged_page' } });
});

it('processes other documents between the pages of a long one', async () => {
  await insert(['', '', ''], 'long');
  await insert([''], 'short');
  const order: string[] = [];
  await service(
    async ({ bytes, pageNumber }) => {
      order.push(`${Buffer.from(bytes).toString()} ${pageNumber}`);
      return readAs('read', pageNumber);
    },
    { turnMilliseconds: 0 },
  ).recognizeAll(openSignal());
  expect(order).toEqual(['long 1', 'short 1', 'long 2', 'long 3']);
});

it('continues after its process died, and gives up a page that repeatedly kills its process', async () => {
  const id = await insert(['', '']);
  const killed = createRecognitionQueueRepository(connection, 0);
  for (let times = 0; times < 3; times += 1) {
    expect(await killed.claimNext()).toMatchObject({ attempt: times + 1 });
    await sleep(5);
  }
  await service(async ({ pageNumber }) => readAs('read', pageNumber)).recognizeAll(openSignal());
  expect(await pages().texts(id)).toMatchObject([{ ocr_error: { code: 'unreadable_page' } }, { text: 'read' }]);
  expect(await documents().get(id)).toMatchObject({ state: 'ocr_completed' });
});

it('stops at a page of a deleted document, and keeps recognised pages when it is stopped', async () => {
  const deleted = await insert(['']);
  await service(
    async ({ signal }) => {
      await documentModel(connection).deleteOne({ _id: deleted });
      await new Promise((_, reject) => signal!.addEventListener('abort', () => reject(new Error('stopped'))));
      throw new Error('never here');
    },
    { renewMilliseconds: 20 },
  ).recognizeAll(openSignal());

  const stopped = await insert(['', '']);
  const stop = new AbortController();
  await service(async ({ pageNumber }) => {
    stop.abort();
    return readAs('first', pageNumber);
  }).recognizeAll(stop.signal);
  expect(await textsOf(stopped)).toEqual(['first', '']);
  await service(async ({ pageNumber }) => readAs('second', pageNumber)).recognizeAll(openSignal());
  expect(await textsOf(stopped)).toEqual(['first', 'second']);
});
