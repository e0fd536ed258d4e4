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

it('exits with 8 for an incomplete result, and prints its issues to stderr and in the CSV', async () => {
  const found = [answer(200, { id: document }), answer(200, { extractions: [extraction], total_count: 1 })];
  const ran = await docwright(found, 'extraction', document, '--csv');
  expect(ran).toMatchObject({ code: 8, stderr: 'rows: Rows are missing on page 2.\n' });
  expect(ran.stdout).toMatch(/^# is_complete: false\n# rows_missing rows: Rows are missing on page 2\.\n/u);
  const complete = { ...extraction, issues: [], is_complete: true };
  const whole = [answer(200, { id: document }), answer(200, { extractions: [complete], total_count: 1 })];
  expect(await docwright(whole, 'extraction', document)).toMatchObject({ code: 0, stderr: '' });
});

it('marks documents with an incomplete result in the list', async () => {
  const listed = { id: document, document_name: 'a.pdf', state: 'llm_completed', page_count: 2 };
  const incomplete_results = { count: 1, codes: ['rows_missing'] };
  const documents = [{ ...listed, upload_date: '2026-01-01T00:00:00.000Z', tag_ids: [], incomplete_results }];
  const ran = await docwright([answer(200, { documents, total_count: 1, skip: 0, limit: 50 })], 'documents');
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('llm_completed, incomplete') });
});
