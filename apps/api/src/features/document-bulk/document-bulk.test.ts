import type { Document, DocumentBulk, Tag } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { objectIdOf } from '../../platform/database/object-id.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { bulkModel } from './bulk-model.ts';
import { createActiveBulkRepository } from './bulk-repository.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await startTestApp();
});
afterAll(() => harness.stop());

type List = {
  documents: (Document & { deleted_at?: string; purge_at?: string; deleted_by?: string })[];
  total_count: number;
};

async function upload(client: TestClient, names: string[]): Promise<string[]> {
  const documents = names.map((name) => ({ name, content: Buffer.from(name).toString('base64') }));
  const { body, status } = await client.post<{ documents: Document[] }>('./documents', { documents });
  expect(status).toBe(201);
  return body.documents.map(({ id }) => id);
}

const newTag = async (client: TestClient, name: string) => (await client.post<Tag>('./tags', { name })).body.tag_id;

const work = () => harness.services.bulk.work.work(new AbortController().signal);

async function bulk(client: TestClient, body: object): Promise<DocumentBulk> {
  const answer = await client.post<DocumentBulk>('./documents/bulk', body);
  expect(answer.status, answer.text).toBe(201);
  await work();
  return (await client.get<DocumentBulk>(`./documents/bulk/${answer.body.id}`)).body;
}

async function undo(client: TestClient, { id }: DocumentBulk): Promise<DocumentBulk> {
  const answer = await client.post<DocumentBulk>(`./documents/bulk/${id}/undo`);
  expect(answer.status, answer.text).toBe(202);
  await work();
  return (await client.get<DocumentBulk>(`./documents/bulk/${id}`)).body;
}

const names = async (client: TestClient, path = './documents?limit=100&sort=document_name') =>
  (await client.get<List>(path)).body.documents.map(({ document_name }) => document_name);
const tagsOf = async (client: TestClient, id: string) => (await client.get<Document>(`./documents/${id}`)).body.tag_ids;

