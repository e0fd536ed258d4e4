import { readFile } from 'node:fs/promises';
import type { Document } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startJobs } from '../../process/start-jobs.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

const invoice = await readFile(new URL('../../../../../tests/corpus/contoso-invoice.pdf', import.meta.url));
let harness: TestApp;
beforeAll(async () => {
  harness = await startTestApp();
  await startJobs(harness.services);
});
afterAll(async () => await harness.stop());

/** A document that has been read. */
async function uploadedFile(name: string, content: Buffer): Promise<Document> {
  const body = { documents: [{ name, content: content.toString('base64') }] };
  const { id } = (await harness.admin.post<{ documents: [Document] }>('./documents', body)).body.documents[0];
  const read = async () => (await harness.admin.get<Document>(`./documents/${id}`)).body;
  await expect.poll(async () => (await read()).state).toBe('ocr_completed');
  return await read();
}

it('answers a small picture of a page, which a browser shows before it can draw the page itself', async () => {
  const { id } = await uploadedFile('invoice.pdf', invoice);
  const picture = await harness.admin.request('GET', `./documents/${id}/picture?page_num=1`);
  expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/jpeg']);
  const size = Number(picture.headers['content-length']);
  expect(size).toBeGreaterThan(5_000);
  expect(size).toBeLessThanOrEqual(60_000);
  const etag = String(picture.headers['etag']);
  const again = await harness.admin.request('GET', `./documents/${id}/picture`, { headers: { 'if-none-match': etag } });
  expect(again.status).toBe(304);
  const code = async (path: string) =>
    (await harness.admin.get<{ error: { code: string } }>(`./documents/${path}`)).body.error.code;
  expect(await code(`${id}/picture?page_num=2`)).toBe('page_not_found');
  const note = await uploadedFile('note.txt', Buffer.from('No pages'));
  expect(await code(`${note.id}/picture`)).toBe('no_page_image');
  const stranger = await harness.addOrganization();
  expect((await stranger.get(`./documents/${id}/picture`)).status).toBe(404);
});
