import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@docwright/documents';
import type { Connection } from 'mongoose';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { connectTestDatabase } from '../../../testing/test-database.ts';
import { documentModel } from '../records/document-model.ts';
import { createDocumentRepositories } from '../records/document-repository.ts';
import { createFileRepository } from '../files/file-repository.ts';
import { createDocumentClaims } from './document-claim-repository.ts';
import { createPageRepositories } from './page-repository.ts';
import { createTextQueueRepository, type ReadingOrder } from './text-queue-repository.ts';
import { createTextReadingService, type TextReadingDependencies } from './text-reading-service.ts';

const organization = 'a'.repeat(24);
const asFound: ReadingOrder = { organizations: (ids) => [...ids], users: (users) => [...users] };
let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
beforeEach(async () => {
  await documentModel(connection).deleteMany({});
});
afterAll(() => connection.close());

const page = (page_num: number, text = `page ${page_num}`): Page => ({
  page_num,
  width: 612,
  height: 792,
  text,
  words: [],
  hidden_text: 0,
  needs_ocr: text === '',
});

const wakeRecognition = vi.fn<() => Promise<void>>(async () => undefined);

function service(parse: NonNullable<TextReadingDependencies['parse']>, options: Partial<TextReadingDependencies> = {}) {
  return createTextReadingService({
    queue: createTextQueueRepository(connection),
    files: createFileRepository(connection),
    pagesOf: createPageRepositories(connection),
    attachments: { limitOf: () => 0, store: async () => undefined },
    parse,
    wakeRecognition,
    log: pino({ level: 'silent' }),
    renewMilliseconds: 50,
    ...options,
  });
}

async function insert(organizationId = organization): Promise<string> {
  const file_id = await createFileRepository(connection).store(Buffer.from('x'), 'x.pdf');
  const given = {
    document_name: 'x.pdf',
    mime_type: 'application/pdf',
    size_bytes: 1,
    file_id,
    tag_ids: [],
    metadata: {},
  };
  const [document] = await createDocumentRepositories(connection)(organizationId).insert([
    { ...given, uploaded_by: 'b'.repeat(24) },
  ]);
  return document!.id;
}

const documents = () => createDocumentRepositories(connection)(organization);
const openSignal = () => new AbortController().signal;

it('reads each document once, however many readers there are', async () => {
  const ids = [await insert(), await insert(), await insert()];
  let read = 0;
  const reader = service(async ({ onPage }) => {
    read += 1;
    await onPage?.(page(1), 2);
    await onPage?.(page(2), 2);
    return { page_count: 2, pages: [], unread: [], machine_data: [] };
  });
  await Promise.all([reader.readAll(openSignal()), reader.readAll(openSignal()), reader.readAll(openSignal())]);
  expect(read).toBe(3);
  for (const id of ids) {
    expect(await documents().get(id)).toMatchObject({ state: 'ocr_completed', page_count: 2 });
    expect(await createPageRepositories(connection)(organization).texts(id)).toHaveLength(2);
  }
});

it('starts again after a reader died, without its half-written pages', async () => {
  const id = await insert();
  const expiresSoon = 5;
  await createTextQueueRepository(connection, expiresSoon).claimNext('quick', asFound);
  await createPageRepositories(connection)(organization).insert(id, [page(1, 'half')]);
  const reader = service(async ({ onPage }) => {
    await onPage?.(page(1, 'whole'), 1);
    return { page_count: 1, pages: [], unread: [], machine_data: [] };
  });
  await reader.readAll(openSignal());
  expect(await documents().get(id)).toMatchObject({ state: 'ocr_processing' });

  await sleep(2 * expiresSoon);
  expect(await createDocumentClaims(connection).requeueOrphans()).toBe(1);
  await reader.readAll(openSignal());
  expect(await documents().get(id)).toMatchObject({ state: 'ocr_completed' });
  expect(await createPageRepositories(connection)(organization).texts(id)).toMatchObject([{ text: 'whole' }]);
});

