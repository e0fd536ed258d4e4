import { afterEach, expect, it } from 'vitest';
import { runCaptured } from '../../testing/run-captured.ts';
import { answer, startScriptedServer } from '../../testing/scripted-server.ts';

const organization = '6650f1c2a4b3d2e1f0a9b8c0';
const document = '6650f1c2a4b3d2e1f0a9b8c1';
const issue = {
  code: 'rows_missing',
  path: 'rows',
  pages: [2],
  counted: 3,
  got: 2,
  message: 'Rows are missing on page 2.',
};
const extraction = {
  document_id: document,
  prompt_revid: '6650f1c2a4b3d2e1f0a9b8c2',
  result: { rows: [{ name: 'a' }, { name: 'b' }] },
  grounding: {},
  validation_errors: [],
  issues: [issue],
  is_complete: false,
};

let server: Awaited<ReturnType<typeof startScriptedServer>> | undefined;
afterEach(() => server?.stop());

async function docwright(handlers: Parameters<typeof startScriptedServer>, ...args: string[]) {
  server = await startScriptedServer(...handlers);
  const env = { DOCWRIGHT_URL: server.url, DOCWRIGHT_TOKEN: 'dw_token', DOCWRIGHT_ORG: organization };
  return await runCaptured(args, env);
}

/** The answers to a look at the newest result: the document, its results, and the result with its review. */
const newest = (result: object) => [
  answer(200, { id: document }),
  answer(200, { extractions: [result], total_count: 1 }),
  answer(200, result),
];

it('says how many values are to check', async () => {
  const review = { 'rows.0.name': { to_check: true }, 'rows.1.name': { to_check: false } };
  const ran = await docwright(newest({ ...extraction, issues: [], is_complete: true, review }), 'extraction', document);
  expect(ran).toMatchObject({ code: 0, stderr: '1 value to check: docwright review\n' });
});

it('prints every digit of a number', async () => {
  const result = { account: 12_345_678_901_234_567_000 };
  const grounding = { account: { page_num: null, boxes: [], raw: '12345678901234567890' } };
  const exact = { ...extraction, issues: [], is_complete: true, result, grounding };
  const ran = await docwright(newest(exact), 'extraction', document);
  expect(JSON.parse(ran.stdout)).toEqual({ account: '12345678901234567890' });
});

it('exits with 8 for an incomplete result, and prints its issues to stderr and in the CSV', async () => {
  const ran = await docwright(newest(extraction), 'extraction', document, '--csv');
  expect(ran).toMatchObject({ code: 8, stderr: 'rows: Rows are missing on page 2.\n' });
  expect(ran.stdout).toMatch(/^# is_complete: false\n# rows_missing rows: Rows are missing on page 2\.\n/u);
  const complete = { ...extraction, issues: [], is_complete: true };
  expect(await docwright(newest(complete), 'extraction', document)).toMatchObject({ code: 0, stderr: '' });
});

it('marks documents with an incomplete result or values to check in the list', async () => {
  const listed = { id: document, document_name: 'a.pdf', state: 'llm_completed', page_count: 2 };
  const results = { to_check: 2, is_verified: false };
  const incomplete_results = { count: 1, codes: ['rows_missing'] };
  const documents = [{ ...listed, upload_date: '2026-01-01T00:00:00.000Z', tag_ids: [], incomplete_results, results }];
  const ran = await docwright([answer(200, { documents, total_count: 1, skip: 0, limit: 50 })], 'documents');
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('llm_completed, incomplete, 2 to check') });
});
