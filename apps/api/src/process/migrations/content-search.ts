import type { Connection } from 'mongoose';
import { documentModel, nameKeyOf } from '../../features/documents/records/document-model.ts';
import { pageModel } from '../../features/documents/records/page-model.ts';
import { extractionModel } from '../../features/extractions/records/extraction-model.ts';
import { searchOfValues } from '../../features/extractions/records/result-writer-repository.ts';
import { indexedTerms } from '../../platform/database/content-search.ts';
import { ofReadable, type OnUnreadable } from './readable-records.ts';

const batchSize = 200;

/** Folds the keys of names, and adds the words of pages and values that searches read. */
export async function indexContent(
  connection: Connection,
  onUnreadable: OnUnreadable = () => undefined,
): Promise<void> {
  const documents = documentModel(connection);
  const named = (last: object) =>
    documents.find(last, { document_name: 1, name_key: 1 }).sort({ _id: 1 }).limit(batchSize).lean();
  for (let batch = await named({}); batch.length > 0; batch = await named({ _id: { $gt: batch.at(-1)?._id } })) {
    const updates = await ofReadable({ collection: 'documents', onUnreadable }, batch, (record) => {
      const { _id, document_name } = record;
      const name_key = nameKeyOf(document_name);
      return name_key === record.name_key
        ? []
        : [{ updateOne: { filter: { _id, document_name }, update: { $set: { name_key } } } }];
    });
    if (updates.flat().length > 0) await documents.bulkWrite(updates.flat());
  }
  const pages = pageModel(connection);
  const read = (last: object) =>
    pages.find(last, { organization_id: 1, text: 1, search: 1 }).sort({ _id: 1 }).limit(batchSize).lean();
  for (let batch = await read({}); batch.length > 0; batch = await read({ _id: { $gt: batch.at(-1)?._id } })) {
    const missing = batch.filter(({ search }) => search === undefined);
    const of = { collection: 'document_pages', onUnreadable };
    const updates = await ofReadable(of, missing, ({ _id, organization_id, text }) => ({
      updateOne: {
        filter: { _id, text },
        update: { $set: { search: indexedTerms(String(organization_id), text) } },
      },
    }));
    if (updates.length > 0) await pages.bulkWrite(updates);
  }
  const extractions = extractionModel(connection);
  const results = (last: object) =>
    extractions
      .find(last, { organization_id: 1, result: 1, search: 1, changes: 1 })
      .sort({ _id: 1 })
      .limit(batchSize)
      .lean();
  for (let batch = await results({}); batch.length > 0; batch = await results({ _id: { $gt: batch.at(-1)?._id } })) {
    const missing = batch.filter(({ search }) => search === undefined);
    const updates = await ofReadable({ collection: 'extractions', onUnreadable }, missing, async (record) => ({
      updateOne: {
        filter: { _id: record._id, changes: record.changes },
        update: { $set: await searchOfValues(record, record) },
      },
    }));
    if (updates.length > 0) await extractions.bulkWrite(updates);
  }
}
