import type { Document, Prompt, Proposal, Schema } from '@docwright/contract';
import { Types } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { documentModel } from '../../features/documents/records/document-model.ts';
import { revisionModels } from '../../features/revisions/revision-model.ts';
import { documentsOfKinds } from '../../testing/documents-of-kinds.ts';
import { kindModel } from '../../testing/kind-model.ts';
import { objectSchema } from '../../testing/pending-records.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { uploadAll } from '../../testing/uploads/upload-all.ts';
import { startJobs } from '../start-jobs.ts';
import { groupOlderProposals } from './proposals-by-kind.ts';

const kind = 'Invoice';
const invoices = documentsOfKinds(18).filter(({ issuer }) => issuer === 'Contoso');

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ llm: kindModel(() => kind) });
  await startJobs(app.services);
});
afterAll(async () => app.stop());

it('groups proposals from before kinds, learns their words, and releases the schemas of accepted ones', async () => {
  const { admin, connection } = app;
  const [first] = await uploadAll(admin, invoices.slice(0, 1));
  const { prompt_revid } = first!.auto_create!;
  // Stored as before kinds existed.
  const documents = documentModel(connection);
  await documents.updateMany({}, { $unset: { 'auto_create.prompt_id': 1 } });
  await connection.collection('document_kinds').deleteMany({});
  // The schema of an accepted proposal stayed pending then.
  const response_format = objectSchema({ weight: { type: 'string' } });
  const accepted = (await admin.post<Schema>('./schemas', { name: 'Accepted', response_format })).body;
  await admin.post<Prompt>('./prompts', { name: 'Accepted', content: 'Take it.', schema_id: accepted.schema_id });
  const schemas = revisionModels(connection, 'schema').artifacts;
  await schemas.updateOne({ _id: new Types.ObjectId(accepted.schema_id) }, { $set: { review: 'pending' } });
  const list = async () => (await admin.get<{ proposals: Proposal[] }>('./proposals')).body.proposals;
  expect(await list()).toEqual([]);

  await groupOlderProposals(connection);
  await groupOlderProposals(connection);
  expect(await list()).toMatchObject([{ prompt_revid, document_count: 1 }]);
  const names = (await admin.get<{ schemas: Schema[] }>('./schemas')).body.schemas.map(({ name }) => name);
  expect(names).toEqual(['Accepted']);
  // The next document of the kind is recognised by it.
  const [next] = await uploadAll(admin, invoices.slice(1, 2));
  expect(next!.auto_create).toMatchObject({ status: 'proposed', reuses: { prompt_revid } });
  const { body } = await admin.get<Document>(`./documents/${first!.id}`);
  expect(body.auto_create).toMatchObject({ proposal_id: (await list())[0]!.id });
});
