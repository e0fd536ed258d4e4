import type { AuditEntry, Document } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

it('of two requests at once that remove a document, or remove it for good, each is done once', async () => {
  const { admin } = app;
  const content = Buffer.from('A letter').toString('base64');
  const before = (await admin.get<{ stored_bytes: number }>('./usage')).body.stored_bytes;
  const { body } = await admin.post<{ documents: Document[] }>('./documents', {
    documents: [{ name: 'a.txt', content }],
  });
  const { id } = body.documents[0]!;
  await app.services.documents.textReading.readAll(new AbortController().signal);
  const twice = async (path: string) => {
    const answers = await Promise.all([admin.delete(path), admin.delete(path)]);
    return answers.map(({ status }) => status).toSorted((one, other) => one - other);
  };
  expect(await twice(`./documents/${id}`)).toEqual([204, 404]);
  const [first, second] = await twice(`./documents/trash/${id}`);
  expect([first, [204, 404].includes(second!)]).toEqual([204, true]);
  const { entries } = (await admin.get<{ entries: AuditEntry[] }>(`./audit?document_id=${id}&tool=delete_document`))
    .body;
  expect(entries).toHaveLength(1);
  expect((await admin.get(`./documents/${id}`)).status).toBe(404);
  const after = (await admin.get<{ stored_bytes: number }>('./usage')).body.stored_bytes;
  // The audit log stays and grows.
  expect(after).toBeGreaterThanOrEqual(before);
});
