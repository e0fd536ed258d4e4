import type { Page } from '@docwright/documents';
import { Types, type Connection } from 'mongoose';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { newId } from '../../../platform/database/object-id.ts';
import { connectTestDatabase } from '../../../testing/test-database.ts';
import { createFileRepository } from '../files/file-repository.ts';
import { documentModel } from '../records/document-model.ts';
import { createDocumentRepositories } from '../records/document-repository.ts';
import { createPageRepositories } from './page-repository.ts';
import { createRecognitionQueueRepository } from './recognition-queue-repository.ts';
import { createRecognitionService } from './recognition-service.ts';
import { createTextQueueRepository } from './text-queue-repository.ts';
import { createTextReadingService } from './text-reading-service.ts';

const organization = newId();
const [ada, program] = [newId(), newId()];
const many = 2_000;

let connection: Connection;
let file_id: string;
beforeAll(async () => {
  connection = await connectTestDatabase();
  await documentModel(connection).createIndexes();
  file_id = await createFileRepository(connection).store(Buffer.from('x'), 'x.pdf');
});
beforeEach(async () => {
  await documentModel(connection).deleteMany({});
});
afterAll(() => connection.close());

const page: Page = { page_num: 1, width: 9, height: 9, text: 'read', words: [], hidden_text: 0, needs_ocr: false };
const log = pino({ level: 'silent' });
const given = { document_name: 'x.pdf', mime_type: 'application/pdf', size_bytes: 1, tag_ids: [], metadata: {} };

/** Uploads documents as one request does. */
async function upload(uploaded_by: string, count = 1, organizationId = organization): Promise<string[]> {
  const documents = Array.from({ length: count }, () => ({ ...given, file_id, uploaded_by }));
  return (await createDocumentRepositories(connection)(organizationId).insert(documents)).map(({ id }) => id);
}

/** Reads until so many documents were read, and returns them in order. */
async function firstRead(count: number): Promise<string[]> {
  const read: string[] = [];
  // Each document takes the same time, however busy the machine is.
  let milliseconds = 0;
  const stopping = new AbortController();
  const queue = createTextQueueRepository(connection);
  const reader = createTextReadingService({
    queue: {
      ...queue,
      async claimNext(lane, inOrder) {
        const claim = await queue.claimNext(lane, inOrder);
        if (claim) read.push(claim.documentId);
        if (read.length >= count) stopping.abort();
        return claim;
      },
    },
    files: createFileRepository(connection),
    pagesOf: createPageRepositories(connection),
    attachments: { limitOf: () => 0, store: async () => undefined },
    async parse({ onPage }) {
      await onPage?.(page, 1);
      milliseconds += 10;
      return { page_count: 1, pages: [], unread: [], machine_data: [] };
    },
    wakeRecognition: async () => undefined,
    now: () => milliseconds,
    log,
  });
  await reader.readLane('quick', stopping.signal);
  return read;
}

it.each([
  ['another user of the organization', ada, organization],
  ['the user who uploaded the many', program, organization],
  ['a user of another organization', ada, newId()],
])('reads what %s uploads next, however many documents wait', async (_who, user, organizationId) => {
  await upload(program, many);
  // What the first few of the many took from the lane of few.
  await firstRead(25);
  const own = await upload(user, 2, organizationId);
  // More of the many keep coming.
  await upload(program, 100);
  expect((await firstRead(4)).filter((id) => own.includes(id))).toHaveLength(2);
});

it('reads what a user uploads by hand next, while a program of the same user uploads in many requests', async () => {
  const records = createDocumentRepositories(connection)(organization);
  const uploadOne = async (uploader: 'byHand' | 'inNumbers') => {
    const documents = [{ ...given, file_id, uploaded_by: ada }];
    return (await records.insert(documents, await records.countReadFirst(documents, uploader)))[0]!.id;
  };
  for (let at = 0; at < 40; at += 1) await uploadOne('inNumbers');
  // The program takes each place as soon as it is free.
  for (let at = 0; at < 5; at += 1) {
    await firstRead(1);
    await uploadOne('inNumbers');
  }
  const own = [await uploadOne('byHand'), await uploadOne('byHand')];
  expect(await firstRead(12)).toEqual(expect.arrayContaining(own));
});

it('reads what a colleague uploads after one document of a user with many first places, however long each takes', async () => {
  await upload(program, 20);
  const own = await upload(ada, 3);
  // What was read before counts: after the first, the two take turns.
  const read = await firstRead(6);
  expect(read.filter((id) => own.includes(id))).toHaveLength(3);
});

it('leaves places at the front for what a user uploads beside many files that they chose together', async () => {
  const records = createDocumentRepositories(connection)(organization);
  const uploadOne = async (kind: 'byHand' | 'inNumbers') => {
    const documents = [{ ...given, file_id, uploaded_by: ada }];
    return (await records.insert(documents, await records.countReadFirst(documents, kind)))[0]!.id;
  };
  for (let at = 0; at < 100; at += 1) await uploadOne('inNumbers');
  const own = await uploadOne('byHand');
  expect(await firstRead(11)).toContain(own);
});

it('reads the documents of a source after those that a user uploads', async () => {
  const source = { source_id: newId(), source_key: newId() };
  const documents = [{ ...given, file_id, uploaded_by: organization, ...source }];
  const [first] = await createDocumentRepositories(connection)(organization).insert(documents);
  const own = await upload(ada);
  expect(await firstRead(2)).toEqual([...own, first!.id]);
});

it('recognises a scan that a user uploads next, however many scans wait', async () => {
  const scans = await upload(program, 200);
  const own = await upload(ada);
  await createPageRepositories(connection)(organization).insert(own[0]!, [{ ...page, text: '', needs_ocr: true }]);
  await createPageRepositories(connection)(organization).insert(scans[0]!, [{ ...page, text: '', needs_ocr: true }]);
  const waiting = (at: number) => ({ state: 'ocr_processing' as const, ocr_turn: new Date(at), page_count: 1 });
  await documentModel(connection).updateMany({}, { $set: waiting(1) });
  await documentModel(connection).updateOne({ _id: new Types.ObjectId(own[0]) }, { $set: waiting(2) });
  const stopping = new AbortController();
  const queue = createRecognitionQueueRepository(connection);
  const claimed: string[] = [];
  await createRecognitionService({
    queue: {
      ...queue,
      async claimNext() {
        const claim = await queue.claimNext();
        if (claim) claimed.push(claim.documentId);
        // The few of the many that came first are before it.
        if (claimed.length >= 25) stopping.abort();
        return claim;
      },
    },
    files: createFileRepository(connection),
    pagesOf: createPageRepositories(connection),
    recognize: async () => ({ page, language: 'eng' }),
    log,
  }).recognizeAll(stopping.signal);
  expect(claimed).toContain(own[0]);
});