describe('a bulk job', () => {
  it('works on all documents that match the query of the list, and on none that arrive later', async () => {
    const client = await harness.addOrganization();
    const letters = Array.from({ length: 30 }, (_, at) => `letter ${String(at).padStart(2, '0')}.txt`);
    await upload(client, [...letters, 'invoice.txt']);
    const query = { name_search: 'Letter', sort: 'document_name' };
    const created = await client.post<DocumentBulk>('./documents/bulk', {
      query,
      action: 'delete',
      expected_count: 30,
    });
    expect(created.body).toMatchObject({ state: 'queued', total: 30, done: 0, query });
    await upload(client, ['letter late.txt']);
    await work();
    const { body } = await client.get<DocumentBulk>(`./documents/bulk/${created.body.id}`);
    expect(body).toMatchObject({ state: 'completed', total: 30, done: 30, succeeded: 30, failed: 0 });
    expect(await names(client)).toEqual(['invoice.txt', 'letter late.txt']);
    expect(await names(client, './documents/trash?limit=100&sort=document_name')).toEqual(letters);
  });

  it('does nothing if the number of matching documents has changed', async () => {
    const client = await harness.addOrganization();
    await upload(client, ['a.txt', 'b.txt']);
    const answer = await client.post('./documents/bulk', { query: {}, action: 'delete', expected_count: 1 });
    expect(answer).toMatchObject({ status: 409, error: { code: 'selection_changed', details: { count: 2 } } });
    await work();
    expect(await names(client)).toHaveLength(2);
  });

  it('purges by a query only with the number that the user saw', async () => {
    const client = await harness.addOrganization();
    await upload(client, ['a.txt', 'b.txt']);
    await bulk(client, { query: {}, action: 'delete' });
    const purge = async (more: object) =>
      await client.post('./documents/bulk', { query: {}, action: 'purge', ...more });
    expect(await purge({})).toMatchObject({ status: 400, error: { code: 'action_fields' } });
    expect(await purge({ expected_count: 1 })).toMatchObject({ status: 409, error: { code: 'selection_changed' } });
    await work();
    expect(await names(client, './documents/trash?limit=100&sort=document_name')).toEqual(['a.txt', 'b.txt']);
  });

  it('tags, counts documents that had the tag, and its undo removes only the tags that it added', async () => {
    const client = await harness.addOrganization();
    const ids = await upload(client, ['a.txt', 'b.txt', 'c.txt']);
    const tag = await newTag(client, 'Paid');
    const other = await newTag(client, 'Other');
    await client.patch(`./documents/${ids[0]}`, { tag_ids: [tag] });
    const done = await bulk(client, { document_ids: ids, action: 'tag', tag_ids: [tag] });
    expect(done).toMatchObject({ state: 'completed', succeeded: 3, unchanged: 1, failed: 0, undo: null });
    for (const id of ids) expect(await tagsOf(client, id)).toEqual([tag]);
    // Later changes by users stay.
    await client.patch(`./documents/${ids[1]}`, { tag_ids: [tag, other], document_name: 'renamed.txt' });
    expect(await undo(client, done)).toMatchObject({ undo: { state: 'completed', undone: 2, conflicts: [] } });
    expect(await Promise.all(ids.map((id) => tagsOf(client, id)))).toEqual([[tag], [other], []]);
    expect(await names(client)).toContain('renamed.txt');
  });

  it('untags, and its undo reports the document whose tag was deleted', async () => {
    const client = await harness.addOrganization();
    const ids = await upload(client, ['a.txt', 'b.txt']);
    const [kept, deleted] = [await newTag(client, 'Kept'), await newTag(client, 'Deleted')];
    await client.patch(`./documents/${ids[0]}`, { tag_ids: [kept, deleted] });
    await client.patch(`./documents/${ids[1]}`, { tag_ids: [kept] });
    const done = await bulk(client, { query: { tag_ids: [kept] }, action: 'untag', tag_ids: [kept, deleted] });
    expect(done).toMatchObject({ succeeded: 2, unchanged: 0 });
    expect((await client.delete(`./tags/${deleted}`)).status).toBe(204);
    const undone = await undo(client, done);
    expect(undone.undo).toMatchObject({ state: 'incomplete', undone: 1, conflicts: [{ document_id: ids[0] }] });
    expect(await Promise.all(ids.map((id) => tagsOf(client, id)))).toEqual([[kept], [kept]]);
  });

  it('keeps tags that a user has set or removed again since when it is undone', async () => {
    const client = await harness.addOrganization();
    const tag = await newTag(client, 'Mine');
    const ids = await upload(client, ['a.txt', 'b.txt', 'c.txt']);
    const [first, second, third] = ids as [string, string, string];
    const set = (id: string, tag_ids: string[]) => client.patch(`./documents/${id}`, { tag_ids });
    // What was written right before the job decides about nothing.
    await client.patch(`./documents/${second}`, { document_name: 'early.txt' });
    const tagged = await bulk(client, { document_ids: ids, action: 'tag', tag_ids: [tag] });
    await set(first, []);
    await set(first, [tag]);
    // A new name does not decide about the tag.
    await client.patch(`./documents/${second}`, { document_name: 'renamed.txt' });
    // Another job removes and sets it again.
    await bulk(client, { document_ids: [third], action: 'untag', tag_ids: [tag] });
    await bulk(client, { document_ids: [third], action: 'tag', tag_ids: [tag] });
    const undone = await undo(client, tagged);
    expect(undone.undo).toMatchObject({ state: 'incomplete', undone: 1 });
    expect(undone.undo?.conflicts.map(({ document_id }) => document_id).toSorted()).toEqual([first, third].toSorted());
    expect(await Promise.all(ids.map((id) => tagsOf(client, id)))).toEqual([[tag], [], [tag]]);
  });

  it('restores from the trash and purges, and undoes only the restoration', async () => {
    const client = await harness.addOrganization();
    const ids = await upload(client, ['a.txt', 'b.txt', 'c.txt']);
    const deleted = await bulk(client, { query: {}, action: 'delete' });
    const restored = await bulk(client, { query: { name_search: 'b.' }, action: 'restore' });
    expect(restored).toMatchObject({ total: 1, succeeded: 1 });
    expect(await names(client)).toEqual(['b.txt']);
    expect(await undo(client, restored)).toMatchObject({ undo: { state: 'completed', undone: 1 } });
    expect(await names(client)).toEqual([]);
    const purged = await bulk(client, { document_ids: [ids[0]], action: 'purge' });
    expect(purged).toMatchObject({ succeeded: 1, undo_until: null });
    expect((await client.post(`./documents/bulk/${purged.id}/undo`)).error?.code).toBe('bulk_not_undoable');
    const undone = await undo(client, deleted);
    expect(undone.undo).toMatchObject({ state: 'incomplete', undone: 2, conflicts: [{ document_id: ids[0] }] });
    expect(await names(client)).toEqual(['b.txt', 'c.txt']);
  });

  it('fails for each missing document and each of another organization, and does not touch those', async () => {
    const [client, stranger] = [await harness.addOrganization(), await harness.addOrganization()];
    const [own] = await upload(client, ['own.txt']);
    const [theirs] = await upload(stranger, ['theirs.txt']);
    const done = await bulk(client, { document_ids: [own, theirs, '0'.repeat(24)], action: 'delete' });
    expect(done).toMatchObject({ succeeded: 1, failed: 2, failures: [{ code: 'document_not_found' }, {}] });
    // The name of another organization's document is never shown.
    expect(done.failures.map(({ document_name }) => document_name)).toEqual([null, null]);
    expect(await names(stranger)).toEqual(['theirs.txt']);
    expect((await stranger.get(`./documents/bulk/${done.id}`)).status).toBe(404);
    const member = await harness.addUser('member', client.organizationId);
    expect((await member.get(`./documents/bulk/${done.id}`)).status).toBe(404);
    const viewer = await harness.addUser('viewer', client.organizationId);
    expect((await viewer.post('./documents/bulk', { query: {}, action: 'delete' })).status).toBe(403);
  });

  it.each([
    [{ action: 'delete' }, 'documents_needed'],
    [{ query: {}, document_ids: ['0'.repeat(24)], action: 'delete' }, 'documents_needed'],
    [{ query: {}, action: 'tag' }, 'action_fields'],
    [{ query: {}, action: 'purge' }, 'action_fields'],
    [{ query: {}, action: 'delete', tag_ids: ['0'.repeat(24)] }, 'action_fields'],
    [{ query: {}, action: 'tag', tag_ids: ['0'.repeat(24)] }, 'unknown_reference'],
    [{ query: {}, action: 'extract', prompt_id: '0'.repeat(24) }, 'unknown_reference'],
    [{ query: { name: 'letter' }, action: 'delete' }, 'invalid_request'],
  ])('refuses %j', async (body, code) => {
    expect((await harness.admin.post('./documents/bulk', body)).error?.code).toBe(code);
  });

  it('resumes after a worker died, counts nothing twice, and can be stopped', async () => {
    const client = await harness.addOrganization();
    const ids = await upload(client, ['a.txt', 'b.txt']);
    const tag = await newTag(client, 'Read');
    const created = await client.post<DocumentBulk>('./documents/bulk', { query: {}, action: 'tag', tag_ids: [tag] });
    // The state after a worker died between its write and its count.
    await work();
    await bulkModel(harness.connection).updateOne(
      { _id: created.body.id },
      {
        $set: {
          state: 'running',
          active: true,
          position: 0,
          succeeded: 0,
          lease: { token: 'dead', until: new Date(0) },
        },
        $unset: { ended_at: 1 },
      },
    );
    expect(await createActiveBulkRepository(harness.connection).claim()).toBeDefined();
    await bulkModel(harness.connection).updateOne({ _id: created.body.id }, { $unset: { lease: 1 } });
    await work();
    const { body } = await client.get<DocumentBulk>(`./documents/bulk/${created.body.id}`);
    expect(body).toMatchObject({ state: 'completed', succeeded: 2, unchanged: 0 });
    const tagged = { tag_ids: objectIdOf(tag) };
    expect(await harness.connection.collection('documents').distinct('changes', tagged)).toEqual([1]);

    const second = await client.post<DocumentBulk>('./documents/bulk', { document_ids: ids, action: 'delete' });
    expect((await client.post(`./documents/bulk/${second.body.id}/undo`)).error?.code).toBe('bulk_active');
    expect((await client.post<DocumentBulk>(`./documents/bulk/${second.body.id}/stop`)).status).toBe(200);
    await work();
    const stopped = (await client.get<DocumentBulk>(`./documents/bulk/${second.body.id}`)).body;
    expect(stopped).toMatchObject({ state: 'stopped', total: 2, done: 0, cancelled: 2 });
    expect(await names(client)).toHaveLength(2);
    expect((await client.post(`./documents/bulk/${second.body.id}/stop`)).error?.code).toBe('bulk_ended');
  });

  it('streams its progress up to the end', async () => {
    const client = await harness.addOrganization();
    await upload(client, ['a.txt']);
    const { body } = await client.post<DocumentBulk>('./documents/bulk', { query: {}, action: 'delete' });
    const response = await fetch(
      `${harness.address}/v0/orgs/${client.organizationId}/documents/bulk/${body.id}/events`,
      { headers: { authorization: `Bearer ${client.accessToken}` } },
    );
    void work();
    const text = await response.text();
    expect([...text.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name)).toEqual(
      expect.arrayContaining(['bulk', 'done']),
    );
    expect(text).toContain('"state":"completed"');
  });

  it('is a run if its action uses a model', async () => {
    const client = await harness.addOrganization();
    const [id] = await upload(client, ['a.txt']);
    const { body } = await client.post<DocumentBulk>('./documents/bulk', {
      query: {},
      action: 'message',
      message: 'Extract it.',
    });
    expect(body).toMatchObject({ action: 'message', total: 1, run_id: expect.stringMatching(/^[0-9a-f]{24}$/) });
    expect((await client.get(`./runs/${body.run_id}`)).body).toMatchObject({ action: 'chat', message: 'Extract it.' });
    expect((await client.post<DocumentBulk>(`./documents/bulk/${body.id}/stop`)).status).toBe(200);
    const extract = await client.post<DocumentBulk>('./documents/bulk', { document_ids: [id], action: 'extract' });
    expect((await client.get(`./runs/${extract.body.run_id}`)).body).toMatchObject({ action: 'run_extraction' });
  });
});

