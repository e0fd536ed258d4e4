import type { AuditEntry, Document, Extraction, KindDecision, Prompt, Proposal, Tag } from '@docwright/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startJobs } from '../../../process/start-jobs.ts';
import { documentsOfKinds } from '../../../testing/documents-of-kinds.ts';
import { kindModel } from '../../../testing/kind-model.ts';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';
import type { TestClient } from '../../../testing/test-client.ts';
import { uploadAll } from '../../../testing/uploads/upload-all.ts';

const name = 'Invoice';
const invoices = documentsOfKinds(60).filter(({ issuer }) => issuer === 'Contoso');

let app: TestApp;
let client: TestClient;
let documents: Document[];
beforeAll(async () => {
  app = await startTestApp({ llm: kindModel(() => name) });
  await startJobs(app.services);
});
afterAll(async () => app.stop());
beforeEach(async () => {
  client = await app.addOrganization();
  documents = await uploadAll(client, invoices.slice(0, 2));
});

const proposals = async () => (await client.get<{ proposals: Proposal[] }>('./proposals')).body.proposals;
/** The proposal without the risks, which the review queue calculates a little later. */
const readProposal = async () => {
  const { body } = await client.get<Proposal>(`./proposals/${(await proposals())[0]!.id}`);
  return { ...body, documents: body.documents.map(({ risk: _risk, to_check: _toCheck, ...document }) => document) };
};
const reject = async (id: string, body = {}) =>
  (await client.post<KindDecision>(`./proposals/${id}/reject`, body)).body;
const undo = (entryId: string | undefined, who = client) => who.post(`./audit/${entryId}/undo`);
const read = async (id: string) => (await client.get<Document>(`./documents/${id}`)).body;
const resultsOf = async (id: string) =>
  (await client.get<{ extractions: Extraction[] }>(`./documents/${id}/extractions`)).body.extractions;
const count = async (what: string) => (await client.get<{ total_count: number }>(`./${what}`)).body.total_count;
const pending = async () => [await count('schemas?review=pending'), await count('prompts?review=pending')];
const decisions = async () => {
  const { body } = await client.get<{ entries: AuditEntry[] }>('./audit?limit=100&tool=reject_proposal');
  return body.entries.filter(({ kind }) => kind === 'decided');
};

