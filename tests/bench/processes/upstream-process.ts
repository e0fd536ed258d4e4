import http from 'node:http';
import { setImmediate as tick, setTimeout as sleep } from 'node:timers/promises';

/**
 * A model that answers every request with the same stream of chunks: as fast as the socket accepts them, or the first one after
 * some milliseconds and each other one after some more; after 0, as soon as other answers had their turn.
 */

const chunks = Number(process.argv[2]);
const [firstMs, everyMs] = process.argv.slice(3).map(Number);
const chunk = (fields: object) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-0123456789abcdef', object: 'chat.completion.chunk', created: 1_760_000_000, model: 'bench', ...fields })}\n\n`;
const words = Array.from({ length: chunks }, (_, index) =>
  chunk({ choices: [{ index: 0, delta: { content: ` word${index}` }, finish_reason: null }] }),
);
const usage = { prompt_tokens: 2000, completion_tokens: chunks, total_tokens: 2000 + chunks };
const end =
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
  chunk({ choices: [], usage }) +
  'data: [DONE]\n\n';

const server = http.createServer((request, response) => {
  if (request.method === 'GET') {
    response
      .setHeader('content-type', 'application/json')
      .end('{"object":"list","data":[{"id":"bench","object":"model"}]}');
    return;
  }
  request.resume().on('end', () => void answer(response));
});
async function answer(response: http.ServerResponse): Promise<void> {
  response.setHeader('content-type', 'text/event-stream');
  if (firstMs !== undefined) await sleep(firstMs);
  for (const word of words) {
    response.write(word);
    if (everyMs === 0) await tick();
    else if (everyMs !== undefined) await sleep(everyMs);
  }
  response.end(end);
}

// Longer than a round, so that a reused connection is never closed during the next request.
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`listening ${typeof address === 'object' ? address?.port : ''}`);
});
