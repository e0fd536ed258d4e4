import type { Document, SplitAnswer, SplitProposal } from '@docwright/contract';
import { buildPdf, line } from '@docwright/documents/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';

let harness: TestApp;
let document_id: string;

beforeAll(async () => {
  harness = await startTestApp();
  const texts = [
    ['Invoice A-1001', 'Page 1 of 2'],
    ['More of A-1001', 'Page 2 of 2'],
    ['Invoice B-2002', 'Page 1 of 1'],
  ];
  const pages = texts.map(([title, foot]) => ({ content: line(title!, 50, 700) + line(foot!, 280, 30) }));
  const content = Buffer.from(buildPdf({ pages })).toString('base64');
  const body = { documents: [{ name: 'many.pdf', content }] };
  const uploaded = await harness.admin.post<{ documents: [Document] }>('./documents', body);
  document_id = uploaded.body.documents[0].id;
  await harness.services.documents.textReading.readAll(new AbortController().signal);
});
afterAll(async () => harness.stop());

it('proposes where documents start', async () => {
  const { body } = await harness.admin.get<SplitProposal>(`./documents/${document_id}/split`);
  expect(body.parts.map(({ pages }) => pages)).toEqual([[[1, 2]], [[3, 3]]]);
});

it('refuses a document whose reading failed, with the reason', async () => {
  const content = Buffer.from('%PDF-1.7 damaged').toString('base64');
  const uploaded = await harness.admin.post<{ documents: [Document] }>('./documents', {
    documents: [{ name: 'damaged.pdf', content }],
  });
  await harness.services.documents.textReading.readAll(new AbortController().signal);
  const { id } = uploaded.body.documents[0];
  const { state_error } = (await harness.admin.get<Document>(`./documents/${id}`)).body;
  const { status, error } = await harness.admin.get(`./documents/${id}/split`);
  expect([status, error?.code]).toEqual([409, 'document_has_no_text']);
  expect(error?.message).toContain(state_error?.message);
});

it('creates documents with their text, words and file, and keeps the original', async () => {
  const { admin } = harness;
  const parts = [
    { name: 'A', pages: [[1, 2]] },
    {
      name: 'B.pdf',
      pages: [
        [3, 3],
        [1, 1],
      ],
    },
  ];
  const { status, body } = await admin.post<SplitAnswer>(`./documents/${document_id}/split`, { parts });
  expect(status).toBe(201);
  expect(body).toMatchObject({ pages_in_several: [1], pages_in_none: [] });
  expect(body.documents).toMatchObject([
    { document_name: 'A.pdf', page_count: 2, state: 'ocr_completed', split_from: { document_id, pages: [[1, 2]] } },
    {
      document_name: 'B.pdf',
      page_count: 2,
      split_from: {
        document_id,
        pages: [
          [3, 3],
          [1, 1],
        ],
      },
    },
  ]);
  const { id } = body.documents[1]!;
  const words = await admin.get<{ words: { text: string; x0: number }[] }>(`./documents/${id}/words?page_num=1`);
  expect(words.body.words.map(({ text }) => text)).toContain('B-2002');
  expect((await admin.get(`./documents/${id}/file`)).text).toMatch(/^%PDF/);
  expect((await admin.get<Document>(`./documents/${document_id}`)).body.page_count).toBe(3);
});

it('refuses missing pages, viewers, and files other than PDF', async () => {
  const url = `./documents/${document_id}/split`;
  const beyond = await harness.admin.post(url, { parts: [{ name: 'A', pages: [[2, 9]] }] });
  expect(beyond.error?.code).toBe('pages_out_of_range');
  const viewer = await harness.addUser('viewer');
  expect((await viewer.post(url, { parts: [{ name: 'A', pages: [[1, 1]] }] })).error?.code).toBe('viewer_cannot_write');
  const body = { documents: [{ name: 'a.txt', content: Buffer.from('text').toString('base64') }] };
  const text = await harness.admin.post<{ documents: [Document] }>('./documents', body);
  const other = `./documents/${text.body.documents[0].id}/split`;
  expect((await harness.admin.get(other)).error?.code).toBe('cannot_split');
});

it('refuses repeated pages before it creates any document', async () => {
  const url = `./documents/${document_id}/split`;
  const all: [number, number][] = Array.from({ length: 100 }, () => [1, 3]);
  const twice = await harness.admin.post(url, { parts: [{ name: 'A', pages: all }] });
  expect([twice.error?.code, twice.error?.message]).toEqual(['pages_out_of_range', expect.stringContaining('twice')]);
});

it('refuses invalid ranges and another organization, and splits a document that is being extracted', async () => {
  const url = `./documents/${document_id}/split`;
  const { admin } = harness;
  for (const range of [[0, 1], [-1, 2], [3, 2], [1.5, 2], [1], [1, 2, 3], ['1', 2], [1, 1e12], null]) {
    const { status } = await admin.post(url, { parts: [{ name: 'A', pages: [range] }] });
    expect({ range, isRefused: status === 400 || status === 422 }).toEqual({ range, isRefused: true });
  }
  const other = await harness.addOrganization();
  const part = { parts: [{ name: 'A', pages: [[1, 1]] }] };
  expect([(await other.get(url)).status, (await other.post(url, part)).status]).toEqual([404, 404]);
  const many = Array.from({ length: 501 }, (_, index) => ({ name: `${index}`, pages: [[1, 1]] }));
  expect((await admin.post(url, { parts: many })).status).toBe(422);
  const before = (await admin.get<{ total_count: number }>('./documents')).body.total_count;
  await harness.connection.collection('documents').updateOne({ page_count: 3 }, { $set: { state: 'llm_processing' } });
  const overlapping = [
    { name: '../../etc', pages: [[1, 2]] },
    { name: 'B', pages: [[2, 3]] },
  ];
  const { status, body } = await admin.post<SplitAnswer>(url, { parts: overlapping });
  expect([status, body.pages_in_several]).toEqual([201, [2]]);
  expect(body.documents.map(({ state }) => state)).toEqual(['ocr_completed', 'ocr_completed']);
  expect((await admin.get<{ total_count: number }>('./documents')).body.total_count).toBe(before + 2);
});
