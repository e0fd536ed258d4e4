import { scriptedLlm } from '@docwright/agent-core/testing';
import type { LlmClient } from '@docwright/agent-core';
import type { Document, Extraction, Prompt, Schema } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

const good = { number: 'INV-7', rows: [{ amount: 5 }] };
const plain = JSON.stringify(good);
const row = {
  type: 'object',
  properties: { amount: { type: 'number' } },
  required: ['amount'],
  additionalProperties: false,
};
const properties = { number: { type: ['string', 'null'] }, rows: { type: 'array', items: row } };
const schema = { type: 'object', properties, required: ['number', 'rows'], additionalProperties: false };

let harness: TestApp;
let script: LlmClient;
const answers = (text: string) => (script = scriptedLlm([{ text }]));

beforeAll(async () => {
  harness = await startTestApp({ llm: { stream: (request) => script.stream(request) } });
});
afterAll(async () => harness.stop());

/** Extracts from a new document; returns the address of the result and the body of a new run. */
async function extracted() {
  const { admin, services } = harness;
  const content = Buffer.from('Invoice INV-7\nAmount 5').toString('base64');
  const uploaded = await admin.post<{ documents: Document[] }>('./documents', {
    documents: [{ name: 'a.txt', content }],
  });
  await services.documents.textReading.readAll(new AbortController().signal);
  const response_format = { type: 'json_schema', json_schema: { name: 'invoice', schema } };
  const { schema_id } = (await admin.post<Schema>('./schemas', { name: 's', response_format })).body;
  const { prompt_revid } = (await admin.post<Prompt>('./prompts', { name: 'p', content: 'Read.', schema_id })).body;
  answers(plain);
  const runs = `./documents/${uploaded.body.documents[0]!.id}/extractions`;
  const { body } = await admin.post<Extraction>(runs, { prompt_revid });
  return { url: `${runs}/${prompt_revid}`, runs, prompt_revid, extraction: body };
}

it('says that the answer was repaired, also after an edit, until an answer that was not', async () => {
  const { url, runs, prompt_revid, extraction } = await extracted();
  expect(extraction).not.toHaveProperty('repaired');
  answers(`Here you are:\n\`\`\`json\n${plain}\n\`\`\``);
  expect((await harness.admin.post<Extraction>(runs, { prompt_revid })).body.repaired).toBe(true);
  const edit = { path: 'number', value: 'INV-8', base_version: 2 };
  expect((await harness.admin.patch<Extraction>(url, edit)).body.repaired).toBe(true);
  answers(plain);
  expect((await harness.admin.post<Extraction>(runs, { prompt_revid, replace: 'edited' })).body).not.toHaveProperty(
    'repaired',
  );
  const versions = await harness.admin.get<{ versions: Extraction[] }>(`${url}/versions`);
  expect(versions.body.versions.map(({ repaired }) => repaired)).toEqual([undefined, true, true, undefined]);
  const restored = await harness.admin.post<Extraction>(`${url}/versions/2/restore`);
  expect(restored.body.repaired).toBe(true);
});

it('keeps every digit of a number that is given as a text', async () => {
  const { url } = await extracted();
  const set = (path: string, value: unknown, base_version: number) =>
    harness.admin.patch<Extraction>(url, { path, value, base_version });
  const digits = '12345678901234567890';
  const edited = (await set('rows.0.amount', digits, 1)).body;
  expect(edited).toMatchObject({ version: 2, validation_errors: [], result: { rows: [{ amount: Number(digits) }] } });
  expect(edited.grounding['rows.0.amount']).toMatchObject({ raw: digits });
  expect((await set('rows.0.amount', digits, 2)).body.version).toBe(2);
  const next = (await set('rows.0.amount', '12345678901234567891', 2)).body;
  expect([next.version, next.grounding['rows.0.amount']?.raw]).toEqual([3, '12345678901234567891']);
  // A row as a whole, as a client got it, with a new one.
  const rows = [...(next.result as typeof good).rows, { amount: digits }];
  const grown = (await set('rows', rows, 3)).body;
  expect(['rows.0.amount', 'rows.1.amount'].map((path) => grown.grounding[path]?.raw)).toEqual([
    '12345678901234567891',
    digits,
  ]);
  // A field of text keeps the text.
  const text = (await set('number', digits, 4)).body;
  expect([text.result, text.grounding['number']?.raw]).toMatchObject([{ number: digits }, undefined]);
  const decision = { path: 'rows.0.amount', version: 5, action: 'correct', value: '0.12345678901234567891' };
  const { document_id, prompt_revid } = text;
  await harness.admin.post('./review/decide', { decisions: [{ document_id, prompt_revid, ...decision }] });
  const decided = (await harness.admin.get<Extraction>(url)).body;
  expect(decided.grounding['rows.0.amount']).toMatchObject({ raw: '0.12345678901234567891' });
  expect((await set('rows.0.amount', '1e400', 6)).error?.code).toBe('invalid_value');
  expect((await set('rows.0.amount', 7, 6)).body.grounding['rows.0.amount']).not.toHaveProperty('raw');
});
