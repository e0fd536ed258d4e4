import type {
  AuditEntry,
  AuditUndoAnswer,
  Document,
  Extraction,
  KindDecision,
  Proposal,
  Tag,
} from '@docwright/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startJobs } from '../../process/start-jobs.ts';
import { documentsOfKinds, type DocumentOfKind } from '../../testing/documents-of-kinds.ts';
import { kindModel } from '../../testing/kind-model.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { uploadAll } from '../../testing/uploads/upload-all.ts';

const invoices = documentsOfKinds(36).filter(({ issuer }) => issuer === 'Contoso');
const model = kindModel(() => 'Invoice');
const isFirst = (document: Document) => document.auto_create?.reuses === undefined;

let app: TestApp;
let client: TestClient;
let documents: Document[];
beforeAll(async () => {
  app = await startTestApp({ llm: model });
  await startJobs(app.services);
});
afterAll(async () => app.stop());
beforeEach(async () => {
  client = await app.addOrganization();
  documents = await upload(...invoices.slice(0, 3));
});

const upload = (...some: DocumentOfKind[]) => uploadAll(client, some);
const read = async (id: string) => (await client.get<Document>(`./documents/${id}`)).body;
const list = async (of = client) => (await of.get<{ proposals: Proposal[]; total_count: number }>('./proposals')).body;
const only = async () => (await list()).proposals[0]!;
const decide = (id: string, what: 'accept' | 'reject', body?: object) =>
  client.post<KindDecision>(`./proposals/${id}/${what}`, body);
const count = async (what: string) => (await client.get<{ total_count: number }>(`./${what}`)).body.total_count;
/** The audit entries of decisions on single documents. */
const decisionsOf = async (tool: string) => {
  const { body } = await client.get<{ entries: AuditEntry[] }>('./audit?limit=100');
  return body.entries.filter((entry) => entry.tool === tool && entry.kind === 'decided');
};
const pending = async () => [await count('schemas?review=pending'), await count('prompts?review=pending')];

