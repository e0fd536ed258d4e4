import { Readable, addAbortSignal } from 'node:stream';
import OpenAI, { APIError } from 'openai';
import { Agent, EnvHttpProxyAgent, interceptors, request, type Dispatcher } from 'undici';
import { StatusError } from '../model-errors.ts';
import type { CompletionAnswer } from '../stream/completion-body.ts';

const bodies = new WeakMap<Response, Readable>();
const maxRedirections = 5;
let dispatcher: Dispatcher | undefined;

/**
 * A fetch for answers that stream. A web stream gives each piece of a chunked body by a promise of its own, which costs
 * more than to read what is in it; a stream of Node gives at once what has come. So the Response of a status that is no
 * error has no body: `nodeBodyOf` gives it.
 */
const nodeFetch: typeof fetch = async (input, init = {}) => {
  if (input instanceof Request) throw new TypeError('The request is given by its address.');
  const { statusCode, headers, body } = await request(input, {
    dispatcher: (dispatcher ??= connectTo()),
    method: init.method ?? 'GET',
    headers: new Headers(init.headers),
    body: init.body as string,
    signal: init.signal ?? null,
  });
  const isError = statusCode >= 300;
  const text = isError ? await beginningOf(body) : '';
  const response = new Response(text === '' ? null : text, { status: statusCode, headers: headersOf(headers) });
  if (!isError) bodies.set(response, body);
  return response;
};

/** The body of an answer of `nodeFetch`. */
function nodeBodyOf(response: Response): Readable | undefined {
  return bodies.get(response);
}

/** Bytes of an answer with an error status that are read: what it says stands at its beginning. */
const maxErrorBytes = 64 * 1024;
/** An error may also trickle: what has come by then is what it says. */
const errorBodyMs = 10_000;

/** The beginning of a body as text; the rest is never read. */
async function beginningOf(body: Readable): Promise<string> {
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
    // A body that breaks off has said what it has said.
  } finally {
    clearTimeout(late);
    body.on('error', () => undefined);
    body.destroy();
  }
  return Buffer.concat(pieces).subarray(0, maxErrorBytes).toString('utf8');
}

/** A fetch of which an answer with an error status has at most 64 kB. */
export function withShortErrors(anyFetch: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await anyFetch(input, init);
    if (response.status < 300 || response.body === null) return response;
    const text = await beginningOf(Readable.fromWeb(response.body));
    const { status, headers } = response;
    return new Response(text === '' ? null : text, { status, headers });
  };
}

/** Goes through a proxy where Node's own fetch would. */
function connectTo(): Dispatcher {
  const agent = process.env['NODE_USE_ENV_PROXY'] === '1' ? new EnvHttpProxyAgent() : new Agent();
  return agent.compose(interceptors.redirect({ maxRedirections: maxRedirections }));
}

function headersOf(headers: Record<string, string | string[] | undefined>): [name: string, value: string][] {
  return Object.entries(headers).flatMap(([name, values = []]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
}

export interface OpenAiConnectionOptions {
  /** Of an OpenAI-compatible API, usually ending in `/v1`. */
  readonly baseUrl: string;
  /** Some servers want none. */
  readonly apiKey?: string;
  /** `nodeFetch` where unset, whose bodies cost the least. */
  readonly fetch?: typeof fetch;
}

/** Sends one request for a completion, as JSON; an answer with an error status is thrown as StatusError. */
export type PostCompletion = (json: string, signal: AbortSignal) => Promise<CompletionAnswer>;

/** The one place that speaks to the SDK: addresses, headers and errors are its own, tries and time limits are ours. */
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
      const post = { body: json, headers: { 'content-type': 'application/json' }, signal };
      const response = await openai.post('/chat/completions', post).asResponse();
      const body = nodeBodyOf(response) ?? (response.body ? Readable.fromWeb(response.body) : undefined);
      // The SDK passes the signal on only for as long as somebody holds its response.
      if (body) addAbortSignal(signal, body);
      return { contentType: response.headers.get('content-type') ?? '', body };
    } catch (error) {
      if (!(error instanceof APIError) || error.status === undefined) throw error;
      throw new StatusError(error.status, error.error, error.message, error.headers);
    }
  };
}
