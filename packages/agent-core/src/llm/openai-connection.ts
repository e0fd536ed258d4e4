import OpenAI, { APIError } from 'openai';
import { StatusError } from './model-failure.ts';

export interface OpenAiConnectionOptions {
  /** Of an OpenAI-compatible API, usually ending in `/v1`. */
  readonly baseUrl: string;
  /** Some servers want none. */
  readonly apiKey?: string;
  readonly fetch?: typeof fetch;
}

/** Sends one request for a completion, as JSON; an answer with an error status is thrown as StatusError. */
export type PostCompletion = (json: string, signal: AbortSignal) => Promise<Response>;

/** The one place that speaks to the SDK: addresses, headers and errors are its own, tries and time limits are ours. */
export function connectOpenAi({ baseUrl, apiKey, fetch }: OpenAiConnectionOptions): PostCompletion {
  const openai = new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey === undefined || apiKey === '' ? 'none' : apiKey,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    ...(fetch === undefined ? {} : { fetch }),
  });
  return async (json, signal) => {
    try {
      const post = { body: json, headers: { 'content-type': 'application/json' }, signal };
      return await openai.post('/chat/completions', post).asResponse();
    } catch (error) {
      if (!(error instanceof APIError) || error.status === undefined) throw error;
      throw new StatusError(error.status, error.error, error.message, error.headers);
    }
  };
}
