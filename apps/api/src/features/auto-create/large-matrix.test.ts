import type { KindDecision, Proposal } from '@docwright/contract';
import { Types } from 'mongoose';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startJobs } from '../../process/start-jobs.ts';
import { documentsOfKinds } from '../../testing/documents-of-kinds.ts';
import { kindModel } from '../../testing/kind-model.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { uploadAll } from '../../testing/uploads/upload-all.ts';
import { documentModel } from '../documents/records/document-model.ts';
import { extractionModel } from '../extractions/records/extraction-model.ts';
import { storedJson } from '../extractions/records/compressed-json.ts';

/** The large form is `MATRIX_DOCUMENTS=200`, which prints how long the matrix takes. */
const count = Number(process.env['MATRIX_DOCUMENTS'] ?? 40);
const kind = 'Invoice';

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp({ llm: kindModel(() => kind) });
  await startJobs(app.services);
});
afterEach(async () => app.stop());

const rows = Array.from({ length: 3_000 }, (_, at) => ({ description: `Row ${at}` }));

/** Creates a proposal with many documents, each with its own result and run: copies of the first one. */
async function createProposal(): Promise<Proposal> {
  const [first] = await uploadAll(app.admin, [documentsOfKinds(6).find(({ issuer }) => issuer === 'Contoso')!]);
  const [documents, extractions] = [documentModel(app.connection), extractionModel(app.connection)];
  const _id = new Types.ObjectId(first!.id);
  const document = (await documents.collection.findOne({ _id }))!;
  const extraction = (await extractions.collection.findOne({ document_id: _id }))!;
  const ids = Array.from({ length: count - 1 }, () => new Types.ObjectId());
  await documents.collection.insertMany(
    ids.map((id, at) => ({
      ...document,
      _id: id,
      document_name: `Invoice ${at}`,
      name_key: `invoice ${at}`,
      auto_create: { ...(document['auto_create'] as object), run_id: new Types.ObjectId().toHexString() },
    })) as never,
  );
  await extractions.collection.insertMany(
    ids.map((id) => ({ ...extraction, _id: new Types.ObjectId(), document_id: id })) as never,
  );
  const { proposals } = (await app.admin.get<{ proposals: Proposal[] }>('./proposals')).body;
  expect(proposals).toMatchObject([{ document_count: count }]);
  return proposals[0]!;
}

it(
  `reads the matrix of ${count} documents at once, and accepts them by one decision`,
  { timeout: 120_000 },
  async () => {
    const { id } = await createProposal();
    const times: number[] = [];
    for (let time = 0; time < 7; time += 1) {
      const from = performance.now();
      const { body } = await app.admin.get<Proposal>(`./proposals/${id}`);
      times.push(performance.now() - from);
      expect(body.documents).toHaveLength(count);
      for (const document of body.documents) expect(document.values).toEqual(body.documents[0]!.values);
      expect(body.fields.every(({ found_in }) => found_in === count)).toBe(true);
    }
    if (process.env['MATRIX_DOCUMENTS'] !== undefined) {
      process.stdout.write(`${Math.round(times.toSorted((a, b) => a - b)[3]!)} ms (median of 7)\n`);
    }
    const decided = await app.admin.post<KindDecision>(`./proposals/${id}/accept`, {});
    expect([decided.body.document_ids.length, decided.body.left]).toEqual([count, 0]);
  },
);

it('lists the fields whose values should be checked', async () => {
  const { id, documents } = await createProposal();
  const document_id = new Types.ObjectId(documents[1]!.document_id);
  const extractions = extractionModel(app.connection);
  const facts = JSON.parse((await extractions.findOne({ document_id }).lean())!.review_facts!);
  facts.signals.invoice_number = { match: 'none' };
  // A large result is stored compressed.
  const result = await storedJson({ ...JSON.parse((await extractions.findOne({ document_id }).lean())!.result), rows });
  await extractions.updateOne({ document_id }, { $set: { result, review_facts: await storedJson(facts) } });
  const { status, body } = await app.admin.get<Proposal>(`./proposals/${id}`);
  expect(status).toBe(200);
  expect(body.documents.map(({ paths_to_check }) => paths_to_check)).toEqual(
    documents.map((_document, at) => (at === 1 ? ['invoice_number'] : [])),
  );
});

it(`rejects ${count} documents with far fewer queries than one for each step of each document`, async () => {
  const { id } = await createProposal();
  let commands = 0;
  app.connection.getClient().on('commandStarted', () => (commands += 1));
  const decided = await app.admin.post<KindDecision>(`./proposals/${id}/reject`, {});
  expect([decided.body.document_ids.length, decided.body.left]).toEqual([count, 0]);
  expect(commands).toBeLessThan(count * 5);
  expect(await extractionModel(app.connection).countDocuments({})).toBe(0);
  expect(await documentModel(app.connection).countDocuments({ state: 'llm_completed' })).toBe(0);
  const { schemas } = (await app.admin.get<{ schemas: unknown[] }>('./schemas?review=pending')).body;
  expect(schemas).toEqual([]);
});
