import mongoose from 'mongoose';
import { createDocumentRepositories } from '../../../apps/api/src/features/documents/records/document-repository.ts';
import { documentModel } from '../../../apps/api/src/features/documents/records/document-model.ts';
import { createDrawnDocuments } from '../../../apps/api/src/features/release/drawn-document-repository.ts';
import { createPolicyRepositories } from '../../../apps/api/src/features/release/policies/policy-repository.ts';
import { evidenceModel, policyModel } from '../../../apps/api/src/features/release/policies/policy-model.ts';
import { revisionModels } from '../../../apps/api/src/features/revisions/index.ts';
import { firstUpload, invoiceRecord, medianOf, startDatabase } from './at-scale.ts';
import { randomFrom } from '../review/random.ts';
import { isShort, size } from '../short/size.ts';

/**
 * Releases in an organization with 100,000 documents and a policy that has audited 2,000 of them, on the embedded database: a
 * page of the list by the state of release (limit: a median of 50 ms), the choice of the threshold again (2 s), and the drawn
 * documents that Review puts first.
 */
const count = Number(process.env['DOCUMENTS'] ?? size(100_000, 300));
const audited = size(2_000, 50);
const rounds = size(20, 1);
const id = () => new mongoose.Types.ObjectId();
const [organization_id, prompt, revision] = [id(), id(), id()];
const random = randomFrom(1);
const { connection, stop } = await startDatabase('release', (database) => {
  for (const model of [documentModel, evidenceModel, policyModel]) model(database);
  revisionModels(database, 'prompt');
});
const median = (run: () => Promise<unknown>) => medianOf(run, rounds);

try {
  await seed();
  const documents = createDocumentRepositories(connection)(organization_id.toHexString());
  const policies = createPolicyRepositories(connection)(organization_id.toHexString());
  const drawn = createDrawnDocuments(connection);
  await policies.current(prompt.toHexString());
  const page = { skip: 0, limit: 25 };
  const listed = { released: 0, withdrawn: 0, open: 0 };
  for (const release of ['released', 'withdrawn', 'open'] as const) {
    listed[release] = await median(() => documents.list({ ...page, release }));
  }
  const refit = await median(() => policies.refit(prompt.toHexString()));
  console.table({
    documents: count,
    audited,
    'released documents, ms': listed.released,
    'withdrawn documents, ms': listed.withdrawn,
    'open documents, ms': listed.open,
    'threshold chosen again, ms': refit,
    'drawn documents for Review, ms': await median(() => drawn(organization_id.toHexString())),
  });
  if (!isShort && (Math.max(...Object.values(listed)) > 50 || refit > 2_000)) process.exitCode = 1;
} finally {
  await stop();
}

async function seed(): Promise<void> {
  const { artifacts } = revisionModels(connection, 'prompt');
  const policy = { max_wrong: 0.005, confidence: 0.95, unit: 'document', sample: 0.02 };
  const release_policy = { policy, changed_by: id().toHexString(), changed_at: new Date(firstUpload).toISOString() };
  await artifacts.collection.insertOne({ _id: prompt, organization_id, settings: { release_policy } });
  const stateOf = (index: number) => (index % 50 === 0 ? 'withdrawn' : index % 3 === 0 ? 'open' : 'released');
  for (let from = 0; from < count; from += 10_000) {
    const indexes = Array.from({ length: Math.min(10_000, count - from) }, (_, offset) => from + offset);
    const records = indexes.map((index) => ({
      ...invoiceRecord(organization_id, index),
      releases: [
        { prompt_id: prompt.toHexString(), prompt_revid: revision.toHexString(), version: 1, state: stateOf(index) },
      ],
    }));
    await documentModel(connection).collection.insertMany(records);
    await evidenceModel(connection).collection.insertMany(
      records.map(({ _id, upload_date }, offset) => {
        const isAudited = (from + offset) % Math.round(count / audited) === 0;
        return {
          organization_id,
          prompt_id: prompt.toHexString(),
          document_id: _id,
          prompt_revid: revision.toHexString(),
          version: 1,
          risk: random() ** 3 / 5,
          values: 12,
          is_blocked: false,
          is_drawn: isAudited || (from + offset) % 500 === 1,
          at: upload_date,
          ...(isAudited && {
            audited_at: upload_date,
            audited_day: '2026-01-01',
            wrong_values: random() < 0.002 ? 1 : 0,
          }),
        };
      }) as never[],
    );
  }
}
