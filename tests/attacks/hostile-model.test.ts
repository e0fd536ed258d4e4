import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { TurnAnswer } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decideAll, userMessage } from '../../apps/api/src/testing/chat-test-bench.ts';
import { startTestApp, type TestApp } from '../../apps/api/src/testing/test-app.ts';

/** A hostile model service. */
let server: Server;
let answer: (response: ServerResponse) => void | Promise<void>;
/** Bytes sent so far. */
let given = 0;
let app: TestApp;
let chat: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url?.endsWith('/models') === true) {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[{"id":"hostile"}]}');
      return;
    }
    request.resume().on('end', () => void answer(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  app = await startTestApp({ llmEndpoint: { baseUrl, apiKey: undefined, model: 'hostile' } });
  const content = Buffer.from('Invoice INV-1042\nTotal: 5').toString('base64');
  const body = { documents: [{ name: 'note.txt', content }] };
  const { documents } = (await app.admin.post<{ documents: [{ id: string }] }>('./documents', body)).body;
  chat = `./documents/${documents[0].id}/chat`;
});
afterAll(async () => {
  await app.stop();
  server.close();
  server.closeAllConnections();
});

const stream = (response: ServerResponse, status = 200) =>
  response.writeHead(status, { 'content-type': status === 200 ? 'text/event-stream' : 'text/plain' });
const event = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

/** Repeats a piece until the client stops reading; at most 400 MB. */
async function pour(response: ServerResponse, piece: string): Promise<void> {
  const bytes = Buffer.from(piece);
  for (let sent = 0; sent < 400e6 && !response.destroyed; sent += bytes.length) {
    given += bytes.length;
    if (response.write(bytes)) continue;
    await new Promise<void>((resolve) => {
      const go = () => {
        response.off('drain', go).off('close', go);
        resolve();
      };
      response.on('drain', go).on('close', go);
    });
  }
  response.end();
}

/** The error and answer of a turn with that model, and the longest block of the event loop. */
async function turn(): Promise<{ code: string | undefined; body: TurnAnswer; longestMs: number }> {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const { body, error } = await app.admin.post<TurnAnswer>(chat, userMessage('Go on'));
  delay.disable();
  return { code: error?.code, body, longestMs: delay.max / 1e6 };
}

const sayOnly = (text: string) => (response: ServerResponse) =>
  void stream(response).end(`${event({ content: text })}${event({}, 'stop')}data: [DONE]\n\n`);

describe('a model that answers without end', () => {
  it('in an error is read up to 64 kB, and retried like any other error', async () => {
    given = 0;
    answer = (response) => {
      stream(response, 500);
      return pour(response, 'x'.repeat(65_536));
    };
    expect((await turn()).code).toBe('model_unavailable');
    // Bytes in socket buffers count as sent.
    expect(given).toBeLessThan(60e6);
  });

  it('in its text ends as `model_bad_answer`', async () => {
    given = 0;
    answer = (response) => {
      stream(response);
      return pour(response, event({ content: 'x'.repeat(4_000) }).repeat(16));
    };
    const { code, longestMs } = await turn();
    expect(code).toBe('model_bad_answer');
    expect(given).toBeLessThan(60e6);
    expect(longestMs).toBeLessThan(3_000);
  });
});

describe('arguments of a call', () => {
  it('of 0.8 MB in pieces of 40 bytes do not block the server', async () => {
    const whole = JSON.stringify({ name: 'tag', description: '{"a":"}"}\\ '.repeat(50_000) });
    const pieces = whole.match(/.{1,40}/gsu)!;
    let isFirst = true;
    answer = async (response) => {
      if (!isFirst) return sayOnly('It was too long.')(response);
      isFirst = false;
      stream(response);
      const begin = { index: 0, id: 'a', function: { name: 'create_tag', arguments: '' } };
      response.write(event({ tool_calls: [begin] }));
      for (let at = 0; at < pieces.length; at += 500) {
        const some = pieces.slice(at, at + 500);
        response.write(
          some.map((text) => event({ tool_calls: [{ index: 0, function: { arguments: text } }] })).join(''),
        );
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end(`${event({}, 'tool_calls')}data: [DONE]\n\n`);
    };
    const { body, longestMs } = await turn();
    expect(body.status).toBe('completed');
    expect(body.executed_rounds[0]?.tool_calls[0]).toMatchObject({ name: 'create_tag', success: false });
    // Before the limit it took 18 s.
    expect(longestMs).toBeLessThan(3_000);
  });

  it('of more than 1 MB end as `model_bad_answer`', async () => {
    answer = (response) => {
      stream(response);
      response.write(
        event({ tool_calls: [{ index: 0, id: 'a', function: { name: 'create_tag', arguments: '{"name":"' } }] }),
      );
      return pour(response, event({ tool_calls: [{ index: 0, function: { arguments: 'x'.repeat(4_000) } }] }));
    };
    expect((await turn()).code).toBe('model_bad_answer');
  });
});

it('fifty of seventy calls in one answer are pending and can be decided, and the model learns about the others', async () => {
  let isFirst = true;
  answer = (response) => {
    if (!isFirst) return sayOnly('Done.')(response);
    isFirst = false;
    const calls = Array.from({ length: 70 }, (_, index) => ({
      index,
      id: `c${index}`,
      function: { name: 'create_tag', arguments: JSON.stringify({ name: `many-${index}` }) },
    }));
    stream(response).end(`${event({ tool_calls: calls })}${event({}, 'tool_calls')}data: [DONE]\n\n`);
  };
  const { body } = await turn();
  expect(body.status).toBe('awaiting_approval');
  expect(body.tool_calls.filter(({ needs_approval }) => needs_approval)).toHaveLength(50);
  const done = await app.admin.post<TurnAnswer>(`${chat}/approve`, decideAll(body, true));
  expect(done.body.status).toBe('completed');
  expect((await app.admin.get('./tags')).body).toMatchObject({ total_count: 50 });
  expect(JSON.stringify(done.body.executed_rounds)).toMatch(/at most 50/u);
});
