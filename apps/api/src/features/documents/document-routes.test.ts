import { readFile } from 'node:fs/promises';
import type { documentList, documentText, documentWords, uploadAnswer, Document, Tag } from '@docwright/contract';
import { buildPdf, line } from '@docwright/documents/testing';
import { pictureOf, png } from '@docwright/documents/testing/picture';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { openDatabase } from '../../platform/database/connection.ts';
import { startJobs } from '../../process/start-jobs.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

const invoice = await readFile(new URL('../../../../../tests/corpus/contoso-invoice.pdf', import.meta.url));
let harness: TestApp;
beforeAll(async () => {
  harness = await startTestApp({ settings: { MAX_UPLOAD_MB: '1' } });
  await startJobs(harness.services);
});
afterAll(async () => await harness.stop());

async function upload(name: string, content: Buffer, more: object = {}, as = harness.admin): Promise<Document> {
  const body = { documents: [{ name, content: content.toString('base64'), ...more }] };
  const answer = await as.post<z.infer<typeof uploadAnswer>>('./documents', body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.documents[0]!;
}

async function postForm(form: FormData) {
  const encoded = new Response(form);
  const payload = Buffer.from(await encoded.arrayBuffer());
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
  return await harness.admin.request<z.infer<typeof uploadAnswer>>('POST', './documents', { payload, headers });
}

async function waitUntilRead(id: string): Promise<Document> {
  for (;;) {
    const { body } = await harness.admin.get<Document>(`./documents/${id}`);
    if (!['uploaded', 'ocr_processing'].includes(body.state)) return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

it('reads an uploaded invoice: type from the bytes, page text, words, and the same bytes on download', async () => {
  const uploaded = await upload('../../invoice 📄.txt', invoice, { metadata: { source: 'test' } });
  expect(uploaded).toMatchObject({
    document_name: 'invoice 📄.txt',
    mime_type: 'application/pdf',
    state: 'uploaded',
    size_bytes: invoice.byteLength,
    metadata: { source: 'test' },
  });
  expect(await waitUntilRead(uploaded.id)).toMatchObject({ state: 'ocr_completed', page_count: 1 });

  const text = await harness.admin.get<z.infer<typeof documentText>>(`./documents/${uploaded.id}/text`);
  expect(text.body.pages[0]?.text).toContain('INV-100');
  const { body } = await harness.admin.get<z.infer<typeof documentWords>>(
    `./documents/${uploaded.id}/words?page_num=1`,
  );
  const word = body.words.find((candidate) => candidate.text.includes('INV-100'));
  expect(word?.x0).toBeGreaterThan(body.page.width / 2);
  expect(word?.y1).toBeLessThan(body.page.height / 2);

  const file = await harness.admin.request('GET', `./documents/${uploaded.id}/file`);
  expect(file.headers).toMatchObject({ 'content-type': 'application/pdf', 'accept-ranges': 'bytes' });
  expect(file.headers['content-length']).toBe(String(invoice.byteLength));
  const page = await harness.admin.get(`./documents/${uploaded.id}/text?page_num=2`);
  expect(page).toMatchObject({ status: 404, body: { error: { code: 'page_not_found' } } });
});

it('reads an uploaded image of a page: its text, and words with a confidence', async () => {
  const pdf = buildPdf({ pages: [{ mediaBox: [0, 0, 300, 60], content: line('Invoice total 123.45', 20, 25, 14) }] });
  const uploaded = await upload('photo.png', Buffer.from(png(await pictureOf(pdf, 3))));
  expect(await waitUntilRead(uploaded.id)).toMatchObject({ state: 'ocr_completed', page_count: 1 });
  const text = await harness.admin.get<z.infer<typeof documentText>>(`./documents/${uploaded.id}/text`);
  expect(text.body.pages).toMatchObject([{ page_num: 1, text: 'Invoice total 123.45' }]);
  const { body } = await harness.admin.get<z.infer<typeof documentWords>>(`./documents/${uploaded.id}/words`);
  expect(body.page).toEqual({ width: 900, height: 180 });
  expect(body.words.map((word) => word.text)).toEqual(['Invoice', 'total', '123.45']);
  for (const { confidence = 0, engine } of body.words) expect([confidence > 0.7, engine]).toEqual([true, 'tesseract']);
});

it('accepts several files in one form, with tags and metadata for all', async () => {
  const form = new FormData();
  form.append('files', new Blob(['hello there']), 'a.txt');
  form.append('files', new Blob(['name,total\nx,1\n']), 'b.csv');
  form.append('metadata', '{"batch":7}');
  const answer = await postForm(form);
  expect(answer.status, answer.text).toBe(201);
  expect(answer.body.documents).toMatchObject([
    { document_name: 'a.txt', mime_type: 'text/plain', metadata: { batch: 7 } },
    { document_name: 'b.csv', mime_type: 'text/csv', metadata: { batch: 7 } },
  ]);
});

it.each([
  ['[]', 'The field metadata takes a JSON object.'],
  [
    '{"a\\u0000":1}',
    'The field metadata takes a JSON object. It must not have a field named "a\\u0000". Use another name.',
  ],
  [
    `{"a":${'['.repeat(99)}${']'.repeat(99)}}`,
    'The field metadata takes a JSON object. It must not be nested deeper than 80 levels.',
  ],
])('explains invalid metadata in a form: %s', async (metadata, message) => {
  const form = new FormData();
  form.set('metadata', metadata);
  form.set('files', new Blob(['text']), 'a.txt');
  const answer = await postForm(form);
  expect([answer.status, answer.error?.code, answer.error?.message]).toEqual([422, 'invalid_field', message]);
});

it('refuses more than 100 files in one form and says how to send them', async () => {
  const form = new FormData();
  for (let count = 0; count <= 100; count += 1) form.append('files', new Blob(['x']), `${count}.txt`);
  const answer = await postForm(form);
  expect([answer.status, answer.error?.code]).toEqual([413, 'too_many_files']);
  expect(answer.error?.message).toContain('100 files');
});

it('refuses more than 100 documents in one body and says how to send them', async () => {
  const documents = Array.from({ length: 101 }, (_, at) => ({ name: `${at}.txt`, content: 'eA==' }));
  const { status, error } = await harness.admin.post('./documents', { documents });
  expect([status, error?.code]).toEqual([422, 'invalid_request']);
  expect(error?.message).toContain('at most 100 documents. Send the others in further requests.');
});

it('answers byte ranges, and 416 for a range outside the file', async () => {
  const { id } = await upload('plain.txt', Buffer.from('0123456789'));
  const get = (range: string) => harness.admin.request('GET', `./documents/${id}/file`, { headers: { range } });
  expect(await get('bytes=2-4')).toMatchObject({
    status: 206,
    text: '234',
    headers: { 'content-range': 'bytes 2-4/10' },
  });
  expect(await get('bytes=-3')).toMatchObject({ status: 206, text: '789' });
  expect(await get('bytes=20-30')).toMatchObject({ status: 416, headers: { 'content-range': 'bytes */10' } });
  expect(await get('lines=1-2')).toMatchObject({ status: 200, text: '0123456789' });
});

it('never shows a file inline that could run script under its own origin', async () => {
  const { id } = await upload(
    'page.html',
    Buffer.from('<!doctype html><html><body><script>1</script>Total 5</body></html>'),
  );
  const { headers } = await harness.admin.get(`./documents/${id}/file`);
  expect(headers['content-disposition']).toMatch(/^attachment/);
  expect(headers['content-security-policy']).toContain('sandbox');
});

it('stores no file of an upload if one of its files is refused', async () => {
  const before = await openDatabase(harness.connection).collection('files.files').countDocuments();
  const cases: [object, number, string][] = [
    [{ name: 'empty.pdf', content: '' }, 422, 'invalid_request'],
    [
      { name: 'x.bin', content: Buffer.from([0, 1, 2, 255, 254, 0, 9]).toString('base64') },
      415,
      'unsupported_file_type',
    ],
    [{ name: 'x.txt', content: 'not base64!' }, 422, 'not_base64'],
    [{ name: 'big.txt', content: Buffer.alloc(1024 * 1024 + 1, 65).toString('base64') }, 413, 'file_too_large'],
  ];
  for (const [second, status, code] of cases) {
    const documents = [{ name: 'good.txt', content: Buffer.from('good').toString('base64') }, second];
    const answer = await harness.admin.post('./documents', { documents });
    expect(answer).toMatchObject({ status, body: { error: { code } } });
    if (status === 413) expect(answer.body).toMatchObject({ error: { message: '“big.txt” is over the 1 MB limit.' } });
  }
  expect(await openDatabase(harness.connection).collection('files.files').countDocuments()).toBe(before);
  expect(await harness.admin.post('./documents', { documents: [] })).toMatchObject({ status: 422 });
});

it.each([
  [
    'that ends early',
    '--x\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\n\r\nhel',
    '; boundary=x',
  ],
  ['without a boundary', 'hello', ''],
])('refuses a multipart body %s', async (_name, payload, boundary) => {
  const headers = { 'content-type': `multipart/form-data${boundary}` };
  const answer = await harness.admin.request('POST', './documents', { payload, headers });
  expect(answer).toMatchObject({ status: 400, error: { code: 'malformed_multipart' } });
});

it('refuses a file that is too large, even if the limit falls between two of its chunks', async () => {
  const chunks = async function* () {
    yield Buffer.from('--x\r\ncontent-disposition: form-data; name="files"; filename="big.bin"\r\n\r\n');
    for (let chunk = 0; chunk < 32; chunk++) {
      yield Buffer.alloc(64 * 1024);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    yield Buffer.from('\r\n--x--\r\n');
  };
  const response = await fetch(`${harness.address}/v0/orgs/${harness.admin.organizationId}/documents`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${harness.admin.accessToken}`,
      'content-type': 'multipart/form-data; boundary=x',
    },
    body: ReadableStream.from(chunks()),
    duplex: 'half',
  });
  expect([response.status, await response.text()]).toEqual([413, expect.stringContaining('file_too_large')]);
});

it('reports why a damaged file cannot be read, and refuses an unknown tag', async () => {
  const damaged = await upload('cut.pdf', Buffer.from('%PDF-1.7\n1 0 obj\n<<'));
  expect(await waitUntilRead(damaged.id)).toMatchObject({ state: 'ocr_failed', state_error: { code: 'damaged_file' } });
  const unknown = await harness.admin.patch(`./documents/${damaged.id}`, { tag_ids: ['0'.repeat(24)] });
  expect(unknown).toMatchObject({ status: 400, body: { error: { code: 'unknown_reference' } } });
});

it('sorts the list by name, size or date in both directions, across pages', async () => {
  for (const [name, size] of [
    ['sorted b.txt', 3],
    ['sorted C.txt', 1],
    ['sorted A.txt', 2],
  ] as const) {
    await upload(name, Buffer.from('x'.repeat(size)));
  }
  const names = async (query: string) => {
    const { body } = await harness.admin.get<z.infer<typeof documentList>>(`./documents?name_search=sorted&${query}`);
    return body.documents.map(({ document_name }) => document_name[7]).join('');
  };
  expect(await names('')).toBe('ACb');
  expect(await names('sort=document_name')).toBe('AbC');
  expect(await names('sort=document_name&order=desc')).toBe('CbA');
  expect(await names('sort=document_name&skip=1&limit=1')).toBe('b');
  expect(await names('sort=size_bytes')).toBe('CAb');
  expect(await names('order=asc')).toBe('bCA');
  expect((await harness.admin.get('./documents?sort=text')).status).toBe(422);
});

it('lists, searches literally, renames, and deletes with everything that belongs to it', async () => {
  const { id } = await upload('50% (off).txt', Buffer.from('x'));
  await waitUntilRead(id);
  const search = (text: string) =>
    harness.admin.get<z.infer<typeof documentList>>(`./documents?name_search=${encodeURIComponent(text)}&limit=1`);
  expect((await search('50% (OFF')).body).toMatchObject({ total_count: 1, skip: 0, limit: 1, documents: [{ id }] });
  expect((await search('.*')).body.total_count).toBe(0);
  const renamed = await harness.admin.patch(`./documents/${id}`, { document_name: 'other.txt' });
  expect(renamed.body).toMatchObject({ id, document_name: 'other.txt' });

  expect((await harness.admin.delete(`./documents/${id}`)).status).toBe(204);
  for (const path of ['', '/file', '/picture', '/text', '/words', '/events']) {
    expect((await harness.admin.get(`./documents/${id}${path}`)).status).toBe(404);
  }
  const database = openDatabase(harness.connection);
  expect(await database.collection('document_pages').countDocuments({ document_id: id })).toBe(0);
});

it('hides documents from other organizations and refuses writes of viewers', async () => {
  const { id } = await upload('mine.txt', Buffer.from('mine'));
  const stranger = await harness.addOrganization();
  expect((await stranger.get(`./documents/${id}`)).status).toBe(404);
  expect((await stranger.patch(`./documents/${id}`, { document_name: 'x' })).status).toBe(404);
  expect((await stranger.delete(`./documents/${id}`)).status).toBe(404);
  expect((await harness.admin.get('./documents/not-an-id')).status).toBe(404);

  const viewer = await harness.addUser('viewer');
  expect((await viewer.get(`./documents/${id}`)).status).toBe(200);
  for (const answer of [
    await viewer.delete(`./documents/${id}`),
    await viewer.post('./documents', { documents: [{ name: 'a', content: 'YQ==' }] }),
  ]) {
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'viewer_cannot_write' } } });
  }
});

it('adds and removes tags and metadata without replacing what others wrote meanwhile', async () => {
  const { id, tag_ids } = await upload('tagged.txt', Buffer.from('Text'), { metadata: { kept: 1, dropped: 2 } });
  expect(tag_ids).toEqual([]);
  const tags = await Promise.all(
    ['one', 'two', 'three'].map(async (name) => (await harness.admin.post<Tag>('./tags', { name })).body.tag_id),
  );
  const [one, two, three] = tags as [string, string, string];
  const patch = (body: object) => harness.admin.patch<Document>(`./documents/${id}`, body);
  await patch({ tag_ids: [one] });
  await Promise.all([
    patch({ add_tag_ids: [two, one] }),
    patch({ add_tag_ids: [three], remove_tag_ids: [one] }),
    patch({ set_metadata: { added: 3 } }),
    patch({ remove_metadata: ['dropped'] }),
  ]);
  const { body } = await harness.admin.get<Document>(`./documents/${id}`);
  expect(body.tag_ids).toContain(two);
  expect(body.tag_ids).toContain(three);
  expect(body.metadata).toEqual({ kept: 1, added: 3 });
  expect((await patch({ add_tag_ids: ['0'.repeat(24)] })).error?.code).toBe('unknown_reference');
  const large = await patch({ set_metadata: { large: 'x'.repeat(40_000) } });
  expect(large.status).toBe(200);
  expect((await patch({ set_metadata: { more: 'x'.repeat(40_000) } })).error?.code).toBe('document_too_full');
});

it('keeps the quotes of a name that a browser escapes', async () => {
  const payload =
    '--x\r\ncontent-disposition: form-data; name="files"; filename="The %22Sky%22 100%25 %0Aplan.txt"\r\n\r\nSky is blue\r\n--x--\r\n';
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const answer = await harness.admin.request<{ documents: Document[] }>('POST', './documents', { payload, headers });
  expect(answer.body.documents.map(({ document_name }) => document_name)).toEqual(['The "Sky" 100%25  plan.txt']);
});