describe('proposals of one kind', () => {
  it('are one proposal: the first document creates the kind, the others wait and reuse it', async () => {
    const [first, ...others] = documents.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)));
    const { prompt_revid, schema_revid } = first!.auto_create!;
    for (const { auto_create } of others) {
      expect(auto_create).toMatchObject({
        status: 'proposed',
        reuses: { prompt_revid, schema_revid, accepted: false },
      });
    }
    expect(await pending()).toEqual([1, 1]);
    const proposal = await only();
    expect(proposal).toMatchObject({ kind: 'Invoice', name: 'Invoice', accepted: false, document_count: 3 });
    // The documents of all kinds are counted, whichever kinds the page has.
    const counts = { total_count: 1, document_count: 3, proposals: [] };
    expect((await client.get('./proposals?skip=1')).body).toMatchObject(counts);
    expect(proposal.documents.map(({ document_name }) => document_name).toSorted()).toEqual(
      invoices
        .slice(0, 3)
        .map(({ name }) => name)
        .toSorted(),
    );
    const number = proposal.fields.find(({ path }) => path === 'invoice_number');
    expect(number).toEqual({ path: 'invoice_number', title: 'Invoice number', found_in: 3 });
    const { body } = await client.get<Proposal>(`./proposals/${proposal.id}`);
    // The review queue calculates the risks a little later.
    await expect
      .poll(
        async () =>
          (await only()).documents.map(({ risk = -1, to_check = -1 }) => risk >= 0 && risk <= 1 && to_check >= 0),
        {
          timeout: 20_000,
        },
      )
      .toEqual([true, true, true]);
    const judged = (await client.get<Proposal>(`./proposals/${proposal.id}`)).body.documents;
    for (const { to_check = 0, paths_to_check = [] } of judged) expect(paths_to_check.length > 0).toBe(to_check > 0);
    expect(body.documents.map(({ values }) => values?.['invoice_number'])).toContain(
      /Invoice number: (\S+)/u.exec(invoices[0]!.text)?.[1],
    );
    expect(await count('documents?auto_create=proposed')).toBe(3);
    expect(await count('documents?auto_create=accepted')).toBe(0);
  });

  it(
    'are accepted by one decision for five documents, with a new tag that the next document gets',
    { timeout: 120_000 },
    async () => {
      documents.push(...(await upload(...invoices.slice(3, 5))));
      const { id } = await only();
      const body = { new_tag: { name: 'Contoso' } };
      const answer = await decide(id, 'accept', body);
      expect(answer).toMatchObject({ status: 200, body: { id, status: 'accepted', left: 0 } });
      expect(answer.body.document_ids).toHaveLength(5);
      const again = await decide(id, 'accept', body);
      expect(again).toMatchObject({ status: 200, body: { document_ids: [], tag_id: answer.body.tag_id } });
      const tags = (await client.get<{ tags: Tag[] }>('./tags')).body.tags;
      expect(tags).toMatchObject([{ name: 'Contoso', tag_id: answer.body.tag_id }]);
      const tag_ids = [answer.body.tag_id];
      for (const each of documents)
        expect(await read(each.id)).toMatchObject({ auto_create: { status: 'accepted' }, tag_ids });
      expect(await pending()).toEqual([0, 0]);
      expect(await list()).toMatchObject({ proposals: [], total_count: 0 });
      const { body: audit } = await client.get<{ entries: AuditEntry[] }>('./audit?limit=100');
      // One entry of the decision, and one for each of its documents.
      const accepted = audit.entries.filter(({ tool }) => tool === 'accept_proposal');
      expect(accepted.filter(({ document_id }) => document_id === undefined)).toHaveLength(1);
      expect(new Set(accepted.flatMap(({ document_id }) => document_id ?? []))).toEqual(
        new Set(answer.body.document_ids),
      );
      const [granted] = await decisionsOf('accept_proposal');
      expect(granted).toMatchObject({ decision: 'approved', actor: client.userId });
      const { turn_ids } = JSON.parse(granted!.arguments) as { turn_ids: string[] };
      const { body: ofTurn } = await client.get<{ entries: AuditEntry[] }>(`./audit?turn_id=${turn_ids[0]}&limit=100`);
      expect(ofTurn.entries.some(({ kind }) => kind === 'executed')).toBe(true);

      const [next] = await upload(invoices[5]!);
      expect(next).toMatchObject({ auto_create: { status: 'proposed', reuses: { accepted: true } }, tag_ids });
      expect(await only()).toMatchObject({ id, accepted: true, tag_ids, document_count: 1 });
      await client.post(`./documents/${next!.id}/auto_create/reject`);
      expect(await read(next!.id)).toMatchObject({ auto_create: { status: 'rejected' }, tag_ids: [] });
      expect(await count('prompts')).toBe(1);
    },
  );

  it('are pending again, with schema and prompt, once the entry of their acceptance is undone', async () => {
    const { id } = await only();
    const mine = (await client.post<Tag>('./tags', { name: 'Mine' })).body.tag_id;
    await client.patch(`./documents/${documents[0]!.id}`, { tag_ids: [mine] });
    expect((await decide(id, 'accept', { tag_id: mine })).body.left).toBe(0);
    const entries = async () => (await client.get<{ entries: AuditEntry[] }>('./audit?limit=100')).body.entries;
    const entry = (await entries()).find(({ tool, kind }) => tool === 'accept_proposal' && kind === 'executed')!;
    const undo = () => client.post<AuditUndoAnswer>(`./audit/${entry.id}/undo`);
    for (let time = 0; time < 2; time += 1) {
      expect((await undo()).body).toEqual({ undone: [{ call_id: entry.call_id, tool: 'accept_proposal' }] });
      expect(await pending()).toEqual([1, 1]);
      expect(await only()).toMatchObject({ id, accepted: false, document_count: 3, tag_ids: [] });
    }
    // The tag stays on the document that had it before.
    const tags = await Promise.all(documents.map(async (each) => (await read(each.id)).tag_ids.length));
    expect(tags.reduce((sum, count) => sum + count)).toBe(1);
    expect((await entries()).filter(({ kind }) => kind === 'undone')).toHaveLength(1);
    // A prompt that is used since stays accepted: its documents are pending again.
    await decide(id, 'accept', { document_ids: [documents[0]!.id] });
    await decide(id, 'accept', { document_ids: [documents[1]!.id] });
    const first = (await entries()).findLast(
      ({ tool, kind, id: known }) => tool === 'accept_proposal' && kind === 'executed' && known !== entry.id,
    )!;
    expect((await client.post(`./audit/${first.id}/undo`)).status).toBe(200);
    expect([await pending(), await only()]).toMatchObject([[0, 0], { accepted: true, document_count: 2 }]);
    const viewer = await app.addUser('viewer', client.organizationId);
    expect((await viewer.post(`./audit/${first.id}/undo`)).status).toBe(403);
    // A document that was accepted alone is pending again, too.
    const [{ id: alone }] = documents as [Document];
    expect((await client.post(`./documents/${alone}/auto_create/accept`, { tag_id: mine })).status).toBe(200);
    const decided = (await entries()).find(({ tool, kind, document_id }) => {
      return tool === 'accept_proposal' && kind === 'decided' && document_id === alone;
    })!;
    expect((await client.post(`./audit/${decided.id}/undo`)).status).toBe(200);
    expect(await read(alone)).toMatchObject({ auto_create: { status: 'proposed' }, tag_ids: [mine] });
  });

  it('leave a prompt in use that has results of other documents when their acceptance is undone', async () => {
    const { id } = await only();
    const { entry_id } = (await decide(id, 'accept')).body;
    const [other] = (
      await client.post<{ documents: [Document] }>('./documents', {
        documents: [
          { name: 'other.txt', content: Buffer.from('Of a colleague').toString('base64'), auto_create: false },
        ],
      })
    ).body.documents;
    await expect.poll(async () => (await read(other.id)).state, { timeout: 20_000 }).toBe('ocr_completed');
    const { prompt_revid } = (await read(documents[0]!.id)).auto_create!;
    expect((await client.post(`./documents/${other.id}/extractions`, { prompt_revid })).status).toBe(201);
    expect((await client.post(`./audit/${entry_id}/undo`)).status).toBe(200);
    expect([await pending(), await only()]).toMatchObject([[0, 0], { accepted: true, document_count: 3 }]);
  });

  it('can be accepted for some documents: the others stay pending with an accepted prompt', async () => {
    const { id } = await only();
    const some = documents.slice(0, 1).map((each) => each.id);
    expect((await decide(id, 'accept', { document_ids: some })).body).toMatchObject({ document_ids: some, left: 2 });
    expect(await only()).toMatchObject({ accepted: true, document_count: 2 });
    const left = await Promise.all(documents.slice(1).map((each) => read(each.id)));
    for (const { auto_create } of left.filter((each) => !isFirst(each))) {
      expect(auto_create).toMatchObject({ status: 'proposed', reuses: { accepted: true } });
    }
    expect((await decide(id, 'reject')).body).toMatchObject({ status: 'rejected', left: 0 });
    // The accepted schema and prompt stay.
    expect([await count('schemas'), await count('prompts')]).toEqual([1, 1]);
  });

  it('do not change a result that a user has verified since, nor its document', async () => {
    const [{ id }] = documents as [Document];
    await decide((await only()).id, 'accept');
    const { prompt_revid } = (await read(id)).auto_create!;
    const url = `./documents/${id}/extractions/${prompt_revid}`;
    await client.put(`${url}/verification`, { is_verified: true });
    const { body: before } = await client.get<Extraction>(url);
    await client.post(`./documents/${id}/auto_create`);
    await expect.poll(async () => (await read(id)).auto_create?.status, { timeout: 20_000 }).toBe('failed');
    expect(await read(id)).toMatchObject({
      state: 'llm_completed',
      auto_create: { error: { code: 'result_verified' } },
    });
    expect((await client.get<Extraction>(url)).body).toEqual(before);
    expect([await count('schemas'), await count('prompts'), await pending()]).toEqual([1, 1, [0, 0]]);
  });

  it('can be rejected document by document, and the last one takes schema and prompt with it', async () => {
    const [first, ...others] = documents.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)));
    for (const [at, { id }] of [first!, ...others].entries()) {
      const answer = await client.post<Document>(`./documents/${id}/auto_create/reject`);
      expect(answer).toMatchObject({
        status: 200,
        body: { auto_create: { status: 'rejected' }, state: 'ocr_completed' },
      });
      expect((await client.get<{ extractions: [] }>(`./documents/${id}/extractions`)).body.extractions).toEqual([]);
      expect(await pending()).toEqual(at < 2 ? [1, 1] : [0, 0]);
    }
    expect(await list()).toMatchObject({ total_count: 0 });
  });

  it('are rejected once by concurrent decisions', async () => {
    const { id } = await only();
    const answers = await Promise.all([decide(id, 'reject'), decide(id, 'reject')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers.flatMap(({ body }) => body.document_ids)).toHaveLength(3);
    const refused = await decisionsOf('reject_proposal');
    expect(refused.map(({ decision }) => decision)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(new Set(refused.map(({ document_id }) => document_id)).size).toBe(3);
    expect(await pending()).toEqual([0, 0]);
    expect(await count('prompts')).toBe(0);
  });

  it('cannot be decided by viewers or other organizations, nor with their documents or tags', async () => {
    const { id } = await only();
    const viewer = await app.addUser('viewer', client.organizationId);
    const stranger = await app.addOrganization();
    expect((await viewer.post(`./proposals/${id}/accept`)).status).toBe(403);
    expect((await list(viewer)).total_count).toBe(1);
    expect((await stranger.post(`./proposals/${id}/accept`)).status).toBe(404);
    expect((await stranger.get(`./proposals/${id}`)).status).toBe(404);
    expect((await list(stranger)).total_count).toBe(0);
    const foreign = await stranger.post<Tag>('./tags', { name: 'theirs' });
    expect((await decide(id, 'accept', { tag_id: foreign.body.tag_id })).status).toBe(400);
    expect((await decide(id, 'accept', { document_ids: ['f'.repeat(24)] })).error?.code).toBe('unknown_reference');
    const both = { tag_id: foreign.body.tag_id, new_tag: { name: 'x' } };
    expect((await decide(id, 'accept', both)).status).toBe(422);
    expect((await only()).document_count).toBe(3);
  });
});
