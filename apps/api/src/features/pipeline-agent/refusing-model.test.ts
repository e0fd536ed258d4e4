import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, vi } from 'vitest';
import { startPipelineAgentTestBench } from '../../testing/pipeline-agent-test-bench.ts';

vi.setConfig({ testTimeout: 60_000 });

it('a rate-limited model is tried three times with growing pauses, and the conversation continues when it answers', async () => {
  const requestTimes: number[] = [];
  let isRateLimited = true;
  const server = http.createServer((request, response) => {
    if (!request.url?.endsWith('/chat/completions')) {
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'm', object: 'model' }] }));
      return;
    }
    requestTimes.push(performance.now());
    if (isRateLimited) {
      response.writeHead(429).end('{"error":{"message":"slow down"}}');
      return;
    }
    const choices = [{ index: 0, delta: { role: 'assistant', content: 'Here I am.' }, finish_reason: 'stop' }];
    const chunk = { id: 'x', object: 'chat.completion.chunk', created: 0, model: 'm', choices };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const endpoint = { baseUrl: `http://127.0.0.1:${port}/v1`, model: 'm', apiKey: undefined };
  const bench = await startPipelineAgentTestBench({}, endpoint);
  try {
    const client = await bench.addOrganization();
    const id = await bench.startConversation(client);
    const refused = await bench.send(client, id, 'Hello');
    expect([refused.status, refused.error?.code]).toEqual([429, 'model_rate_limited']);
    expect(requestTimes).toHaveLength(3);
    const [first, second, third] = requestTimes as [number, number, number];
    expect(second - first).toBeGreaterThan(300);
    expect(third - second).toBeGreaterThan(second - first);
    const summary = expect.stringMatching(/^Person: Hello\nAgent: I could not/u);
    expect(await bench.get(client, id)).toMatchObject({ status: 'active', is_running: false, summary });
    isRateLimited = false;
    expect((await bench.send(client, id, 'And now?')).body.text).toBe('Here I am.');
  } finally {
    await bench.stop();
    server.closeAllConnections();
    server.close();
  }
});
