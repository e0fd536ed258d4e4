import type { Document, SplitAnswer } from '@docwright/contract';
import { buildPdf, line } from '@docwright/documents/testing';
import mongoose from 'mongoose';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';
import { createDocumentRepositories } from '../records/document-repository.ts';
import { createFileRepository } from './file-repository.ts';
import { createUploadService } from './upload-service.ts';

const { Collection, MongoNetworkError } = mongoose.mongo;
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());
afterEach(() => vi.restoreAllMocks());

const pdf = buildPdf({ pages: ['First', 'Second'].map((text) => ({ content: line(text, 50, 700) })) });
const upload = (name: string, bytes: Uint8Array) =>
  app.admin.post<{ documents: Document[] }>('./documents', {
    documents: [{ name, content: Buffer.from(bytes).toString('base64') }],
  });
const read = () => app.services.documents.textReading.readAll(new AbortController().signal);
const listed = async () => (await app.admin.get<{ documents: Document[] }>('./documents')).body.documents;

/** The database goes away after documents are inserted, before it is noted that their files belong to them. */
function loseDatabaseAfterInsert(): void {
  const deleteMany = Reflect.get(Collection.prototype, 'deleteMany') as mongoose.mongo.Collection['deleteMany'];
  vi.spyOn(Collection.prototype, 'deleteMany').mockImplementation(async function (
    this: mongoose.mongo.Collection,
    ...given
  ) {
    if (this.collectionName === 'pending_uploads') throw new MongoNetworkError('connection closed');
    return await deleteMany.apply(this, given);
  });
}

it('keeps the file of a document that was made although its upload failed', async () => {
  loseDatabaseAfterInsert();
  expect((await upload('a.txt', Buffer.from('Total: 5'))).status).toBe(503);
  vi.restoreAllMocks();
  await read();
  expect(await listed()).toMatchObject([{ document_name: 'a.txt', state: 'ocr_completed' }]);
});

it('keeps the files of documents that were split although the request failed', async () => {
  const { body } = await upload('many.pdf', pdf);
  await read();
  loseDatabaseAfterInsert();
  const parts = [{ name: 'First', pages: [[1, 1]] }];
  const { status } = await app.admin.post<SplitAnswer>(`./documents/${body.documents[0]!.id}/split`, { parts });
  expect(status).toBe(503);
  vi.restoreAllMocks();
  const part = (await listed()).find(({ document_name }) => document_name === 'First.pdf')!;
  expect((await app.admin.get(`./documents/${part.id}/file`)).status).toBe(200);
});

it('counts nothing as stored of an upload whose note failed', async () => {
  let reserved = 0;
  const uploads = createUploadService({
    auditWrites: (_writes, make) => make,
    documentsOf: createDocumentRepositories(app.connection),
    files: createFileRepository(app.connection),
    maxUploadBytes: 1_000,
    storageLimit: {
      maxBytes: 1_000,
      stored: async () => reserved,
      requireRoom: async () => undefined,
      async reserve(_organizationId, bytes) {
        reserved += bytes;
        return {
          giveTo: async () => undefined,
          async giveBack() {
            reserved -= bytes;
          },
        };
      },
    },
    checkTags: async () => undefined,
    duplicatesOf: () => ({}) as never,
    uploadSettings: async () => ({ isDefault: false, onAsk: 'deny', onDuplicate: 'keep' }) as never,
    wakeTextReader: async () => undefined,
  });
  const upload = uploads(app.admin.actor);
  const file = { ...(await upload.store('b.txt', Buffer.from('Total: 6'))), tag_ids: [], metadata: {} };
  const note = () => Promise.reject(new Error('not noted'));
  await expect(upload.finish([file], 1, note)).rejects.toThrow('not noted');
  expect(reserved).toBe(0);
});
