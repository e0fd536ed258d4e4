import type { LlmClient } from '@docwright/agent-core';
import { scriptedLlm, type ScriptedStep } from '@docwright/agent-core/testing';
import type { Document, TurnAnswer } from '@docwright/contract';
import { buildPdf, line } from '@docwright/documents/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { userMessage } from '../../testing/chat-test-bench.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

/** A model that knows only the tools of its request: it searches the document, reads a page, and answers from its text. */
const model: LlmClient = {
  async *stream(request) {
    yield* scriptedLlm([stepOf(request)]).stream(request);
  },
};

function stepOf({ messages, tools = [] }: Parameters<LlmClient['stream']>[0]): ScriptedStep {
  const results = messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []));
  const has = (name: string) => tools.some((tool) => tool.function.name === name);
  if (results.length === 0 && has('search_document')) {
    return { calls: [{ name: 'search_document', args: { query: 'notice period for termination' } }] };
  }
  const page = /"page_num":\s*(\d+)/u.exec(results[0] ?? '')?.[1];
  if (results.length === 1 && has('get_ocr_text')) {
    return { calls: [{ name: 'get_ocr_text', args: { page_num: Number(page) } }] };
  }
  const period = /notice period for termination is (\d+ weeks)/u.exec(results[1] ?? '')?.[1];
  return { text: `It is ${period ?? 'not there'} (page ${page}).` };
}

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ llm: model });
});
afterAll(async () => app.stop());

it('a question about page 340 of 900 is answered from page 340 with two calls', { timeout: 90_000 }, async () => {
  const pages = Array.from({ length: 900 }, (_, index) => {
    const text =
      index === 339
        ? 'The notice period for termination is 14 weeks.'
        : `Section ${index + 1}: the parties agree on the delivery of goods.`;
    return { content: line(text, 50, 700) };
  });
  const content = Buffer.from(buildPdf({ pages })).toString('base64');
  const body = { documents: [{ name: 'lease.pdf', content }] };
  const { documents } = (await app.admin.post<{ documents: [Document] }>('./documents', body)).body;
  await app.services.documents.textReading.readAll(new AbortController().signal);
  const question = userMessage('How long is the notice period for termination?');
  const { body: turn } = await app.admin.post<TurnAnswer>(`./documents/${documents[0].id}/chat`, question);
  expect(turn.text).toBe('It is 14 weeks (page 340).');
  const calls = turn.executed_rounds.flatMap(({ tool_calls }) => tool_calls.map(({ name }) => name));
  expect(calls).toEqual(['search_document', 'get_ocr_text']);
});
