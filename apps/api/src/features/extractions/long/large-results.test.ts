import type { AuditEntry, Document, Extraction, Prompt, ReviewQueue, Schema } from '@docwright/contract';
import { scriptedLlm } from '@docwright/agent-core/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';
import { createExtractionRepositories } from '../records/extraction-repository.ts';
import { createVersionReaders } from '../records/extraction-version-repository.ts';
import { factsOfAnswer } from '../../value-risk/index.ts';
import { editResult } from '../rules/result-rules.ts';
import { requireStorable } from './survey-document.ts';

const fields = ['date', 'description', 'reference', 'amount', 'balance'];

let harness: TestApp;
let document_id: string;
let prompt: Prompt;
let largest: Prompt;

const author = { kind: 'person', user_id: 'a'.repeat(24), origin: { kind: 'api' } } as const;
const options = { author, check: () => {} };

const values = { type: 'object', properties: Object.fromEntries(fields.map((name) => [name, {}])) };
const schema = { type: 'object', properties: { entries: { type: 'array', items: values } }, required: ['entries'] };

beforeAll(async () => {
  harness = await startTestApp({ llm: scriptedLlm([]) });
  const { admin, services } = harness;
  const content = Buffer.from('entries').toString('base64');
  const { body } = await admin.post<{ documents: [Document] }>('./documents', {
    documents: [{ name: 'a.txt', content }],
  });
  document_id = body.documents[0].id;
  await services.documents.textReading.readAll(new AbortController().signal);
  const response_format = { type: 'json_schema', json_schema: { name: 'entries', schema } };
  const { schema_id } = (await admin.post<Schema>('./schemas', { name: 's', response_format })).body;
  prompt = (await admin.post<Prompt>('./prompts', { name: 'p', content: 'Read.', schema_id })).body;
  largest = (await admin.post<Prompt>('./prompts', { name: 'q', content: 'Read.', schema_id })).body;
});
afterAll(async () => harness.stop());

it('stores the maximum of values with their places, and previous versions of them', async () => {
  const repository = createExtractionRepositories(harness.connection)(harness.admin.organizationId);
  const versions = createVersionReaders(harness.connection)(harness.admin.organizationId);
  const run = await runOf(20_000, largest);
  await repository.saveRun(run, options);
  await repository.saveRun(await runOf(0, largest), options);
  const stored = await versions.get(document_id, largest.prompt_revid, 1);
  // A difference would be printed in full.
  expect(JSON.stringify(stored!.result) === JSON.stringify(run.result)).toBe(true);
  expect(JSON.stringify(stored!.original_result) === JSON.stringify(run.result)).toBe(true);
  expect(JSON.stringify(stored!.grounding) === JSON.stringify(run.grounding)).toBe(true);
  const origin = { call_id: 'restore', turn_id: 'restore' };
  await repository.restore({ document_id, prompt_revid: largest.prompt_revid }, { version: 1 }, options.author, origin);
  await repository.restore({ document_id, prompt_revid: largest.prompt_revid }, { version: 2 }, options.author, {
    ...origin,
    call_id: 'noted',
  });
  const { result } = (await repository.get(document_id, largest.prompt_revid))!;
  expect(result).toEqual({ entries: [] });
}, 120_000);

it('returns a compressed result from every reader, and takes corrections, undo and restores of it', async () => {
  const { admin, connection } = harness;
  const run = await runOf(400, prompt);
  await createExtractionRepositories(connection)(admin.organizationId).saveRun(run, options);
  const { result, grounding } = run;

  const url = `./documents/${document_id}/extractions/${prompt.prompt_revid}`;
  const { status, body: read } = await admin.get<Extraction>(url);
  expect(status).toBe(200);
  expect(isSame(read, { result, original_result: result, grounding })).toBe(true);
  const listed = await admin.get<{ extractions: Extraction[] }>(`./documents/${document_id}/extractions`);
  expect(listed.body.extractions.some((extraction) => isSame(extraction, { result }))).toBe(true);
  const csv = await admin.request('GET', url, { headers: { accept: 'text/csv' } });
  expect(csv.text).toContain('entries.399.reference,R100399,');
  const queue = await admin.get<ReviewQueue>('./review?limit=1&lease=false&all=true');
  expect(queue.body.values).toBeGreaterThanOrEqual(400 * fields.length);

  const change = { path: 'entries.399.reference', value: 'corrected', base_version: 1 };
  const edited = await admin.patch<Extraction>(url, change);
  expect(edited.body).toMatchObject({ version: 2, is_edited: true });
  const former = await admin.get<Extraction>(`${url}/versions/1`);
  expect(isSame(former.body, { result, grounding })).toBe(true);
  const { entries } = (await admin.get<{ entries: AuditEntry[] }>('./audit?limit=1&origin=api')).body;
  await admin.post(`./audit/${entries[0]!.id}/undo`, {});
  const undone = (await admin.get<Extraction>(url)).body;
  expect(undone).toMatchObject({ version: 3, is_edited: false });
  expect(isSame(undone, { result, grounding })).toBe(true);
  const restored = await admin.post<Extraction>(`${url}/versions/2/restore`);
  expect(restored.body).toMatchObject({ version: 4, is_edited: true });
  expect(isSame(restored.body, { result: edited.body.result })).toBe(true);
}, 60_000);

