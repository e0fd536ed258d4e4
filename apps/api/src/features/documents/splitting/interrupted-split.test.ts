import { DomainError, type Document } from '@docwright/contract';
import { extractPages } from '@docwright/documents';
import { buildPdf, line } from '@docwright/documents/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';
import { createFileRepository } from '../files/file-repository.ts';
import { createPageRepositories } from '../reading/page-repository.ts';
import { createDocumentRepositories } from '../records/document-repository.ts';
import { pageModel } from '../records/page-model.ts';
import { createSplitService } from './split-service.ts';

let harness: TestApp;
let document_id: string;
const parts = [{ name: 'A', pages: [[1, 1] as [number, number]] }];

beforeAll(async () => {
  harness = await startTestApp();
  const pages = ['Invoice A', 'Invoice B'].map((title) => ({ content: line(title, 50, 700) }));
  const content = Buffer.from(buildPdf({ pages })).toString('base64');
  const uploaded = await harness.admin.post<{ documents: [Document] }>('./documents', {
    documents: [{ name: 'many.pdf', content }],
  });
  document_id = uploaded.body.documents[0].id;
  await harness.services.documents.textReading.readAll(new AbortController().signal);
});
afterAll(async () => harness.stop());

interface Interruption {
  /** What happens while the pages are taken out of the file. */
  meanwhile?: () => Promise<unknown>;
  hasRoom?: boolean;
  /** The process is killed before the documents are stored. */
  isKilled?: boolean;
}

async function split({ meanwhile, hasRoom = true, isKilled = false }: Interruption): Promise<Document[]> {
  const { connection, admin } = harness;
  const documentsOf = createDocumentRepositories(connection);
  const splitting = createSplitService({
    auditWrites: (_writes, make) => make,
    documentsOf(organizationId) {
      const documents = documentsOf(organizationId);
      return isKilled ? { ...documents, insertSplit: () => Promise.reject(new Error('killed')) } : documents;
    },
    pagesOf: createPageRepositories(connection),
    files: createFileRepository(connection),
    storageLimit: {
      async reserve() {
        if (!hasRoom) throw new DomainError('storage_full', 'storage_limit_reached', 'There is no room.');
        return { giveTo: async () => undefined, giveBack: async () => undefined };
      },
    },
    checkTags: async () => undefined,
    async extract(input) {
      await meanwhile?.();
      await extractPages(input);
    },
    endWaiting: async () => undefined,
  });
  return (await splitting(admin.actor).split(document_id, parts)).documents;
}

const storedPages = () => pageModel(harness.connection).countDocuments();

it('leaves no page of a split for which there is no room', async () => {
  const before = await storedPages();
  await expect(split({ hasRoom: false })).rejects.toMatchObject({ code: 'storage_limit_reached' });
  expect(await storedPages()).toBe(before);
});

it('removes the pages and files of a split whose process was killed', async () => {
  const before = await storedPages();
  await expect(split({ isKilled: true })).rejects.toThrow('killed');
  const pending = harness.connection.collection('pending_uploads');
  await pending.updateMany({}, { $set: { begun_at: new Date(0) } });
  await harness.services.documents.sweeping.sweep(new AbortController().signal);
  expect([await storedPages(), await pending.countDocuments()]).toEqual([before, 0]);
});

it('keeps the parts from models of a document that is kept from them while it is split', async () => {
  const keep = () => harness.admin.patch(`./documents/${document_id}`, { never_to_model: true });
  const [part] = await split({ meanwhile: keep });
  const read = await harness.admin.get<Document>(`./documents/${part!.id}`);
  expect([part!.never_to_model, read.body.never_to_model]).toEqual([true, true]);
});
