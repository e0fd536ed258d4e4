import { Readable, addAbortSignal } from 'node:stream';
import OpenAI, { APIError } from 'openai';
import { Agent, EnvHttpProxyAgent, interceptors, request, type Dispatcher } from 'undici';
import { traceHeaders } from '../../tracing/traced.ts';
import { StatusError } from '../model-errors.ts';
import type { CompletionAnswer } from '../stream/completion-body.ts';

const bodies = new WeakMap<Response, Readable>();
const maxRedirections = 5;
let dispatcher: Dispatcher | undefined;

/**
 * A fetch for streamed answers. A web stream needs a promise for each piece of a chunked body, which costs more than
 * reading it; a Node stream returns all data that has arrived. The Response of a successful request therefore has no body:
 * `nodeBodyOf` returns it.
 */
const nodeFetch: typeof fetch = async (input, init = {}) => {
  if (input instanceof Request) throw new TypeError('nodeFetch takes a URL, not a Request.');
  const { statusCode, headers, body } = await request(input, {
    dispatcher: (dispatcher ??= createDispatcher()),
    method: init.method ?? 'GET',
    headers: new Headers(init.headers),
    body: init.body as string,
    signal: init.signal ?? null,
  });
  const isError = statusCode >= 300;
  const text = isError ? await readBeginning(body) : '';
  const response = new Response(text === '' ? null : text, { status: statusCode, headers: headersOf(headers) });
  if (!isError) bodies.set(response, body);
  return response;
};

/** The body of a Response of `nodeFetch`. */
function nodeBodyOf(response: Response): Readable | undefined {
  return bodies.get(response);
}

/** Maximum number of bytes that are read of an error; its message is at the beginning. */
const maxErrorBytes = 64 * 1024;
/** Time limit for reading an error. */
const errorBodyMs = 10_000;

/** The beginning of a body as text. The rest is not read. */
async function readBeginning(body: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  const late = setTimeout(() => body.destroy(), errorBodyMs);
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes >= maxErrorBytes) break;
    }
  } catch {
    // Use the part that arrived.
  } finally {
    clearTimeout(late);
    body.on('error', () => undefined);
    body.destroy();
  }
  return Buffer.concat(pieces).subarray(0, maxErrorBytes).toString('utf8');
}

/** Wraps a fetch: the body of an error has at most 64 kB. */
export function withShortErrors(anyFetch: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await anyFetch(input, init);
    if (response.status < 300 || response.body === null) return response;
    const text = await readBeginning(Readable.fromWeb(response.body));
    const { status, headers } = response;
    return new Response(text === '' ? null : text, { status, headers });
  };
}

/** Uses a proxy in the same cases as Node's own fetch. */
function createDispatcher(): Dispatcher {
  const agent = process.env['NODE_USE_ENV_PROXY'] === '1' ? new EnvHttpProxyAgent() : new Agent();
  return agent.compose(interceptors.redirect({ maxRedirections: maxRedirections }));
}

function headersOf(headers: Record<string, string | string[] | undefined>): [name: string, value: string][] {
  return Object.entries(headers).flatMap(([name, values = []]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
}

export interface OpenAiConnectionOptions {
  /** The URL of an OpenAI-compatible API, usually ending in `/v1`. */
  readonly baseUrl: string;
  /** Some servers need none. */
  readonly apiKey?: string;
  /** `nodeFetch` by default, which is the fastest. */
  readonly fetch?: typeof fetch;
}

/** Sends one completion request as JSON. Throws a StatusError for an error status. */
export type PostCompletion = (json: string, signal: AbortSignal) => Promise<CompletionAnswer>;

/** The only place that uses the SDK. It handles addresses, headers and errors; retries and time limits are ours. */
export function connectOpenAi({ baseUrl, apiKey, fetch = nodeFetch }: OpenAiConnectionOptions): PostCompletion {
  const openai = new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey === undefined || apiKey === '' ? 'none' : apiKey,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    fetch: fetch === nodeFetch ? nodeFetch : withShortErrors(fetch),
  });
  return async (json, signal) => {
    try {
      const post = { body: json, headers: { 'content-type': 'application/json', ...traceHeaders() }, signal };
      const response = await openai.post('/chat/completions', post).asResponse();
      const body = nodeBodyOf(response) ?? (response.body ? Readable.fromWeb(response.body) : undefined);
      // The SDK stops forwarding the signal when its response is garbage-collected.
      if (body) addAbortSignal(signal, body);
      return { contentType: response.headers.get('content-type') ?? '', body };
    } catch (error) {
      if (!(error instanceof APIError) || error.status === undefined) throw error;
      throw new StatusError(error.status, error.error, error.message, error.headers);
    }
  };
}
