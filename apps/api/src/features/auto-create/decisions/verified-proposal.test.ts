import type { Document, Extraction, Proposal } from '@docwright/contract';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startJobs } from '../../../process/start-jobs.ts';
import { documentsOfKinds } from '../../../testing/documents-of-kinds.ts';
import { kindModel } from '../../../testing/kind-model.ts';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';
import { uploadAll } from '../../../testing/uploads/upload-all.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ llm: kindModel(() => 'Invoice') });
  await startJobs(app.services);
});
afterAll(async () => app.stop());

it('is rejected, or asked for again, only if the request includes verified results', async () => {
  const { admin: client } = app;
  const invoices = documentsOfKinds(36).filter(({ issuer }) => issuer === 'Contoso');
  const [document] = (await uploadAll(client, invoices.slice(0, 1))) as [Document];
  const { id, document_name } = document;
  const url = `./documents/${id}/extractions/${document.auto_create!.prompt_revid}`;
  await client.put(`${url}/verification`, { is_verified: true });
  const [proposal] = (await client.get<{ proposals: [Proposal] }>('./proposals')).body.proposals;

  const lost = { documents: [{ document_id: id, document_name }], count: 1 };
  for (const path of [
    `./documents/${id}/auto_create`,
    `./documents/${id}/auto_create/reject`,
    `./proposals/${proposal.id}/reject`,
  ]) {
    const refused = await client.post(path, {});
    expect(refused, path).toMatchObject({ status: 409, error: { code: 'proposal_verified', details: lost } });
  }
  expect((await client.get<Extraction>(url)).body.is_verified).toBe(true);
  expect((await client.get<Document>(`./documents/${id}`)).body.auto_create?.status).toBe('proposed');

  const rejected = await client.post<Document>(`./documents/${id}/auto_create/reject`, { including_verified: true });
  expect(rejected.body.auto_create?.status).toBe('rejected');
  expect((await client.get(url)).status).toBe(404);
});

/** Verifies the result of a document between the decision about its kind and the removal of results. */
function verifyDuringRejection(url: string) {
  const { collection } = app.connection.model('RejectedRecord');
  const note = collection.bulkWrite.bind(collection);
  return vi.spyOn(collection, 'bulkWrite').mockImplementationOnce(async (notes) => {
    const noted = await note(notes);
    await app.admin.put(`${url}/verification`, { is_verified: true });
    return noted;
  });
}

it('keeps a result, and the proposal, that another user verifies while its kind is rejected', async () => {
  const { admin: client } = app;
  const invoices = documentsOfKinds(36).filter(({ issuer }) => issuer === 'Contoso');
  const documents = (await uploadAll(client, invoices.slice(1, 4))) as [Document, Document, Document];
  const [{ id, auto_create }] = documents;
  const url = `./documents/${id}/extractions/${auto_create!.prompt_revid}`;
  const [proposal] = (await client.get<{ proposals: [Proposal] }>('./proposals')).body.proposals;

  verifyDuringRejection(url);
  const rejected = await client.post<{ document_ids: string[]; left: number }>(`./proposals/${proposal.id}/reject`, {});
  expect(rejected.body.document_ids.toSorted()).toEqual(
    documents
      .slice(1)
      .map((other) => other.id)
      .toSorted(),
  );
  expect(rejected.body.left).toBe(1);
  expect((await client.get<Extraction>(url)).body.is_verified).toBe(true);
  expect((await client.get<Document>(`./documents/${id}`)).body.auto_create?.status).toBe('proposed');
  expect((await client.get(`./prompts/${auto_create!.prompt_revid}`)).status).toBe(200);

  await client.put(`${url}/verification`, { is_verified: false });
  verifyDuringRejection(url);
  const refused = await client.post(`./documents/${id}/auto_create/reject`, {});
  expect(refused).toMatchObject({ status: 409, error: { code: 'proposal_verified', details: { count: 1 } } });
  expect((await client.get<Extraction>(url)).body.is_verified).toBe(true);
});