describe('the trash', () => {
  it('lists a deleted document with the user who deleted it and the time of its removal', async () => {
    const client = await harness.addOrganization();
    const [id] = await upload(client, ['a.txt']);
    const [tag, deleted] = [await newTag(client, 'Kept'), await newTag(client, 'Deleted')];
    await client.patch(`./documents/${id}`, { tag_ids: [tag, deleted] });
    expect((await client.delete(`./documents/${id}`)).status).toBe(204);
    expect((await client.delete(`./documents/${id}`)).status).toBe(404);
    expect((await client.get(`./documents/${id}`)).status).toBe(404);
    const { body } = await client.get<List>('./documents/trash');
    expect(body).toMatchObject({ total_count: 1, documents: [{ id, deleted_by: client.userId }] });
    const days = (Date.parse(body.documents[0]!.purge_at!) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(30);
    // A tag that only documents in the trash have can be deleted. The restored document no longer has it.
    expect((await client.delete(`./tags/${deleted}`)).status).toBe(204);
    const stranger = await harness.addOrganization();
    expect((await stranger.post(`./documents/${id}/restore`)).status).toBe(404);
    const viewer = await harness.addUser('viewer', client.organizationId);
    expect((await viewer.post(`./documents/${id}/restore`)).status).toBe(403);
    const restored = await client.post<Document>(`./documents/${id}/restore`);
    expect(restored).toMatchObject({ status: 200, body: { id, document_name: 'a.txt', tag_ids: [tag] } });
    expect((await client.get<List>('./documents/trash')).body.total_count).toBe(0);
    expect((await client.post(`./documents/${id}/restore`)).status).toBe(404);
  });

  it('purges a document with its file and its text', async () => {
    const client = await harness.addOrganization();
    const [id] = await upload(client, ['a.txt']);
    const files = () => harness.connection.collection('files.files').countDocuments();
    const before = await files();
    expect((await client.delete(`./documents/trash/${id}`)).status).toBe(404);
    await client.delete(`./documents/${id}`);
    expect(await files()).toBe(before);
    expect((await client.delete(`./documents/trash/${id}`)).status).toBe(204);
    expect(await files()).toBe(before - 1);
    expect((await client.post(`./documents/${id}/restore`)).status).toBe(404);
  });
});
