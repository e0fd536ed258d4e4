import { addAbortSignal, Readable } from 'node:stream';
import OpenAI, { APIError } from 'openai';
import { StatusError } from './model-failure.ts';
import { nodeBodyOf, nodeFetch } from './node-fetch.ts';

export interface OpenAiConnectionOptions {
  /** Of an OpenAI-compatible API, usually ending in `/v1`. */
  readonly baseUrl: string;
  /** Some servers want none. */
  readonly apiKey?: string;
  /** `nodeFetch` where unset, whose bodies cost the least. */
  readonly fetch?: typeof fetch;
}

/** An answer that is no error: the beginning of its body may have come. */
export interface CompletionAnswer {
  readonly contentType: string;
  readonly body: Readable | undefined;
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
