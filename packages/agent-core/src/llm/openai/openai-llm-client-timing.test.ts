import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { delta, eventStream, stop } from '../../testing/recorded-fetch.ts';
import type { LlmRequest } from '../llm-client.ts';
import { createOpenAiLlmClient, type OpenAiLlmClientOptions } from './openai-llm-client.ts';

const request: LlmRequest = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] };
const hello = eventStream([delta({ content: 'Hello' })], '');
const servers: http.Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A model endpoint on a real socket. */
async function serve(handler: http.RequestListener, options: Partial<OpenAiLlmClientOptions> = {}) {
  const server = http.createServer(handler).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return createOpenAiLlmClient({ baseUrl: `http://127.0.0.1:${port}/v1`, retryPausesMs: [], ...options });
}

async function textOf(llm: ReturnType<typeof createOpenAiLlmClient>, signal?: AbortSignal): Promise<string> {
  let text = '';
  for await (const chunks of llm.stream({ ...request, ...(signal === undefined ? {} : { signal }) })) {
    for (const chunk of chunks) if (chunk.type === 'text_delta') text += chunk.text;
  }
  return text;
}

describe('a timeout', () => {
  const timeout = expect.objectContaining({ code: 'model_timeout', message: expect.stringContaining('LLM_BASE_URL') });

  it('before the first byte ends the call without a retry', async () => {
    let requests = 0;
    const llm = await serve(() => requests++, { firstByteTimeoutMs: 1_000, retryPausesMs: [1, 1] });
    await expect(textOf(llm)).rejects.toEqual(timeout);
    expect(requests).toBe(1);
  });

  it('during an answer ends the call and closes its connection', async () => {
    const closed = Promise.withResolvers<void>();
    const llm = await serve(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(hello);
        response.on('close', closed.resolve);
      },
      { idleTimeoutMs: 30 },
    );
    await expect(textOf(llm)).rejects.toEqual(timeout);
    await closed.promise;
  });

  it('is prevented by keep-alives', async () => {
    const llm = await serve(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(hello);
        const ping = setInterval(() => response.write(': ping\n\n'), 20);
        setTimeout(() => {
          clearInterval(ping);
          response.end(eventStream([stop]));
        }, 800);
      },
      { idleTimeoutMs: 400 },
    );
    expect(await textOf(llm)).toBe('Hello');
  });

  it('does not count the time that the reader takes', async () => {
    const isRead = Promise.withResolvers<void>();
    const llm = await serve(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(hello);
        void isRead.promise.then(() => response.end(eventStream([stop])));
      },
      { idleTimeoutMs: 400 },
    );
    const seen: string[] = [];
    for await (const chunks of llm.stream(request)) {
      seen.push(...chunks.map(({ type }) => type));
      await new Promise((resolve) => setTimeout(resolve, 500));
      // The end comes once the reader reads on, so that only its own time is longer than the timeout.
      isRead.resolve();
    }
    expect(seen).toEqual(['text_delta', 'finish']);
  });
});

describe('an abort', () => {
  it.each(['before the answer', 'in the middle of it'])(
    '%s ends the call with its own reason and closes the connection',
    async (when) => {
      const closed = Promise.withResolvers<void>();
      const controller = new AbortController();
      const reason = new Error('enough');
      const llm = await serve((_, response) => {
        response.on('close', closed.resolve);
        if (when !== 'before the answer') response.writeHead(200, { 'content-type': 'text/event-stream' }).write(hello);
        setTimeout(() => controller.abort(reason), 20);
      });
      await expect(textOf(llm, controller.signal)).rejects.toBe(reason);
      await closed.promise;
    },
  );

  it('ends the pause before another try', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const llm = await serve(
      (_, response) => {
        response.writeHead(503).end();
        setTimeout(() => controller.abort(reason), 20);
      },
      { retryPausesMs: [60_000] },
    );
    await expect(textOf(llm, controller.signal)).rejects.toBe(reason);
  });

  it('of the reading loop closes the connection', async () => {
    const closed = Promise.withResolvers<void>();
    const llm = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(hello);
      response.on('close', closed.resolve);
    });
    for await (const [chunk] of llm.stream(request)) if (chunk?.type === 'text_delta') break;
    await closed.promise;
  });
});

describe('a finished answer', () => {
  it('leaves its connection open for the next one', async () => {
    const sockets = new Set<unknown>();
    const llm = await serve((incoming, response) => {
      sockets.add(incoming.socket);
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(hello + eventStream([stop]));
    });
    for (let at = 0; at < 10; at++) await textOf(llm);
    expect(sockets.size).toBeLessThan(3);
  });

  it('does not wait for a server that keeps the stream open after [DONE]', async () => {
    const llm = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(hello + eventStream([stop]));
    });
    expect(await textOf(llm)).toBe('Hello');
  });
});