it('leaves a document to its reader while that is alive, however long a page takes and whatever its clock shows', async () => {
  const id = await insert();
  let read = 0;
  const slow = service(async ({ onPage }) => {
    read += 1;
    await sleep(600);
    await onPage?.(page(1), 1);
    return { page_count: 1, pages: [], unread: [], machine_data: [] };
  });
  const reading = slow.readAll(openSignal());
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 365 * 86_400_000 });
  const other = createDocumentClaims(connection);
  while ((await documents().get(id))?.state !== 'ocr_completed') {
    expect(await other.requeueOrphans()).toBe(0);
    await slow.readAll(openSignal());
    await sleep(20);
  }
  vi.useRealTimers();
  await reading;
  expect(read).toBe(1);
});

it('fails a document that killed its reader twice', async () => {
  const id = await insert();
  await documentModel(connection).updateOne({ _id: id }, { $set: { attempts: 2 } });
  await service(() => Promise.reject(new Error('never called'))).readAll(openSignal());
  expect(await documents().get(id)).toMatchObject({ state: 'ocr_failed', state_error: { code: 'unreadable_file' } });
});

it('reads the document of another organization next, however many one organization has uploaded', async () => {
  for (let count = 0; count < 5; count += 1) await insert();
  const other = await insert('c'.repeat(24));
  let read = 0;
  let readWhenOtherWas: number | undefined;
  const reader = service(async ({ onPage }) => {
    read += 1;
    await sleep(20);
    await onPage?.(page(1), 1);
    const isOther = (await documentModel(connection).findById(other))?.state === 'ocr_processing';
    if (isOther) readWhenOtherWas ??= read;
    return { page_count: 1, pages: [], unread: [], machine_data: [] };
  });
  await reader.readLane('quick', openSignal());
  expect(read).toBe(6);
  expect(readWhenOtherWas).toBeLessThanOrEqual(2);
});

it('moves a document that takes long, and none that waits for a thread, to the long lane, where it is read to its end', async () => {
  const [long, short] = [await insert(), await insert('c'.repeat(24))];
  const wakeLongReading = vi.fn<() => Promise<void>>(async () => undefined);
  let isFirst = true;
  const parse: TextReadingDependencies['parse'] = async ({ onStart, onPage, signal }) => {
    if (isFirst) {
      isFirst = false;
      onStart?.();
      await sleep(5_000, undefined, { signal: signal!, ref: false });
    } else await sleep(150, undefined, { signal: signal! });
    await onPage?.(page(1), 1);
    return { page_count: 1, pages: [], unread: [], machine_data: [] };
  };
  const reader = service(parse, { quickMilliseconds: 100, wakeLongReading });
  await reader.readLane('quick', openSignal());
  expect((await documentModel(connection).findById(short))?.state).toBe('ocr_completed');
  expect(await documentModel(connection).findById(long)).toMatchObject({ state: 'uploaded', attempts: 0 });
  expect(wakeLongReading).toHaveBeenCalledOnce();
  await reader.readLane('long', openSignal());
  expect((await documentModel(connection).findById(long))?.state).toBe('ocr_completed');
});

it('stores nothing for a document that was deleted meanwhile', async () => {
  const id = await insert();
  const reader = service(async ({ onPage }) => {
    await documentModel(connection).deleteOne({ _id: id });
    await onPage?.(page(1), 1);
    return { page_count: 1, pages: [], unread: [], machine_data: [] };
  });
  await reader.readAll(openSignal());
  expect(await createPageRepositories(connection)(organization).texts(id)).toEqual([]);
});

it('requeues a document when it is stopped', async () => {
  const id = await insert();
  const stop = new AbortController();
  const reader = service(async ({ signal }) => {
    stop.abort();
    signal?.throwIfAborted();
    return { page_count: 0, pages: [], unread: [], machine_data: [] };
  });
  await reader.readAll(stop.signal);
  expect(await documents().get(id)).toMatchObject({ state: 'uploaded' });
});

it('passes a document with a page without a text layer to the recognition', async () => {
  const mixed = await insert();
  await service(async ({ onPage }) => {
    await onPage?.(page(1), 2);
    await onPage?.(page(2, ''), 2);
    return { page_count: 2, pages: [], unread: [], machine_data: [] };
  }).readAll(openSignal());
  expect(await documents().get(mixed)).toMatchObject({
    state: 'ocr_processing',
    ocr: { pages_done: 1, page_count: 2 },
  });
  expect(wakeRecognition).toHaveBeenCalledOnce();
  // It is in the queue of the recognition, no longer in the one for texts.
  expect(await createTextQueueRepository(connection).claimNext('quick', asFound)).toBeUndefined();
});

