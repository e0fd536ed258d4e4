import { Readable, addAbortSignal } from 'node:stream';
import OpenAI, { APIError } from 'openai';
import { Agent, EnvHttpProxyAgent, interceptors, request, type Dispatcher } from 'undici';
import { StatusError } from '../model-failure.ts';
import type { CompletionAnswer } from '../stream/completion-body.ts';

const bodies = new WeakMap<Response, Readable>();
const maxRedirections = 5;
let dispatcher: Dispatcher | undefined;

/**
 * A fetch for answers that stream. A web stream gives each piece of a chunked body by a promise of its own, which costs
 * more than to read what is in it; a stream of Node gives at once what has come. So the Response of a status that is no
 * error has no body: `nodeBodyOf` gives it.
 */
export const nodeFetch: typeof fetch = async (input, init = {}) => {
  if (input instanceof Request) throw new TypeError('The request is given by its address.');
  const { statusCode, headers, body } = await request(input, {
    dispatcher: (dispatcher ??= connectTo()),
    method: init.method ?? 'GET',
    headers: new Headers(init.headers),
    body: init.body as string,
    signal: init.signal ?? null,
  });
  const isError = statusCode >= 300;
  const text = isError ? await body.text() : '';
  const response = new Response(text === '' ? null : text, { status: statusCode, headers: headersOf(headers) });
  if (!isError) bodies.set(response, body);
  return response;
};

/** The body of an answer of `nodeFetch`. */
export function nodeBodyOf(response: Response): Readable | undefined {
  return bodies.get(response);
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
    fetch,
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
