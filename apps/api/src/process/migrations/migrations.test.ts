import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { documentModel } from '../../features/documents/records/document-model.ts';
import { pageModel } from '../../features/documents/records/page-model.ts';
import { extractionModel } from '../../features/extractions/records/extraction-model.ts';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { migrations } from './migrations.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(() => connection.close());

it('requeues scans that failed without OCR, and the scanned pages of mixed documents', async () => {
  const ids = { organization_id: new mongoose.Types.ObjectId(), file_id: new mongoose.Types.ObjectId() };
  const given = { ...ids, mime_type: 'application/pdf', size_bytes: 1, uploaded_by: ids.organization_id };
  const insert = async (document_name: string, state: object, needs_ocr: boolean) => {
    const { _id } = await documentModel(connection).create({
      ...given,
      ...state,
      document_name,
      upload_date: new Date(),
    });
    const page = { page_num: 1, width: 1, height: 1, text: '', words: '[]', hidden_text: 0 };
    await pageModel(connection).create({ ...page, ...ids, document_id: _id, needs_ocr });
    return async () => await documentModel(connection).findById(_id).lean();
  };
  const failure = (code: string) => ({ state: 'ocr_failed', state_error: { code, message: '' }, attempts: 1 });
  const scan = await insert('scan', failure('ocr_unavailable'), true);
  const damaged = await insert('damaged', failure('damaged_file'), true);
  const mixed = await insert('mixed', { state: 'ocr_completed' }, true);
  const text = await insert('text', { state: 'ocr_completed' }, false);

  await migrations.find(({ version }) => version === 2)!.up(connection);
  expect(await scan()).toMatchObject({ state: 'uploaded', attempts: 0 });
  expect(await scan()).not.toHaveProperty('state_error');
  expect(await damaged()).toMatchObject({ state: 'ocr_failed' });
  expect(await mixed()).toMatchObject({ state: 'ocr_processing', ocr_turn: expect.any(Date) as Date });
  expect(await text()).toMatchObject({ state: 'ocr_completed' });
});

it('adds name keys to existing documents, and drops replaced indexes', async () => {
  const documents = documentModel(connection);
  const names = ['Äpfel.pdf', 'b.pdf', 'A.pdf'];
  const organization_id = new mongoose.Types.ObjectId();
  await documents.collection.insertMany(
    names.map((document_name) => ({ organization_id, document_name, deleted_at: null })) as never[],
  );
  await documents.collection.createIndex({ organization_id: 1, tag_ids: 1 });
  await documents.createIndexes();

  const up = async () => await migrations.find(({ version }) => version === 3)!.up(connection);
  await up();
  await up();
  const sorted = await documents.find({ organization_id, deleted_at: null }).sort({ name_key: 1 }).lean();
  expect(sorted.map(({ document_name }) => document_name)).toEqual(['A.pdf', 'Äpfel.pdf', 'b.pdf']);
  expect(sorted.map(({ name_key }) => name_key)).toEqual(['a.pdf', 'apfel.pdf', 'b.pdf']);
  const indexes = (await documents.collection.indexes()).map(({ name }) => name);
  expect(indexes).not.toContain('organization_id_1_tag_ids_1');
  expect(indexes).toContain('organization_id_1_deleted_at_1_name_key_1__id_1');
});

it('adds the words of pages and values, so that documents are found by their content', async () => {
  const organization_id = new mongoose.Types.ObjectId();
  const document_id = new mongoose.Types.ObjectId();
  const pages = pageModel(connection);
  const results = extractionModel(connection);
  const page = { organization_id, document_id, page_num: 1, text: 'Größe 12', words: '[]' };
  await pages.collection.insertOne(page);
  const stored = { organization_id, document_id, prompt_revid: document_id, result: '{"total":"RX-1"}', changes: 1 };
  await results.collection.insertOne(stored);
  const up = async () => await migrations.find(({ version }) => version === 8)!.up(connection);
  await up();
  await up();
  const code = `${organization_id.toHexString().slice(-8)}x`;
  expect((await pages.findOne({ document_id }).lean())?.search).toBe(`${code}grosse ${code}12`);
  expect((await results.findOne({ document_id }).lean())?.search).toBe(`${code}rx ${code}1`);
});

it('leaves damaged records as they are, and migrates the others', async () => {
  const organization_id = new mongoose.Types.ObjectId();
  const [documents, pages, results] = [documentModel(connection), pageModel(connection), extractionModel(connection)];
  const insert = async (records: mongoose.Collection, record: object) =>
    String((await records.insertOne({ organization_id, ...record })).insertedId);
  const key = () => ({ document_id: new mongoose.Types.ObjectId(), prompt_revid: new mongoose.Types.ObjectId() });
  const auto_create = { prompt_revid: 'damaged', status: 'proposed' };
  const damaged = [
    await insert(documents.collection, { document_name: 7, deleted_at: null }),
    await insert(documents.collection, { document_name: 'a.pdf', name_key: 'a.pdf', deleted_at: null, auto_create }),
    await insert(pages.collection, { ...key(), page_num: 1, text: 7 }),
    await insert(results.collection, { ...key(), result: '{"total":', changes: 1 }),
  ];
  const named = await insert(documents.collection, { document_name: 'Good.pdf', deleted_at: null });
  const page = await insert(pages.collection, { ...key(), page_num: 1, text: 'Good' });
  const result = await insert(results.collection, { ...key(), result: '{"total":"5"}', changes: 1 });
  const left = new Set<string>();
  for (const version of [3, 5, 8]) {
    await migrations.find((each) => each.version === version)!.up(connection, ({ id }) => void left.add(id));
  }
  expect(left).toEqual(new Set(damaged));
  expect((await documents.findById(named).lean())?.name_key).toBe('good.pdf');
  expect((await pages.findById(page).lean())?.search).toMatch(/good$/u);
  expect((await results.findById(result).lean())?.search).toMatch(/5$/u);
});

it('moves large metadata to its own collection, and leaves small metadata', async () => {
  const documents = documentModel(connection);
  const organization_id = new mongoose.Types.ObjectId();
  const insert = async (metadata: object) =>
    (await documents.collection.insertOne({ organization_id, document_name: 'x', deleted_at: null, metadata }))
      .insertedId;
  const large = await insert({ text: 'x'.repeat(2 * 1024 * 1024) });
  const small = await insert({ cost_center: '4711' });
  const up = async () => await migrations.find(({ version }) => version === 6)!.up(connection);
  await up();
  await up();
  expect((await documents.findById(large).lean())?.metadata).toEqual({
    moved: expect.stringContaining('large_metadata'),
  });
  expect((await documents.findById(small).lean())?.metadata).toEqual({ cost_center: '4711' });
  const aside = await connection.collection('large_metadata').findOne({ _id: large });
  expect(String(aside?.['metadata']?.text)).toHaveLength(2 * 1024 * 1024);
});

it('gives files of sources the list of their documents, which a mail can have several of', async () => {
  const files = connection.collection('source_files');
  const [source_id, document_id] = [new mongoose.Types.ObjectId(), new mongoose.Types.ObjectId()];
  await files.insertOne({ source_id, identity: 'a.pdf', version: '1', document_id });
  await migrations.find(({ version }) => version === 12)!.up(connection);
  expect(await files.findOne({ source_id })).toMatchObject({ document_ids: [document_id] });
});
