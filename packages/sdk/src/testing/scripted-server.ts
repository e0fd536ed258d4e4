import http from 'node:http';
import type { AddressInfo } from 'node:net';

type Handler = (request: http.IncomingMessage, response: http.ServerResponse, body: string) => void;

/** A loopback server that answers each request with the next handler, and records the requests. */
export async function startScriptedServer(...handlers: Handler[]) {
  const requests: { method: string; url: string; headers: http.IncomingHttpHeaders; body: string }[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      const handler = handlers.shift();
      if (handler === undefined) response.destroy();
      else handler(request, response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers with JSON, or with a text. */
export function answer(status: number, body: unknown, headers: Record<string, string> = {}): Handler {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** Answers with an error in the form of the API. */
export function refuse(status: number, code: string, headers?: Record<string, string>): Handler {
  return answer(
    status,
    { error: { code, message: `It is ${code}.`, request_id: 'r-1', details: { why: 1 } } },
    headers,
  );
}

/** Writes these frames and then ends the response, or aborts the connection. */
export function frames(events: { id?: number; event?: string; data: object }[], end: 'end' | 'break' = 'end'): Handler {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const text = events
      .map(({ id, event, data }) => {
        const fields = [id === undefined ? '' : `id: ${id}\n`, event === undefined ? '' : `event: ${event}\n`];
        return `${fields.join('')}data: ${JSON.stringify(data)}\n\n`;
      })
      .join('');
    response.write(text, () => {
      if (end === 'end') response.end();
      else setTimeout(() => response.destroy(), 20);
    });
  };
}
