import type { AuditEntry, AuditUndoAnswer, Document, Extraction, Prompt, Schema, Tag } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestClient } from '../../testing/test-client.ts';
import { startUndoTestBench, type UndoTestBench } from '../../testing/undo-test-bench.ts';

let bench: UndoTestBench;
beforeAll(async () => {
  bench = await startUndoTestBench();
});
afterAll(async () => bench.stop());

const entries = async (client: TestClient = bench.admin, query = '') =>
  (await client.get<{ entries: AuditEntry[] }>(`./audit?limit=100&origin=api${query}`)).body.entries;
const newest = async () => (await entries())[0]!;
const undo = (entry: AuditEntry, client: TestClient = bench.admin) =>
  client.post<AuditUndoAnswer>(`./audit/${entry.id}/undo`, {});

it('records the channel of an API write, and undoes the write', async () => {
  const tag = await bench.newTag('Before');
  const created = await newest();
  expect(created).toMatchObject({
    kind: 'executed',
    tool: 'create_tag',
    actor: bench.admin.userId,
    origin: { kind: 'api' },
    success: true,
  });
  expect(created.turn_id).toBeUndefined();
  expect(JSON.parse(created.arguments)).toMatchObject({ name: 'Before' });

  await bench.admin.request('PUT', `./tags/${tag.tag_id}`, { payload: { name: 'After' } });
  const updated = await newest();
  const early = await undo(created);
  expect([early.status, early.error?.code]).toEqual([409, 'changed_since']);
  const undone = await undo(updated);
  expect([undone.status, undone.body.undone]).toEqual([200, [{ call_id: updated.call_id, tool: 'update_tag' }]]);
  expect((await bench.admin.get<Tag>(`./tags/${tag.tag_id}`)).body.name).toBe('Before');
  expect((await undo(updated)).body).toEqual(undone.body);
  expect((await entries()).find(({ kind }) => kind === 'undone')).toMatchObject({ call_id: updated.call_id });
  expect((await undo(created)).status).toBe(200);
  expect(await bench.statusOf(`./tags/${tag.tag_id}`)).toBe(404);
});

it('undoes writes of prompts, schemas, documents and extractions', async () => {
  const schema = await bench.newSchema();
  const prompt = await bench.newPrompt({ schema_id: schema.schema_id });
  await bench.admin.request('PUT', `./prompts/${prompt.prompt_id}`, { payload: { content: 'Other?' } });
  expect((await undo(await newest())).status).toBe(200);
  expect((await bench.current<Prompt>('prompts', prompt.name))[0]).toMatchObject({ content: prompt.content });
  await bench.admin.request('DELETE', `./prompts/${prompt.prompt_id}`);
  const deleted = await newest();
  await bench.admin.request('DELETE', `./schemas/${schema.schema_id}`);
  const blocked = await undo(deleted);
  expect([blocked.status, blocked.error?.message]).toEqual([409, expect.stringContaining('has been deleted')]);
  expect((await undo(await newest())).status).toBe(200);
  expect((await undo(deleted)).status).toBe(200);
  expect(await bench.current<Schema>('schemas', schema.name)).toEqual([schema]);

  const { id } = await bench.readDocument();
  const named = await bench.admin.patch<Document>(`./documents/${id}`, { document_name: 'other.txt' });
  expect(named.body.document_name).toBe('other.txt');
  expect(await newest()).toMatchObject({ tool: 'update_document', document_id: id });
  expect((await undo(await newest())).status).toBe(200);
  expect((await bench.admin.get<Document>(`./documents/${id}`)).body.document_name).not.toBe('other.txt');

  const { prompt_revid } = await bench.newPrompt();
  const url = `./documents/${id}/extractions/${prompt_revid}`;
  const read = async () => (await bench.admin.get<Extraction>(url)).body;
  bench.script({ text: '{"total":"1"}' });
  await bench.admin.post(`./documents/${id}/extractions`, { prompt_revid });
  const ran = await newest();
  await bench.admin.patch(url, { path: 'total', value: '2', base_version: 1 });
  const edited = await newest();
  await bench.admin.request('PUT', `${url}/verification`, { payload: { is_verified: true } });
  const verified = await newest();
  expect([ran.tool, edited.tool, verified.tool]).toEqual([
    'run_extraction',
    'update_extraction_field',
    'verify_extraction',
  ]);
  expect((await undo(edited)).status).toBe(409);
  await undo(verified);
  expect(await read()).toMatchObject({ result: { total: '2' }, is_verified: false, is_edited: true });
  await undo(edited);
  expect(await read()).toMatchObject({ result: { total: '1' }, is_edited: false });
  await undo(ran);
  expect(await bench.statusOf(url)).toBe(404);
  expect((await bench.admin.get<{ versions: unknown[] }>(`${url}/versions`)).body.versions).not.toHaveLength(0);
});