it('accepts corrections of a result that the model made larger than the limit of edits', async () => {
  const edited = (original: string, value: string) =>
    editResult(
      { result: { text: original }, original_result: { text: original }, validation_errors: [] },
      { path: 'text', value },
      () => [],
    );
  const [small, large] = ['x'.repeat(1_000), 'x'.repeat(2_000_000)];
  await edited(large, `${large}y`);
  await expect(edited(large, `${large}${'y'.repeat(100_000)}`)).rejects.toThrow('exceeds 2017 kB');
  await expect(edited(small, large)).rejects.toThrow('exceeds 1024 kB');
});

it('refuses tables with more values or text than one result can store, before any request', () => {
  const format = { type: 'json_schema' as const, json_schema: { name: 's', strict: true, schema } };
  const check = (count: number, text: string, is_certain: boolean) => () => {
    const printed = Array.from({ length: count }, () => ({ page_num: 1, text, y0: 0, y1: 0 }));
    requireStorable({ tables: [{ rows: printed, header: [], is_certain }] }, format);
  };
  expect(check(20_001, '', true)).toThrow('The tables show 20001 rows of 5 values');
  expect(check(20_001, '', false)).not.toThrow();
  expect(check(20_000, 'x'.repeat(200), true)).not.toThrow();
  expect(check(20_000, 'x'.repeat(201), true)).toThrow('The tables show 4020000 characters');
});

/** A run whose texts hardly compress. */
async function runOf(rowCount: number, { prompt_revid, prompt_id, schema_revid }: Prompt) {
  const rows = Array.from({ length: rowCount }, (_, index) => ({
    date: '2026-01-01',
    description: [0, 1, 2, 3].map((at) => hash(index * 4 + at)).join(' '),
    reference: `R${100_000 + index}`,
    amount: index + 0.25,
    balance: (index * 7919) / 100,
  }));
  const grounding = Object.fromEntries(
    rows.flatMap((row, index) =>
      Object.entries(row).map(([field, value], column) => {
        const box = boxOf(index, column);
        const place = { page_num: box.page_num, quote: String(value), boxes: [box], match: 'exact' as const };
        return [`entries.${index}.${field}`, place];
      }),
    ),
  );
  const result = { entries: rows };
  const facts = await factsOfAnswer({ result, grounding, validation_errors: [] }, { pages: [], checks: [] });
  const usage = { prompt_tokens: 1, completion_tokens: 1, spu: 1, estimated: false };
  const written = { result, grounding, validation_errors: [], issues: [], model: 'm', usage, facts };
  return { document_id, prompt_revid, prompt_id, schema_revid: schema_revid!, ...written };
}

function isSame(read: Extraction, wanted: Partial<Extraction>): boolean {
  return Object.entries(wanted).every(
    ([name, value]) => JSON.stringify(read[name as keyof Extraction]) === JSON.stringify(value),
  );
}

/** Eight letters and figures without a pattern. */
function hash(seed: number): string {
  return (Math.imul(seed + 1, 2_654_435_761) >>> 0).toString(36).padStart(8, 'z');
}

function boxOf(index: number, column: number) {
  const [x0, y0] = [50.25 + column * 99, (index % 50) * 14.37];
  return { page_num: 1 + Math.floor(index / 50), x0, y0, x1: x0 + 43.15, y1: y0 + 9.21 };
}
