import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { runCaptured } from '../../testing/run-captured.ts';

const organization = '6650f1c2a4b3d2e1f0a9b8c0';
const prompt = '6650f1c2a4b3d2e1f0a9b8c7';
const counts = { values: 20, correct_before: 18, correct_after: 19, accuracy_before: 0.9, accuracy_after: 0.95 };
const rest = { fixed: 3, broken: 2, changed: 0, spurious_before: 0, spurious_after: 0, unknown: 0, removed: 0 };
const totals = { ...counts, ...rest };
const ended = {
  id: 'e1',
  state: 'completed',
  documents: { total: 2, done: 2, failed: 0 },
  totals,
  fields: [{ field: 'total', ...totals }],
  failures: [],
  ended_at: '2026-01-01T00:00:00.000Z',
};

let server: http.Server;
let url = '';
/** The result of the evaluation, and the bodies that were sent. */
let outcome: object = ended;
const bodies: Record<string, unknown>[] = [];

beforeAll(async () => {
  server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (body !== '') bodies.push(JSON.parse(body));
      const asked = `${request.method} ${request.url?.replace(`/v0/orgs/${organization}`, '')}`;
      if (asked === 'GET /evaluations/e1/events') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`data: ${JSON.stringify({ type: 'done', evaluation: outcome })}\n\n`);
        return;
      }
      const answer = answers[asked] ?? { error: { code: 'not_found', message: `nothing at ${asked}` } };
      response.writeHead(answer === answers[asked] ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  outcome = ended;
  bodies.length = 0;
});

const figures = { documents_verified: 2, values: 20, correct: 18, accuracy: 0.9, untouched: 1 };
const answers: Record<string, object> = {
  'GET /v0/users/me': { id: 'u', organizations: [{ id: organization, name: 'Ours', role: 'admin' }] },
  'POST /evaluations/estimate': { documents: 2, spu_estimated: 3 },
  'POST /evaluations': { ...ended, state: 'queued', ended_at: null },
  [`GET /prompts/${prompt}/accuracy`]: {
    overall: figures,
    by_revision: [],
    by_field: [{ field: 'total', ...figures }],
    by_model: [],
    by_month: [],
  },
};

function docwright(...args: string[]) {
  return runCaptured(args, { DOCWRIGHT_URL: url, DOCWRIGHT_TOKEN: 'dw_token', DOCWRIGHT_ORG: organization });
}

it.each<[string, object, string[], number]>([
  ['too many values break', ended, [], 1],
  ['no more values break than allowed', ended, ['--max-broken', '2'], 0],
  ['nothing breaks', { ...ended, totals: { ...totals, broken: 0 } }, [], 0],
  [
    'the budget ended',
    { ...ended, state: 'failed', error: { code: 'budget_exhausted', message: 'No budget.' } },
    [],
    6,
  ],
  ['it failed', { ...ended, state: 'failed', error: { code: 'model_unavailable', message: 'Away.' } }, [], 1],
  ['it was stopped', { ...ended, state: 'stopped', totals: { ...totals, broken: 0 } }, [], 1],
])('the exit code of evaluate if %s', async (_, result, options, code) => {
  outcome = result;
  const ran = await docwright('evaluate', '--prompt', prompt, '--model', 'm', ...options);
  expect([ran.code, ran.stderr]).toEqual([
    code,
    expect.stringContaining('Measuring 2 verified documents, about 3 SPU.'),
  ]);
});

it('evaluate sends the change of files and options, and prints a table or the evaluation as JSON', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'docwright-evaluate-'));
  const file = (name: string, text: string) => {
    fs.writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  try {
    const schema = { type: 'object', properties: { total: { type: 'number' } } };
    const content = file('invoice.md', 'Read the invoice.');
    const files = ['--content', content, '--schema', file('schema.json', JSON.stringify(schema))];
    const args = ['evaluate', '--prompt', prompt, ...files, '--examples', '3', '--max-documents', '7'];
    const table = await docwright(...args);
    expect(bodies.at(-1)).toMatchObject({
      prompt_id: prompt,
      content: 'Read the invoice.',
      response_format: { type: 'json_schema', json_schema: { schema } },
      examples: { count: 3 },
      max_documents: 7,
    });
    expect(table.stdout).toMatch(/total\s+20\s+90.0\s?%\s+95.0\s?%\s+3\s+2/u);
    const json = await docwright(...args, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ id: 'e1', totals: { broken: 2 } });
    expect(json.code).toBe(1);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});

it('evaluate refuses unreadable input before any request', async () => {
  for (const wrong of [
    ['--content', '/no/such/file'],
    ['--examples', 'many'],
    ['--max-broken', '-1'],
  ]) {
    expect((await docwright('evaluate', '--prompt', prompt, ...wrong)).code).toBe(2);
  }
  expect((await docwright('evaluate')).code).toBe(2);
  expect(bodies).toEqual([]);
});

it('accuracy prints the figures, or the response as JSON', async () => {
  const table = await docwright('accuracy', '--prompt', prompt);
  expect([table.code, table.stdout]).toEqual([0, expect.stringMatching(/total\s+2\s+20\s+18\s+90.0\s?%/u)]);
  const json = await docwright('accuracy', '--prompt', prompt, '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({ overall: figures });
  expect((await docwright('accuracy', '--prompt', '6650f1c2a4b3d2e1f0a9b8c8')).code).toBe(4);
});
