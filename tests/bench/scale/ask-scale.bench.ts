import mongoose from 'mongoose';
import { createAskRepositories } from '../../../apps/api/src/features/ask/ask-repository.ts';
import { createAskResults } from '../../../apps/api/src/features/ask/ask-results.ts';
import { documentModel, pageModel } from '../../../apps/api/src/features/documents/index.ts';
import { extractionModel } from '../../../apps/api/src/features/extractions/index.ts';
import { createIndexUpdates } from '../../../apps/api/src/features/results/index-updates.ts';
import { resultIndexModel, resultStampModel } from '../../../apps/api/src/features/results/result-index-model.ts';
import { createResultIndex } from '../../../apps/api/src/features/results/result-index-repository.ts';
import { indexedTerms } from '../../../apps/api/src/platform/database/content-search.ts';
import { runQuery } from '../../../packages/agent-core/src/ask/run-query.ts';
import { firstUpload, invoiceRecord, medianOf, startDatabase, timesOf } from './at-scale.ts';
import { isShort, size } from '../short/size.ts';

/**
 * A question over all 100,000 documents of an organization with a result each, on the embedded database: the time until its
 * documents, fields and results are there, for the first question and for the next, and the times of a query (limit: 300 ms)
 * and of a search. The model's own time is not part of it.
 */
const count = Number(process.env['DOCUMENTS'] ?? size(100_000, 300));
const rounds = size(7, 1);
const id = () => new mongoose.Types.ObjectId();
const [organization_id, prompt] = [id(), id()];
const promptId = prompt.toHexString();
const subjects = ['deposit', 'insurance', 'parking', 'warranty', 'storage', 'training', 'delivery', 'cleaning'];
const { connection, stop } = await startDatabase('ask', (database) => {
  for (const model of [documentModel, pageModel, extractionModel, resultIndexModel]) model(database);
});
const median = (run: () => Promise<unknown>) => medianOf(run, rounds);

try {
  await seed();
  const index = createResultIndex(connection);
  const askResults = createAskResults(index, createIndexUpdates(index, console));
  const repositoryOf = createAskRepositories(connection, askResults);
  const open = async () => {
    const repository = await repositoryOf(organization_id.toHexString(), {});
    await repository.size();
    return { repository, promptIds: await repository.promptIds(), results: await repository.results(promptId) };
  };
  const [first] = await timesOf(open, 1);
  const { repository, promptIds, results } = await open();
  if (promptIds[0] !== promptId || results.length !== count) throw new Error('A result is missing.');
  const aggregate = [{ op: 'sum', path: 'total' }] as const;
  const query = { prompt_id: promptId, where: 'total>=10', columns: [], group_by: ['supplier'], aggregate, limit: 50 };
  const queried = await median(async () => runQuery(results, query));
  console.table({
    documents: count,
    'first question, ms': first,
    'next question, ms': await median(open),
    'query by supplier, ms': queried,
    'search of words, ms': await median(() => repository.search('deposit of the tenant 77', 8, [])),
  });
  if (!isShort && queried > 300) process.exitCode = 1;
} finally {
  await stop();
}

async function seed(): Promise<void> {
  await resultStampModel(connection).create({ _id: `${organization_id.toHexString()}/${promptId}`, stamp: 1 });
  for (let from = 0; from < count; from += 5_000) {
    const indexes = Array.from({ length: Math.min(5_000, count - from) }, (_, offset) => from + offset);
    const documents = indexes.map((index) => invoiceRecord(organization_id, index));
    await documentModel(connection).collection.insertMany(documents);
    await pageModel(connection).collection.insertMany(documents.map(pageOf));
    const results = documents.map(({ _id, document_name }, offset) => ({
      _id: id(),
      organization_id,
      prompt_id: promptId,
      prompt_revid: id(),
      document_id: _id,
      document_name,
      version: 1,
      result: JSON.stringify({ supplier: `Supplier ${(from + offset) % 200}`, total: from + offset, currency: 'EUR' }),
      is_verified: false,
      is_complete: true,
      changed_at: new Date(firstUpload),
    }));
    await resultIndexModel(connection).collection.insertMany(
      results.map((result) => ({ ...result, release: 'open', exact: '{}', writes: 1, indexed_at: new Date() })),
    );
    await extractionModel(connection).collection.insertMany(
      results.map(({ document_name: _name, ...result }) => ({
        ...result,
        original_result: result.result,
        grounding: '{}',
        validation_errors: [],
        created_at: result.changed_at,
      })) as never[],
    );
  }
}

function pageOf({ _id }: { _id: mongoose.Types.ObjectId }, index: number) {
  const text = `The ${subjects[index % subjects.length]!} of tenant ${index} is settled once a year.`;
  return {
    organization_id,
    document_id: _id,
    page_num: 1,
    width: 600,
    height: 800,
    text,
    words: '[]',
    search: indexedTerms(organization_id.toHexString(), text),
    hidden_text: 0,
    needs_ocr: false,
  };
}
