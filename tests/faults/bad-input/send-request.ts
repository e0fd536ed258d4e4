import http from 'node:http';

export interface SentRequest {
  method: string;
  /** As sent. */
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

export interface ReceivedAnswer {
  status: number;
  headers: http.IncomingHttpHeaders;
  /** Empty for an event stream, which is closed immediately. */
  text: string;
}

export interface Sender {
  /** Throws without an answer: a server must not hang up or stay silent. */
  send(request: SentRequest): Promise<ReceivedAnswer>;
  close(): void;
}

/** Odd requests must be answered quickly; the large form runs beside other work and gets more time. */
const answersWithinMs = Number(process.env['BAD_INPUT_REQUESTS'] ?? 0) > 100 ? 180_000 : 20_000;

/** Sends raw requests: a client library would repair them. */
export function createSender(address: string): Sender {
  const agent = new http.Agent({ keepAlive: true });
  const { hostname, port } = new URL(address);
  return {
    close: () => agent.destroy(),
    send: ({ method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
        const options = { agent, hostname, port, method, path, headers: { ...headers, ...length } };
        const request = http.request({ ...options, timeout: answersWithinMs }, (response) => {
          const answer = { status: response.statusCode ?? 0, headers: response.headers };
          if (response.headers['content-type']?.startsWith('text/event-stream') === true) {
            resolve({ ...answer, text: '' });
            request.destroy();
            return;
          }
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => resolve({ ...answer, text: Buffer.concat(chunks).toString() }));
        });
        request.on('timeout', () => request.destroy(new Error(`no answer within ${answersWithinMs} ms`)));
        request.on('error', reject);
        request.end(body);
      }),
  };
}
