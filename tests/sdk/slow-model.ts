import http from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * An OpenAI-compatible model that writes the first words of an answer immediately and the rest on request, so that an
 * interrupt always hits the middle of an answer, even on a busy machine.
 */
export async function startSlowModel(words: number, before = 5) {
  let waiting: (() => void)[] = [];
  const server = http.createServer((request, response) => {
    request.resume();
    if (!request.url?.endsWith('/chat/completions')) {
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'slow', object: 'model' }] }));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const write = (word: number) => {
      const choice = { index: 0, delta: { content: `word${word} ` }, finish_reason: word === words ? 'stop' : null };
      response.write(`data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [choice] })}\n\n`);
    };
    for (let word = 1; word <= before; word += 1) write(word);
    waiting.push(() => {
      for (let word = before + 1; word <= words; word += 1) write(word);
      response.end('data: [DONE]\n\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    /** Writes the rest of the held answers. */
    goOn() {
      for (const finish of waiting) finish();
      waiting = [];
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