it('reveals no internals of an unexpected error', async () => {
  const faulty = await insert();
  await service(() => Promise.reject(new Error('secret inside'))).readAll(openSignal());
  const failed = await documents().get(faulty);
  expect(failed).toMatchObject({ state: 'ocr_failed', state_error: { code: 'reading_failed' } });
  expect(JSON.stringify(failed)).not.toContain('secret');
});

it('says what was not read, of the document and of its pages, with the number of the page', async () => {
  const id = await insert();
  await service(async ({ onPage }) => {
    await onPage?.(page(1), 2);
    await onPage?.({ ...page(2), unread: [{ kind: 'font', message: 'Letters without meaning.' }] }, 2);
    const unread = [{ kind: 'embedded_file' as const, name: 'a.xls', message: 'Not read.' }];
    return { page_count: 2, pages: [], unread, machine_data: [] };
  }).readAll(openSignal());
  expect((await documents().get(id))?.unread).toEqual([
    { kind: 'embedded_file', name: 'a.xls', message: 'Not read.' },
    { kind: 'font', page_num: 2, message: 'Letters without meaning.' },
  ]);
  const [first, second] = await createPageRepositories(connection)(organization).texts(id);
  expect(first).not.toHaveProperty('unread');
  expect(second?.unread).toEqual([{ kind: 'font', page_num: 2, message: 'Letters without meaning.' }]);
});

it('lists the fields for signatures of all pages, with the words that stand in each', async () => {
  const id = await insert();
  const box = { x0: 10, y0: 10, x1: 100, y1: 30 };
  const word = { text: 'Ada', x0: 20, y0: 12, x1: 40, y1: 24 };
  const outside = { text: 'Name', x0: 20, y0: 40, x1: 40, y1: 52 };
  await service(async ({ onPage }) => {
    await onPage?.(page(1), 2);
    await onPage?.({ ...page(2), words: [word, outside], signatures: [{ box, signed: true }] }, 2);
    return { page_count: 2, pages: [], unread: [], machine_data: [] };
  }).readAll(openSignal());
  expect((await documentModel(connection).findById(id).lean())?.signatures).toEqual([
    { page_num: 2, box, signed: true, drawn_text: 'Ada' },
  ]);
});

/** Pages whose writes take this long. */
const slowly =
  (milliseconds: number): TextReadingDependencies['pagesOf'] =>
  (organizationId) => {
    const pages = createPageRepositories(connection)(organizationId);
    return {
      ...pages,
      async insert(...given) {
        await sleep(milliseconds);
        await pages.insert(...given);
      },
    };
  };

it('is read whole in the long lane, although a write of the quick one was still on its way', async () => {
  const id = await insert();
  const all = Array.from({ length: 43 }, (_, at) => page(at + 1));
  const reading: TextReadingDependencies['parse'] = async ({ onStart, onPage, signal }) => {
    onStart?.();
    const writing = (async () => {
      for (const each of all) await onPage?.(each, all.length);
    })();
    await Promise.race([
      writing,
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
    ]);
    return { page_count: all.length, pages: [], unread: [], machine_data: [] };
  };
  const first = service(reading, { quickMilliseconds: 100, pagesOf: slowly(300) }).readLane('quick', openSignal());
  await expect.poll(async () => (await documentModel(connection).findById(id))?.reading_lane).toBe('long');
  await service(reading, { pagesOf: slowly(100) }).readLane('long', openSignal());
  await first;
  expect(await documents().get(id)).toMatchObject({ state: 'ocr_completed', page_count: 43 });
  expect(await createPageRepositories(connection)(organization).texts(id)).toHaveLength(43);
});

it('has no text when its reading failed, so that nothing is made of part of it', async () => {
  const id = await insert();
  await service(async ({ onPage }) => {
    for (let number = 1; number <= 25; number += 1) await onPage?.(page(number), 43);
    throw new Error('broken at page 26');
  }).readAll(openSignal());
  expect(await documents().get(id)).toMatchObject({ state: 'ocr_failed' });
  expect(await createPageRepositories(connection)(organization).texts(id)).toEqual([]);
});