it('is for authors and admins, and for writes outside of a conversation', async () => {
  const member = await bench.addUser('member');
  await member.post('./tags', { name: 'Of a member' });
  const [entry] = await entries(bench.admin, `&actor=${member.userId}`);
  const other = await bench.addUser('member');
  const viewer = await bench.addUser('viewer');
  const stranger = await bench.addOrganization();
  expect((await undo(entry!, other)).error?.code).toBe('audit_entry_not_found');
  expect((await undo(entry!, viewer)).status).toBe(403);
  expect((await undo(entry!, stranger)).status).toBe(404);
  expect((await undo(entry!, bench.admin)).status).toBe(200);

  const { chat } = await bench.readDocument();
  const turn = await bench.turnOf(chat, { calls: [{ name: 'create_tag', args: { name: 'Of a chat' } }] });
  const { body } = await bench.admin.get<{ entries: AuditEntry[] }>(`./audit?turn_id=${turn.turn_id}`);
  expect(body.entries[0]).toMatchObject({ kind: 'executed', origin: { kind: 'chat', id: turn.thread_id } });
  expect((await undo(body.entries[0]!)).error?.code).toBe('not_undoable');
});

it('records uploads, and undoes one by moving the document to the trash', async () => {
  const client = await bench.addOrganization();
  const content = Buffer.from('Total: 5').toString('base64');
  const documents = ['a.txt', 'b.txt'].map((name) => ({ name, content }));
  await client.post('./documents', { documents });
  const audit = async () => (await client.get<{ entries: AuditEntry[] }>('./audit?limit=100')).body.entries;
  const uploads = await audit();
  expect(uploads).toHaveLength(2);
  for (const entry of uploads) {
    expect(entry).toMatchObject({ tool: 'upload_document', kind: 'executed', actor: client.userId });
    expect(entry.origin).toEqual({ kind: 'api' });
  }
  const [{ id, document_id }] = uploads as [AuditEntry];
  for (const _ of [1, 2]) expect((await client.post(`./audit/${id}/undo`, {})).status).toBe(200);
  expect((await client.get(`./documents/${document_id}`)).status).toBe(404);
  const trash = (await client.get<{ documents: { id: string }[] }>('./documents/trash')).body.documents;
  expect(trash.map((document) => document.id)).toEqual([document_id]);
  expect((await audit()).filter(({ kind }) => kind === 'undone')).toHaveLength(1);

  // The user restores it and undoes the upload once more.
  expect((await client.post(`./documents/${document_id}/restore`, {})).status).toBe(200);
  expect((await client.get(`./documents/${document_id}`)).status).toBe(200);
  expect((await client.post(`./audit/${id}/undo`, {})).status).toBe(200);
  expect((await client.get(`./documents/${document_id}`)).status).toBe(404);
});

const mail = `From: a@example.org
Subject: The invoice
Content-Type: multipart/mixed; boundary=of-parts

--of-parts
Content-Type: text/plain

See the file
--of-parts
Content-Type: text/plain; name="total.txt"
Content-Disposition: attachment; filename="total.txt"

Total 1
--of-parts--
`;

it('removes an uploaded mail whose attachment has a verified result only if the request includes it', async () => {
  const content = Buffer.from(mail).toString('base64');
  const uploaded = await bench.admin.post<{ documents: [Document] }>('./documents', {
    documents: [{ name: 'the.eml', content }],
  });
  const { id } = uploaded.body.documents[0];
  // A slow machine reads the mail in the long lane, which comes after the quick one of its attachments.
  for (const _ of [1, 2]) await bench.services.documents.textReading.readAll(new AbortController().signal);
  const inside = await bench.admin.get<{ documents: Document[] }>(`./documents?attached_to=${id}`);
  expect(inside.body.documents).toHaveLength(1);
  await requireQuestion(id, inside.body.documents[0]!.id);
});

it('removes an uploaded document with a verified result only if the request includes it', async () => {
  const { id } = await bench.readDocument();
  await requireQuestion(id, id);
});

/** The undo of the upload names the document with a verified result; once it includes it, it removes both. */
async function requireQuestion(uploadedId: string, id: string): Promise<void> {
  const ofUpload = ({ tool, document_id }: AuditEntry) => tool === 'upload_document' && document_id === uploadedId;
  const upload = (await entries()).find(ofUpload)!;
  const prompt = await bench.newPrompt();
  bench.script({ text: '{"total":"1"}' });
  const extracted = await bench.admin.post<Extraction>(`./documents/${id}/extractions`, {
    prompt_revid: prompt.prompt_revid,
  });
  expect(extracted.status, extracted.text).toBe(201);
  await bench.admin.put(`./documents/${id}/extractions/${prompt.prompt_revid}/verification`, { is_verified: true });
  const refused = await undo(upload);
  expect(refused).toMatchObject({ status: 409, error: { code: 'documents_verified' } });
  expect(refused.error?.details).toMatchObject({ documents: [{ document_id: id }], count: 1 });
  expect(await bench.statusOf(`./documents/${id}`)).toBe(200);
  expect((await bench.admin.post(`./audit/${upload.id}/undo`, { including_verified: true })).status).toBe(200);
  expect(await bench.statusOf(`./documents/${id}`)).toBe(404);
}
