import type { Document, TurnAnswer } from '@docwright/contract';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { userMessage } from '../../apps/api/src/testing/chat-test-bench.ts';
import { startMcpTestBench, type McpTestBench } from '../../apps/api/src/testing/mcp-test-bench.ts';
import { runCaptured } from '../../packages/sdk/src/testing/run-captured.ts';

let bench: McpTestBench;
let document: Document;
beforeAll(async () => {
  bench = await startMcpTestBench();
  const content = Buffer.from('The deposit is 500 EUR. It is not refundable.').toString('base64');
  const { body } = await bench.admin.post<{ documents: Document[] }>('./documents', {
    documents: [{ name: 'lease.txt', content }],
  });
  document = body.documents[0]!;
  const state = async () => (await bench.admin.get<Document>(`./documents/${document.id}`)).body.state;
  await vi.waitFor(async () => expect(await state()).toBe('ocr_completed'), { timeout: 15_000, interval: 200 });
});
afterAll(async () => bench.stop());

/** A model that looks up the deposit and tells it, one sentence of it wrongly, and does not correct it. */
function model() {
  const write = {
    get text() {
      const result = scripted.requests.at(-1)!.messages.findLast(({ role }) => role === 'tool')!;
      const { passages } = JSON.parse(result.content) as { passages: { id: string }[] };
      const cited = `[[${passages[0]!.id}]]`;
      return `The deposit is 500 EUR ${cited}. The deposit is 700 EUR ${cited}.`;
    },
  };
  const search = { calls: [{ name: 'search_passages', args: { query: 'deposit refundable' } }] };
  const scripted = bench.script(search, write, write);
}

it('answers the same over HTTP, the command and MCP', async () => {
  const scope = { document_ids: [document.id] };
  model();
  const http = (await bench.admin.post<TurnAnswer>('./ask', { ...userMessage('What is the deposit?'), scope })).body;
  expect(http.claims?.map(({ support }) => support)).toEqual(['supported', 'unsupported']);
  const checked = { text: http.text, claims: http.claims, coverage: http.coverage };

  model();
  const { call } = await bench.connect(bench.admin);
  const mcp = await call('ask_documents', { question: 'What is the deposit?', scope });
  expect(mcp.isError).toBe(false);
  expect(mcp.value).toMatchObject(checked);
  const { id } = http.claims![0]!.citations[0]!;
  expect(mcp.value['links']).toMatchObject({
    conversation: expect.stringMatching(/\/ask\?thread=[\da-f]{24}$/u),
    citations: { [id]: `${bench.address}/documents/${document.id}?page=1` },
  });

  model();
  const day = { from: '2020-01-01' };
  const env = {
    DOCWRIGHT_URL: bench.address,
    DOCWRIGHT_TOKEN: bench.admin.accessToken,
    DOCWRIGHT_ORG: bench.admin.organizationId,
  };
  const ran = await runCaptured(['ask', 'What is the deposit?', '--from', day.from, '--json'], env);
  expect(ran).toMatchObject({ code: 9 });
  expect(JSON.parse(ran.stdout)).toMatchObject(checked);
});

it('refuses a question over MCP that it cannot read', async () => {
  const { call } = await bench.connect(bench.admin);
  const { isError, value } = await call('ask_documents', { question: ' ' });
  expect({ isError, error: value['error'] }).toEqual({ isError: true, error: expect.stringContaining('question') });
});