describe('an undone rejection of a kind', { timeout: 120_000 }, () => {
  it('makes its documents pending with all refinements and corrections, and can be decided again', async () => {
    const [{ id: document }] = documents as [Document, Document];
    const { id } = (await proposals())[0]!;
    await client.put(`./prompts/${id}`, { content: 'Take the values, with cents.' });
    const [{ prompt_revid }] = (await resultsOf(document)) as [Extraction];
    await client.patch(`./documents/${document}/extractions/${prompt_revid}`, {
      path: '/invoice_number',
      value: 'X-1',
    });
    const before = [await readProposal(), await resultsOf(document)];
    const { entry_id } = await reject(id);
    expect([await proposals(), await pending(), await resultsOf(document)]).toEqual([[], [0, 0], []]);
    expect(await read(document)).toMatchObject({ state: 'ocr_completed', auto_create: { status: 'rejected' } });
    // Concurrent requests to undo it all succeed.
    const answers = await Promise.all([undo(entry_id), undo(entry_id), undo(entry_id)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect([await readProposal(), await resultsOf(document)]).toEqual(before);
    expect(await read(document)).toMatchObject({ state: 'llm_completed', auto_create: { status: 'proposed' } });
    expect(await pending()).toEqual([1, 1]);
    await expect.poll(async () => (await proposals())[0]!.documents[0]?.risk, { timeout: 20_000 }).toBeDefined();

    const second = await reject(id);
    expect([second.document_ids.length, await pending(), await count('prompts')]).toEqual([2, [0, 0], 0]);
    expect((await undo(entry_id)).error?.code).toBe('changed_since');
    expect((await undo(second.entry_id)).status).toBe(200);
    expect([await readProposal(), await resultsOf(document)]).toEqual(before);
    // The kind is recognized again.
    const [next] = await uploadAll(client, invoices.slice(2, 3));
    expect(next!.auto_create).toMatchObject({ reuses: { accepted: false } });
    expect((await client.post<KindDecision>(`./proposals/${id}/accept`, {})).body.document_ids).toHaveLength(3);
    expect([await count('schemas'), await count('prompts'), await pending()]).toEqual([1, 1, [0, 0]]);
  });

  it('gets another name if its own is taken, and does not affect later decisions', async () => {
    const { id } = (await proposals())[0]!;
    const { entry_id, document_ids } = await reject(id);
    await client.post('./prompts', { name, content: 'Mine' });
    await client.post(`./documents/${document_ids[0]}/auto_create`);
    await expect
      .poll(async () => (await read(document_ids[0]!)).auto_create?.status, { timeout: 20_000 })
      .not.toBe('running');
    const other = await app.addUser('member', client.organizationId);
    const viewer = await app.addUser('viewer', client.organizationId);
    const stranger = await app.addOrganization();
    expect((await undo(entry_id, viewer)).status).toBe(403);
    expect((await undo(entry_id, other)).status).toBe(404);
    expect((await undo(entry_id, stranger)).status).toBe(404);
    expect((await undo(entry_id)).status).toBe(200);
    // The other document has a new proposal, with the prompt of that name.
    const restored = (await proposals()).find((proposal) => proposal.id === id)!;
    expect(restored).toMatchObject({ name: `${name} 2`, accepted: false, document_count: 1 });
    expect(restored.documents[0]!.document_id).toBe(document_ids[1]);
    // After another rejection nothing can be undone by the first entry.
    await client.post(`./proposals/${id}/reject`, {});
    expect((await undo(entry_id)).error?.code).toBe('changed_since');
  });
});

describe('an undone rejection of a document', { timeout: 120_000 }, () => {
  it('restores one of the documents of a decision by its own entry', async () => {
    const { id } = (await proposals())[0]!;
    await reject(id);
    for (const [at, entry] of (await decisions()).entries()) {
      expect((await undo(entry.id)).status).toBe(200);
      expect(await readProposal()).toMatchObject({ id, document_count: at + 1 });
      expect((await readProposal()).documents.every(({ found, of }) => found === of)).toBe(true);
    }
  });

  it('makes it pending again with its tag beside the other documents, even with an accepted prompt', async () => {
    const { id } = (await proposals())[0]!;
    const [first, second] = documents as [Document, Document];
    await client.post(`./documents/${first.id}/auto_create/reject`);
    expect((await undo((await decisions())[0]!.id)).status).toBe(200);
    expect(await readProposal()).toMatchObject({
      id,
      document_count: 2,
      documents: [{ found: expect.any(Number) }, {}],
    });
    expect((await readProposal()).documents.every(({ found, of }) => found === of)).toBe(true);

    // It can be decided again, and the audit log has both decisions.
    await client.post(`./documents/${first.id}/auto_create/reject`);
    expect(await decisions()).toHaveLength(2);
    const { tag_id } = (await client.post<KindDecision>(`./proposals/${id}/accept`, { new_tag: { name: 'Contoso' } }))
      .body;
    expect((await read(second.id)).tag_ids).toEqual([tag_id]);
    const [third] = await uploadAll(client, invoices.slice(2, 3));
    expect(third).toMatchObject({ tag_ids: [tag_id], auto_create: { reuses: { accepted: true } } });
    await client.post(`./documents/${third!.id}/auto_create/reject`);
    expect((await read(third!.id)).tag_ids).toEqual([]);
    for (const { id: entry } of (await decisions()).slice(0, 2)) expect((await undo(entry)).status).toBe(200);
    expect(await read(third!.id)).toMatchObject({ tag_ids: [tag_id], auto_create: { status: 'proposed' } });
    expect(await read(first.id)).toMatchObject({ tag_ids: [], auto_create: { status: 'proposed' } });
    expect((await proposals())[0]).toMatchObject({ accepted: true, document_count: 2 });

    const alone = await client.post<KindDecision>(`./proposals/${id}/reject`, { document_ids: [third!.id] });
    const { prompts } = (await client.get<{ prompts: Prompt[] }>('./prompts')).body;
    await client.delete(`./prompts/${prompts[0]!.prompt_id}`);
    expect((await undo(alone.body.entry_id)).error?.code).toBe('changed_since');
    expect((await read(third!.id)).auto_create).toMatchObject({ status: 'rejected' });
    const tags = (await client.get<{ tags: Tag[] }>('./tags')).body.tags;
    expect(tags).toHaveLength(1);
  });
});
