import type { Connection } from 'mongoose';
import { documentModel, nameKeyOf } from '../../features/documents/records/document-model.ts';
import { pageModel } from '../../features/documents/records/page-model.ts';
import { extractionModel } from '../../features/extractions/records/extraction-model.ts';
import { searchOfValues } from '../../features/extractions/records/result-writer-repository.ts';
import { indexedTerms } from '../../platform/database/content-search.ts';

const batchSize = 200;

/** Folds the keys of names, and adds the words of pages and values that searches read. */
export async function indexContent(connection: Connection): Promise<void> {
  const documents = documentModel(connection);
  const named = (last: object) =>
    documents.find(last, { document_name: 1, name_key: 1 }).sort({ _id: 1 }).limit(batchSize).lean();
  for (let batch = await named({}); batch.length > 0; batch = await named({ _id: { $gt: batch.at(-1)?._id } })) {
    const changed = batch.filter(({ document_name, name_key }) => name_key !== nameKeyOf(document_name));
    if (changed.length === 0) continue;
    await documents.bulkWrite(
      changed.map(({ _id, document_name }) => ({
        updateOne: { filter: { _id, document_name }, update: { $set: { name_key: nameKeyOf(document_name) } } },
      })),
    );
  }
  const pages = pageModel(connection);
  const read = (last: object) =>
    pages.find(last, { organization_id: 1, text: 1, search: 1 }).sort({ _id: 1 }).limit(batchSize).lean();
  for (let batch = await read({}); batch.length > 0; batch = await read({ _id: { $gt: batch.at(-1)?._id } })) {
    const missing = batch.filter(({ search }) => search === undefined);
    if (missing.length === 0) continue;
    await pages.bulkWrite(
      missing.map(({ _id, organization_id, text }) => ({
        updateOne: {
          filter: { _id, text },
          update: { $set: { search: indexedTerms(String(organization_id), text) } },
        },
      })),
    );
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
    if (missing.length === 0) continue;
    const searches = await Promise.all(missing.map(async (record) => await searchOfValues(record, record)));
    await extractions.bulkWrite(
      missing.map((record, at) => ({
        updateOne: {
          filter: { _id: record._id, changes: record.changes },
          update: { $set: searches[at]! },
        },
      })),
    );
  }
}
