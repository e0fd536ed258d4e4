import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { answerRequest } from '../answer/answer-request.ts';
import type { Token } from '../protocol/answer.ts';
import { chatRequest, type CompletionRequest } from '../protocol/chat-request.ts';
import { buildCompletion, type Completion, completionBody, envelope, logprobsOf } from './completion.ts';
import { demoModelCard, demoModelName } from './model-card.ts';

export interface DemoModelOptions {
  /** A loopback address. Other addresses are refused. Default `127.0.0.1`. */
  host?: '127.0.0.1' | '::1' | 'localhost';
  /** Default 0: any free port. */
  port?: number;
  /** Pause between chunks of a stream in milliseconds, so that streaming is visible. Default 4; 0 sends at full speed. */
  chunkDelayMs?: number;
  /** Largest body in bytes. Default 16 MiB. */
  bodyLimitBytes?: number;
}

export interface DemoModel {
  /** Ends with `/v1`, as clients expect. */
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
    const body = checkRequest(await readJsonBody(request, settings.bodyLimitBytes));
    const completion = buildCompletion(body, answerRequest(body));
    if (body.stream !== true) return sendJson(response, 200, completionBody(completion));
    return sendStream(response, completion, body.stream_options?.include_usage === true, settings.chunkDelayMs);
  }
  throw new ApiError(404, 'not_found', `There is no ${request.method} ${path} here.`);
}

function checkRequest(body: unknown): CompletionRequest {
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
    // On a kept connection, the unread rest of a refused body would come before the next request.
    response.setHeader('connection', 'close');
    return sendJson(response, error.status, error.body());
  }
  console.error('The demo model failed:', error instanceof Error ? error.stack : error);
  sendJson(response, 500, new ApiError(500, 'internal_error', 'The demo model failed.').body());
}

const maxPieceLength = 32;

/** Splits a text into words with the spaces after them, and longer words into pieces. */
function piecesOf(text: string): string[] {
  const words = text.match(/\s*\S+\s*/gu) ?? [];
  return words.flatMap((word) => word.match(new RegExp(`[\\s\\S]{1,${maxPieceLength}}`, 'gu')) ?? []);
}

/** The chunks of a streamed answer in OpenAI's order: role, text, calls, finish reason, and usage on request. */
function* completionChunks(completion: Completion, includeUsage: boolean): Generator<object> {
  const chunk = (delta: object, finishReason: string | null = null, tokens?: readonly Token[]) => ({
    ...envelope(completion, 'chat.completion.chunk'),
    choices: [{ index: 0, delta, logprobs: tokens ? logprobsOf(tokens) : null, finish_reason: finishReason }],
    ...(includeUsage ? { usage: null } : {}),
  });

  yield chunk({ role: 'assistant', content: '' });
  const pieces = completion.tokens ?? piecesOf(completion.text).map((text) => ({ text }));
  for (const piece of pieces) yield chunk({ content: piece.text }, null, 'probability' in piece ? [piece] : undefined);
  for (const [index, call] of completion.calls.entries()) {
    const { id, type } = call;
    yield chunk({ tool_calls: [{ index, id, type, function: { name: call.function.name, arguments: '' } }] });
    for (const piece of piecesOf(call.function.arguments)) {
      yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
  yield chunk({}, completion.finishReason);
  if (includeUsage) {
    yield { ...envelope(completion, 'chat.completion.chunk'), choices: [], usage: completion.usage };
  }
}

/**
 * Parses the request's body as JSON.
 *
 * @throws ApiError 413 beyond `limitBytes`, 400 when it is not JSON.
 */
async function readJsonBody(request: IncomingMessage, limitBytes: number): Promise<unknown> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    const bytes = part as Buffer;
    length += bytes.length;
    if (length > limitBytes) {
      throw new ApiError(413, 'request_too_large', `The request is larger than ${limitBytes} bytes. Send less text.`);
    }
    parts.push(bytes);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    throw new ApiError(400, 'invalid_json', 'The body is not valid JSON.');
  }
}

/** An error in OpenAI's format. Users see its message. */
class ApiError extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.type = status >= 500 ? 'server_error' : 'invalid_request_error';
    this.code = code;
  }

  body(): { error: { message: string; type: string; code: string; param: null } } {
    return { error: { message: this.message, type: this.type, code: this.code, param: null } };
  }
}
