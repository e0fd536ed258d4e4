import type { Document, Prompt } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';
import type { TestClient } from '../../../testing/test-client.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

async function organization(on_duplicate: string): Promise<TestClient> {
  const client = await app.addOrganization();
  const changed = await client.patch<{ on_duplicate: string }>(`/v0/orgs/${client.organizationId}`, { on_duplicate });
  expect(changed.body.on_duplicate).toBe(on_duplicate);
  return client;
}

async function upload(client: TestClient, ...files: [name: string, text: string][]) {
  const documents = files.map(([name, text]) => ({ name, content: Buffer.from(text).toString('base64') }));
  return await client.post<{ documents: Document[] }>('./documents', { documents });
}
const read = () => app.services.documents.textReading.readAll(new AbortController().signal);
const stateOf = async (client: TestClient, id: string) => (await client.get<Document>(`./documents/${id}`)).body;

it('marks the same bytes under any name, and does not read them until they are a document of their own', async () => {
  const client = await organization('mark');
  const { body } = await upload(client, ['a.txt', 'Total: 5'], ['b.txt', 'Total: 5'], ['c.txt', 'Total: 6']);
  const [first, second, other] = body.documents;
  expect(body.documents.map(({ duplicate_of }) => duplicate_of)).toEqual([undefined, first!.id, undefined]);
  await read();
  expect(await stateOf(client, first!.id)).toMatchObject({ state: 'ocr_completed' });
  expect(await stateOf(client, other!.id)).toMatchObject({ state: 'ocr_completed' });
  expect(await stateOf(client, second!.id)).toMatchObject({ state: 'uploaded', duplicate_of: first!.id });
  const text = await client.get(`./documents/${second!.id}/text?page_num=1`);
  expect(text.error?.message).toContain(first!.id);

  const makeOwn = async (seen: object) =>
    await client.patch<Document>(`./documents/${second!.id}`, { duplicate_of: null, seen });
  expect((await makeOwn({ document_name: 'former.txt' })).error?.code).toBe('version_conflict');
  expect(await stateOf(client, second!.id)).toMatchObject({ duplicate_of: first!.id });
  const own = await makeOwn(await stateOf(client, second!.id));
  expect(own.body.duplicate_of).toBeUndefined();
  await read();
  expect(await stateOf(client, second!.id)).toMatchObject({ state: 'ocr_completed' });
  // A later copy is a duplicate of the oldest; the one that is its own stays its own.
  const later = await upload(client, ['d.txt', 'Total: 5']);
  expect(later.body.documents[0]!.duplicate_of).toBe(first!.id);
  expect((await stateOf(client, second!.id)).duplicate_of).toBeUndefined();
});

it('of many uploads of the same bytes at once, one is the original', async () => {
  const client = await organization('mark');
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) => upload(client, [`copy ${at}.txt`, 'At once'])),
  );
  const documents = await Promise.all(answers.map(({ body }) => stateOf(client, body.documents[0]!.id)));
  const originals = documents.filter(({ duplicate_of }) => duplicate_of === undefined);
  expect(originals).toHaveLength(1);
  expect(new Set(documents.flatMap(({ duplicate_of }) => duplicate_of ?? []))).toEqual(new Set([originals[0]!.id]));
});

it('another organization has nothing to do with it', async () => {
  await upload(await organization('mark'), ['a.txt', 'Shared']);
  const { body } = await upload(await organization('refuse'), ['a.txt', 'Shared']);
  expect(body.documents[0]!.duplicate_of).toBeUndefined();
});

it('refuses the same bytes with the id of the document, and stores nothing of the upload', async () => {
  const client = await organization('refuse');
  const first = await upload(client, ['a.txt', 'Once']);
  const again = await upload(client, ['new.txt', 'New'], ['b.txt', 'Once']);
  expect(again.status).toBe(409);
  expect(again.error).toMatchObject({ code: 'duplicate', details: { document_id: first.body.documents[0]!.id } });
  expect((await upload(client, ['x.txt', 'Twice'], ['y.txt', 'Twice'])).error?.code).toBe('duplicate');
  expect((await client.get<{ total_count: number }>('./documents')).body.total_count).toBe(1);
  // What is in the trash is no obstacle.
  await client.delete(`./documents/${first.body.documents[0]!.id}`);
  expect((await upload(client, ['b.txt', 'Once'])).status).toBe(201);
});

it('keeps the same bytes as documents like any other', async () => {
  const client = await organization('keep');
  await upload(client, ['a.txt', 'Kept']);
  const { body } = await upload(client, ['b.txt', 'Kept']);
  expect(body.documents[0]!.duplicate_of).toBeUndefined();
  await read();
  expect(await stateOf(client, body.documents[0]!.id)).toMatchObject({ state: 'ocr_completed' });
});

it('a duplicate takes the place of an original that is removed for good', async () => {
  const client = await organization('mark');
  const { body } = await upload(client, ['a.txt', 'Heir'], ['b.txt', 'Heir'], ['c.txt', 'Heir']);
  const [first, second, third] = body.documents;
  await client.delete(`./documents/${first!.id}`);
  expect((await client.delete(`./documents/trash/${first!.id}`)).status).toBe(204);
  await read();
  const heir = await stateOf(client, second!.id);
  expect(heir).toMatchObject({ state: 'ocr_completed' });
  expect(heir.duplicate_of).toBeUndefined();
  expect((await stateOf(client, third!.id)).duplicate_of).toBe(second!.id);
});

it('says that nothing can be made of a duplicate, instead of asking to try again', async () => {
  const client = await organization('mark');
  const { body } = await upload(client, ['a.txt', 'Never read'], ['b.txt', 'Never read']);
  const [first, second] = body.documents;
  const path = `./documents/${second!.id}`;
  const { body: prompt } = await client.post<Prompt>('./prompts', { name: 'Total', content: 'Take the total' });
  const requests = { auto_create: {}, extractions: { prompt_revid: prompt.prompt_revid } };
  for (const [route, request] of Object.entries(requests)) {
    const { status, error } = await client.post(`${path}/${route}`, request);
    expect([status, error?.code], route).toEqual([409, 'document_has_no_text']);
    expect(error?.message).toContain(`the bytes of ${first!.id}`);
  }
});
