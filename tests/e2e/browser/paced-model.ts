import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A model's answer to a message: thoughts, then text in pieces, then calls. */
export interface PacedAnswer {
  thoughts?: string[];
  pieces?: string[];
  everyMs?: number;
  /** Holds back the pieces from this one on until the promise resolves: the test decides when the answer goes on. */
  hold?: { from: number; until: Promise<void> };
  calls?: { name: string; arguments: object }[];
}

export interface PacedModel {
  /** With `/v1`. */
  url: string;
  stop(): void;
}

/**
 * An OpenAI-compatible server that writes at a given pace. `answerTo` gets the user's last message, the number of answers to
 * it so far, and the body of the request.
 */
export async function startPacedModel(
  answerTo: (message: string, round: number, request: string) => PacedAnswer,
): Promise<PacedModel> {
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (!request.url?.endsWith('/chat/completions')) {
        response.end(JSON.stringify({ object: 'list', data: [{ id: 'paced', object: 'model' }] }));
        return;
      }
      const { messages }: { messages: { role: string; content?: unknown }[] } = JSON.parse(body);
      const asked = messages.findLastIndex(({ role }) => role === 'user');
      const round = messages.slice(asked).filter(({ role }) => role === 'assistant').length;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      void write(response, answerTo(JSON.stringify(messages[asked]?.content), round, body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function write(response: http.ServerResponse, answer: PacedAnswer): Promise<void> {
  const say = (delta: object, finish_reason: string | null = null) => {
    const choices = [{ index: 0, delta, finish_reason }];
    response.write(
      `data: ${JSON.stringify({ id: 'p', object: 'chat.completion.chunk', created: 0, model: 'paced', choices })}\n\n`,
    );
  };
  const { thoughts = [], pieces = [], everyMs = 0, hold, calls = [] } = answer;
  const deltas = [
    ...thoughts.map((reasoning_content) => ({ reasoning_content })),
    ...pieces.map((content) => ({ content })),
  ];
  let next = Date.now();
  for (const [index, delta] of deltas.entries()) {
    if (index === hold?.from) {
      await hold.until;
      next = Date.now();
    }
    if (response.destroyed) return;
    say({ role: 'assistant', ...delta });
    next += everyMs;
    const ahead = next - Date.now();
    if (ahead > 0) await sleep(ahead);
  }
  const tool_calls = calls.map(({ name, arguments: args }, index) => ({
    index,
    id: `call-${randomUUID()}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  if (calls.length > 0) say({ role: 'assistant', tool_calls });
  say({}, calls.length > 0 ? 'tool_calls' : 'stop');
  response.end('data: [DONE]\n\n');
}
