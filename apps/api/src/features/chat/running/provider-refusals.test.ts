import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startJobs } from '../../../process/start-jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';

/** What the provider answers next. */
let refusal: { status: number; headers?: Record<string, string>; error: object };
const provider = http.createServer((_, response) => {
  response.writeHead(refusal.status, refusal.headers).end(JSON.stringify({ error: refusal.error }));
});
let bench: TestApp;
beforeAll(async () => {
  await once(provider.listen(0, '127.0.0.1'), 'listening');
  const { port } = provider.address() as AddressInfo;
  bench = await startTestApp({
    llmEndpoint: { baseUrl: `http://127.0.0.1:${port}/v1`, model: 'm', apiKey: undefined },
  });
  await startJobs(bench.services);
});
afterAll(async () => {
  await bench.stop();
  provider.closeAllConnections();
  provider.close();
});

describe.each(['chat', 'extractions'])('a refusal of the provider, for a program that posts to %s', (route) => {
  it.each([
    [
      'its waiting time, also under the name of LiteLLM',
      { status: 429, headers: { 'llm_provider-retry-after': '3000' }, error: { message: 'slow down' } },
      { status: 429, code: 'model_rate_limited', retryAfter: '3000' },
    ],
    [
      'a request that exceeds the context',
      { status: 400, error: { code: 'context_length_exceeded', message: 'maximum context length is 8192 tokens' } },
      { status: 413, code: 'model_context_exceeded', retryAfter: undefined },
    ],
    [
      'a content policy',
      { status: 400, error: { code: 'content_policy_violation', message: 'no' } },
      { status: 502, code: 'model_content_filtered', retryAfter: undefined },
    ],
  ])('has %s', async (_, given, expected) => {
    refusal = given;
    const content = Buffer.from('Total: 5').toString('base64');
    const { body } = await bench.admin.post<{ documents: [{ id: string }] }>('./documents', {
      documents: [{ name: 'note.txt', content }],
    });
    const id = body.documents[0].id;
    await vi.waitFor(
      async () => expect((await bench.admin.get(`./documents/${id}`)).body).toMatchObject({ state: 'ocr_completed' }),
      { timeout: 10_000 },
    );
    const prompt = await bench.admin.post<{ prompt_revid: string }>('./prompts', { name: 'P', content: 'Take it.' });
    const answer = await bench.admin.post(
      `./documents/${id}/${route}`,
      route === 'chat'
        ? { messages: [{ role: 'user', content: 'What is it?' }] }
        : { prompt_revid: prompt.body.prompt_revid },
    );
    expect({
      status: answer.status,
      code: answer.error?.code,
      retryAfter: answer.headers['retry-after'],
    }).toEqual(expected);
  });
});
