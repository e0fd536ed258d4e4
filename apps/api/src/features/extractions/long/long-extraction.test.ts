import type { LlmClient, LlmRequest } from '@docwright/agent-core';
import { scriptedLlm, type ScriptedStep } from '@docwright/agent-core/testing';
import type { Document, Extraction, ExtractionEvent, Prompt, Schema } from '@docwright/contract';
import { buildTablePdf, type TablePdf } from '@docwright/documents/testing/table-pdf';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';

/** Returns the model's answer for the pages of a request. */
type Reader = (shown: { pages: number[]; rows: TablePdf['rows'] }) => ScriptedStep | Promise<ScriptedStep>;

let harness: TestApp;
let pdf: TablePdf;
let document_id: string;
let prompt_revid: string;
let read: Reader;
let requests: LlmRequest[] = [];

const text = { type: 'string' };
const amount = { type: 'number' };
const properties = { date: text, description: text, reference: text, amount, balance: amount };
const row = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
const schema = {
  type: 'object',
  properties: { account: text, entries: { type: 'array', items: row } },
  required: ['account', 'entries'],
  additionalProperties: false,
};

/** A model that reads only the text of its request. */
const model: LlmClient = {
  async *stream(request) {
    requests.push(request);
    // A request that asks again for JSON ends without pages.
    const texts = request.messages.map(({ content }) => (typeof content === 'string' ? content : ''));
    const shown = texts.findLast((each) => each.includes('<page number=')) ?? '';
    const pages = Array.from(shown.matchAll(/<page number="(\d+)">/g), ([, page]) => Number(page));
    const step = await read({ pages, rows: pdf.rows.filter(({ reference }) => shown.includes(reference)) });
    yield* scriptedLlm([step]).stream(request);
  },
};

const answer = (pages: number[], entries: unknown): ScriptedStep => ({
  text: JSON.stringify({ account: pages.includes(1) ? pdf.account : null, entries }),
});
const good: Reader = ({ pages, rows }) => answer(pages, rows);

beforeAll(async () => {
  harness = await startTestApp({ llm: model, settings: { MAX_EXTRACTION_REQUESTS: '4' } });
  pdf = buildTablePdf({ rows: 320, layout: 'header' });
  const content = Buffer.from(pdf.bytes).toString('base64');
  const { admin, services } = harness;
  const uploaded = await admin.post<{ documents: [Document] }>('./documents', {
    documents: [{ name: 'a.pdf', content }],
  });
  document_id = uploaded.body.documents[0].id;
  await services.documents.textReading.readAll(new AbortController().signal);
  const response_format = { type: 'json_schema', json_schema: { name: 'statement', schema } };
  await admin.post<Schema>('./schemas', { name: 's', response_format });
});
afterAll(async () => harness.stop());

beforeEach(async () => {
  read = good;
  requests = [];
  const { admin } = harness;
  const { body } = await admin.get<{ schemas: [Schema] }>('./schemas');
  const prompt = { name: 'p', content: 'Read.', schema_id: body.schemas[0].schema_id };
  ({ prompt_revid } = (await admin.post<Prompt>('./prompts', prompt)).body);
});

const extractionsUrl = () => `./documents/${document_id}/extractions`;
const extract = () => harness.admin.post<Extraction>(extractionsUrl(), { prompt_revid });

async function events(): Promise<ExtractionEvent[]> {
  const { text: body } = await harness.admin.get(`${extractionsUrl()}/${prompt_revid}/events`);
  return Array.from(body.matchAll(/^data: (.+)$/gm), ([, data]) => JSON.parse(data!) as ExtractionEvent);
}

it('reads in pieces, each with the column headers, and merges them with their places', async () => {
  const { status, body } = await extract();
  expect(status).toBe(201);
  expect(body).toMatchObject({ is_complete: true, issues: [], validation_errors: [] });
  expect(body.result).toEqual({ account: pdf.account, entries: pdf.rows });
  expect(requests).toHaveLength(2);
  // Pieces are asked for side by side.
  const [second] = requests.filter(({ messages }) => !String(messages[1]?.content).includes('<page number="1">'));
  expect(String(second?.messages[0]?.content)).toMatch(/These are pages \d+ to \d+ of \d+ of a long document/);
  expect(String(second?.messages[1]?.content)).toMatch(/<table_header page="1">\nDate {2}Description/);
  expect(body.grounding['account']).toMatchObject({ page_num: 1 });
  expect(body.grounding['entries.319.reference']).toMatchObject({ match: 'exact' });
  expect(body.grounding['entries.319.reference']?.page_num).toBeGreaterThanOrEqual(pdf.pageCount - 1);
  expect(await events()).toMatchObject([
    { type: 'end', state: 'completed', pieces_done: 2, is_complete: true, issues: [] },
  ]);
});

