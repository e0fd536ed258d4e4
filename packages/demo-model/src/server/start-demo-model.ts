import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { answerRequest } from '../answer.ts';
import { ApiError } from './api-error.ts';
import { chatRequest, type ChatRequest } from './chat-request.ts';
import { buildCompletion, type Completion, completionBody } from './completion.ts';
import { completionChunks } from './completion-stream.ts';
import { demoModelCard, demoModelName } from './model-card.ts';
import { readJsonBody } from './read-json-body.ts';

export interface DemoModelOptions {
  /** A loopback address; any other is refused. Default `127.0.0.1`. */
  host?: '127.0.0.1' | '::1' | 'localhost';
  /** Default 0: any free port. */
  port?: number;
  /**
   * Pause between chunks of a stream in milliseconds, so that streaming is visible. Default 4; 0 sends at full speed.
   */
  chunkDelayMs?: number;
  /** Largest body in bytes. Default 16 MiB. */
  bodyLimitBytes?: number;
}

export interface DemoModel {
  /** Ends in `/v1`, as clients want it. */
  baseUrl: string;
  model: typeof demoModelName;
  close(): Promise<void>;
}

/**
 * Starts the rule-based model in this process. It stores nothing between requests and makes no network calls.
 *
 * @throws Error when `host` is not loopback, or when the port is in use.
 */
export async function startDemoModel(options: DemoModelOptions = {}): Promise<DemoModel> {
  const { host = '127.0.0.1', port = 0, chunkDelayMs = 4, bodyLimitBytes = 16 * 1024 * 1024 } = options;
  if (!['127.0.0.1', '::1', 'localhost'].includes(host)) {
    throw new Error(`The demo model answers on loopback only, not on ${host}.`);
  }

  const server = createServer((request, response) => {
    handle(request, response, { chunkDelayMs, bodyLimitBytes }).catch((error: unknown) => {
      sendError(response, error);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    baseUrl: `http://${name}:${address.port}/v1`,
    model: demoModelName,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

type Settings = Required<Pick<DemoModelOptions, 'chunkDelayMs' | 'bodyLimitBytes'>>;

async function handle(request: IncomingMessage, response: ServerResponse, settings: Settings): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://loopback').pathname;
  if (request.method === 'GET' && path === '/v1/models') {
    return sendJson(response, 200, { object: 'list', data: [demoModelCard] });
  }
  if (request.method === 'GET' && path === `/v1/models/${demoModelName}`) {
    return sendJson(response, 200, demoModelCard);
  }
  if (request.method === 'POST' && path === '/v1/chat/completions') {
    const asked = checkRequest(await readJsonBody(request, settings.bodyLimitBytes));
    const completion = buildCompletion(asked, answerRequest(asked));
    if (asked.stream !== true) return sendJson(response, 200, completionBody(completion));
    return sendStream(response, completion, asked.stream_options?.include_usage === true, settings.chunkDelayMs);
  }
  throw new ApiError(404, 'not_found', `There is no ${request.method} ${path} here.`);
}

function checkRequest(body: unknown): ChatRequest {
  const parsed = chatRequest.safeParse(body);
  if (!parsed.success) {
    throw new ApiError(400, 'invalid_request', `The request does not fit: ${z.prettifyError(parsed.error)}`);
  }
  if (parsed.data.model !== demoModelName) {
    throw new ApiError(404, 'model_not_found', `The model is not served here; the only one is ${demoModelName}.`);
  }
  return parsed.data;
}

async function sendStream(
  response: ServerResponse,
  completion: Completion,
  includeUsage: boolean,
  delayMs: number,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  for (const chunk of completionChunks(completion, includeUsage)) {
    if (response.destroyed) return;
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    if (delayMs > 0) await pause(delayMs);
  }
  response.end('data: [DONE]\n\n');
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}

function sendError(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  if (error instanceof ApiError) {
    // The unread rest of a refused body would precede the next request on this connection.
    response.setHeader('connection', 'close');
    return sendJson(response, error.status, error.body());
  }
  console.error('The demo model failed:', error instanceof Error ? error.stack : error);
  sendJson(response, 500, new ApiError(500, 'internal_error', 'The demo model failed.').body());
}
