import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';

/**
 * A model without latency. It runs in its own thread, so that its CPU time is not measured. It calls a tool until the
 * conversation has `rounds` results, then it writes its text, one event at a time, as services do.
 */

const rounds = 10;

function chunk(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }];
  const head = {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'bench',
    system_fingerprint: 'fp',
  };
  return `data: ${JSON.stringify({ ...head, choices })}\n\n`;
}

function usage(): string {
  return 'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":4000,"completion_tokens":40,"total_tokens":4040}}\n\n';
}

function callEvents(round: number): string[] {
  const args = JSON.stringify({ id: 'a'.repeat(24), name: `revision ${round}`, limit: 10 });
  const pieces = args.match(/.{1,6}/gs) ?? [];
  const call = { index: 0, id: `call_${round}`, type: 'function', function: { name: `tool_${round}`, arguments: '' } };
  return [
    chunk({ role: 'assistant', content: null, tool_calls: [call] }),
    ...pieces.map((piece) => chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
    chunk({}, 'tool_calls'),
    usage(),
    'data: [DONE]\n\n',
  ];
}

function textEvents(): string[] {
  const words = Array.from({ length: 40 }, (_, at) => chunk({ content: `word${at} ` }));
  return [chunk({ role: 'assistant', content: '' }), ...words, chunk({}, 'stop'), usage(), 'data: [DONE]\n\n'];
}

const answers = [...Array.from({ length: rounds }, (_, round) => callEvents(round)), textEvents()];

const server = http.createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const { messages } = JSON.parse(Buffer.concat(pieces).toString()) as { messages: { role: string }[] };
    const round = messages.filter(({ role }) => role === 'tool').length;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of answers[round] ?? textEvents()) response.write(event);
    response.end();
  });
});
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port, []));
