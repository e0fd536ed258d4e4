import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorBody } from '@docwright/contract';

/** Maximum number of requests of a connection that wait for the one before. Browsers and proxies send none in advance. */
const maxWaiting = 16;

/** The requests of a connection that wait, while one of it is under way. */
type Waiting = [IncomingMessage, ServerResponse][];

/**
 * A server that works on one request of a connection at a time. Node starts all requests that arrive together, and 64 kB
 * hold more than a thousand: they would keep the process from all other clients. A connection that sends too many in
 * advance is closed.
 */
export function createHttpServer(
  handler: RequestListener,
  { keepAliveTimeout, requestTimeout }: { keepAliveTimeout?: number; requestTimeout?: number },
): Server {
  const waitingOf = new WeakMap<Socket, Waiting>();

  function work(request: IncomingMessage, response: ServerResponse, waiting: Waiting): void {
    response.once('close', () => {
      const next = waiting.shift();
      if (next === undefined) waitingOf.delete(request.socket);
      // Other connections get their turn in between.
      else setImmediate(() => (request.socket.destroyed ? undefined : work(...next, waiting)));
    });
    handler(request, response);
  }

  const server = createServer((request, response) => {
    const { socket } = request;
    // What was read together with the request that closed the connection still arrives here.
    if (socket.destroyed || socket.writableEnded) return;
    const repeated = onceOnly.find((name) => (request.headersDistinct[name]?.length ?? 0) > 1);
    if (repeated !== undefined) {
      // Within the answer to another request, this one would be taken for a part of it.
      if (waitingOf.has(socket)) socket.destroy();
      else end(socket, '400 Bad Request', 'malformed_request', `The request has more than one header ${repeated}.`);
      return;
    }
    // Hooks, streams and the framework wait for its end, an answer of MCP with eleven listeners: Node warns of a leak from there on.
    response.setMaxListeners(20);
    const waiting = waitingOf.get(socket);
    if (waiting === undefined) {
      const first: Waiting = [];
      waitingOf.set(socket, first);
      work(request, response, first);
    } else if (waiting.length < maxWaiting) waiting.push([request, response]);
    else socket.destroy();
  });
  if (keepAliveTimeout !== undefined) server.keepAliveTimeout = keepAliveTimeout;
  if (requestTimeout !== undefined) server.requestTimeout = requestTimeout;
  return server;
}

/** A proxy and this server could each take another one of them. Node takes the first, and refuses a second length itself. */
const onceOnly = ['host', 'authorization', 'content-type'] as const;

/** Answers a request that Node could not parse as HTTP with an ordinary error body, and closes the connection. */
export function answerUnreadableRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, code, message]: [string, string, string] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'headers_too_large', 'The headers are larger than 16 kB.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'request_timeout', 'The request did not arrive in time.']
        : ['400 Bad Request', 'malformed_request', 'The request is not HTTP.'];
  end(socket, status, code, message);
}

/** Answers with an ordinary error body, and closes the connection. */
function end(socket: Socket, status: string, code: string, message: string): void {
  const errorBody: ErrorBody = { error: { code, message, request_id: randomUUID() } };
  const body = JSON.stringify(errorBody);
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