it('reports missing rows: in the result, its CSV, its versions and at the end of the stream', async () => {
  read = ({ pages, rows }) =>
    answer(
      pages,
      rows.filter(({ reference }) => reference !== pdf.rows[200]!.reference),
    );
  const { body } = await extract();
  expect(body.is_complete).toBe(false);
  expect(body.issues).toMatchObject([{ code: 'rows_missing', path: 'entries', counted: 320, got: 319 }]);
  const url = `${extractionsUrl()}/${prompt_revid}`;
  const csv = await harness.admin.request('GET', url, { headers: { accept: 'text/csv' } });
  expect(csv.text).toMatch(/^# is_complete: false\r\n# rows_missing entries: /);
  expect(csv.text).toContain('quote,issues\r\n');
  const { body: version } = await harness.admin.get(`${url}/versions/1`);
  expect(version).toMatchObject({ is_complete: false, issues: body.issues });
  expect(await events()).toMatchObject([{ type: 'end', is_complete: false, issues: body.issues }]);
});

it('shows incomplete results in the list of documents and on the document', async () => {
  const listed = async () =>
    (await harness.admin.get<{ documents: Document[] }>('./documents')).body.documents[0]!.incomplete_results;
  read = (shown) => (shown.pages.includes(2) ? { text: 'I cannot read this.' } : good(shown));
  await extract();
  const count = (await listed())!.count;
  expect(await listed()).toEqual({ count, codes: ['rows_missing', 'piece_failed'] });
  const { body } = await harness.admin.get<Document>(`./documents/${document_id}`);
  expect(body.incomplete_results).toEqual(await listed());
  // A later revision of the prompt reads it well.
  const prompts = await harness.admin.get<{ prompts: Prompt[] }>('./prompts');
  const { prompt_id, schema_id } = prompts.body.prompts.find((each) => each.prompt_revid === prompt_revid)!;
  const changed = { name: 'p', content: 'Read all.', schema_id, base_version: 1 };
  ({ prompt_revid } = (await harness.admin.put<Prompt>(`./prompts/${prompt_id}`, changed)).body);
  read = good;
  await extract();
  expect((await listed())?.count ?? 0).toBe(count - 1);
});

it('splits an answer that was cut, and marks pages that fail', async () => {
  read = (shown) => {
    if (shown.rows.length > 100) return { text: '{"account": null, "entr', finishReason: 'length' };
    if (shown.pages.includes(2)) return { text: 'I cannot read this.' };
    return good(shown);
  };
  const { status, body } = await extract();
  expect(status).toBe(201);
  expect(body.is_complete).toBe(false);
  expect(body.issues[0]).toMatchObject({ code: 'piece_failed', path: '' });
  expect(body.issues[0]?.pages).toContain(2);
});

it('resumes with the missing pieces after an interruption', async () => {
  let asked = 0;
  read = (shown) => {
    asked += 1;
    if (shown.pages.includes(pdf.pageCount) && asked <= 2) throw new Error('The process is gone.');
    return good(shown);
  };
  expect((await extract()).status).toBe(500);
  const before = requests.length;
  const { status, body } = await extract();
  expect(status).toBe(201);
  expect(body.result).toEqual({ account: pdf.account, entries: pdf.rows });
  expect(requests.length - before).toBe(1);
});

it('stops without keeping any piece', async () => {
  const isAsked = Promise.withResolvers<void>();
  const isStopped = Promise.withResolvers<void>();
  read = async (shown) => {
    if (shown.pages.includes(1)) return await good(shown);
    isAsked.resolve();
    await isStopped.promise;
    throw new DOMException('aborted', 'AbortError');
  };
  const running = extract();
  const following = events();
  await isAsked.promise;
  const url = `${extractionsUrl()}/${prompt_revid}`;
  expect((await harness.admin.post(`${url}/stop`)).body).toMatchObject({ state: 'stopped', pieces_total: 2 });
  setTimeout(isStopped.resolve, 1500);
  expect((await running).error?.code).toBe('extraction_stopped');
  expect((await following).at(-1)).toMatchObject({ type: 'end', state: 'stopped', is_complete: false });
  expect((await harness.admin.get(url)).status).toBe(404);
  expect((await harness.admin.post(`${url}/stop`)).error?.code).toBe('extraction_not_running');
  read = good;
  requests = [];
  await extract();
  expect(requests).toHaveLength(2);
});

it('estimates the requests, and refuses a document that needs too many', async () => {
  const estimate = await harness.admin.post(`${extractionsUrl()}/estimate`, { prompt_revid });
  expect(estimate.body).toMatchObject({ prompt_revid, requests: 2, pages: pdf.pageCount });
  expect((estimate.body as { spu_estimated: number }).spu_estimated).toBeGreaterThan(10);
  const content = Buffer.from(`${'word '.repeat(18)}\n`.repeat(16_000)).toString('base64');
  const uploaded = await harness.admin.post<{ documents: [Document] }>('./documents', {
    documents: [{ name: 'long.txt', content }],
  });
  await harness.services.documents.textReading.readAll(new AbortController().signal);
  const url = `./documents/${uploaded.body.documents[0].id}/extractions`;
  const refused = await harness.admin.post(url, { prompt_revid });
  expect(refused.status).toBe(400);
  expect(refused.error).toMatchObject({ code: 'extraction_too_large', details: { requests: 5, max_requests: 4 } });
  expect(requests).toHaveLength(0);
});
