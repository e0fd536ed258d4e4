import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** An OpenAI-compatible model that writes a word every tenth of a second, as many as it is given time for. */
export async function startSlowModel(words: number) {
  const server = http.createServer((request, response) => {
    request.resume();
    if (!request.url?.endsWith('/chat/completions')) {
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'slow', object: 'model' }] }));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let written = 0;
    const timer = setInterval(() => {
      written += 1;
      const ends = written === words;
      const choice = { index: 0, delta: { content: `word${written} ` }, finish_reason: ends ? 'stop' : null };
      response.write(`data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [choice] })}\n\n`);
      if (!ends) return;
      clearInterval(timer);
      response.end('data: [DONE]\n\n');
    }, 100);
    response.on('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
