import { readBaseUrl } from './base-url.ts';
import { clientError, DocwrightError, errorOfFetch, errorOfResponse } from './docwright-error.ts';
import { backoffMilliseconds, sleep } from './sleep.ts';

/** How a client reaches the server. */
export interface TransportOptions {
  /** The address of the server, such as `http://127.0.0.1:3000`. It can have a path, if a proxy serves Docwright below one. */
  baseUrl: string;
  /** An access token, or the `access_token` of a sign-in. */
  token?: string | undefined;
  /**
   * Time limit of one request in milliseconds; 0 for none. Default: 30,000, and 600,000 for calls that wait for a model.
   * Reading a stream has no limit.
   */
  timeoutMs?: number | undefined;
  /**
   * Number of retries of a GET that did not reach the server, and of any request refused with 429 and `Retry-After`.
   * Default: 2.
   */
  retries?: number | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch | undefined;
}

/**
 * The last argument of every call.
 *
 * @example
 * ```ts
 * import type { CallOptions, Docwright } from '@docwright/sdk';
 *
 * declare const docwright: Docwright;
 * const options: CallOptions = { signal: AbortSignal.timeout(5_000), timeoutMs: 1_000 };
 * console.log((await docwright.tags.list({}, options)).total_count);
 * ```
 */
export interface CallOptions {
  /** Aborts the call, which then throws the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** Time limit of each request in milliseconds; 0 for none. Default: the limit of the client. */
  timeoutMs?: number | undefined;
}

/** One request. */
export interface RequestOptions extends CallOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged, and only once: a request with a raw body is not retried. */
  stream?: { body: ReadableStream<Uint8Array>; contentType: string };
  headers?: Record<string, string>;
}

/** Sends requests to one server. */
export interface Transport {
  readonly baseUrl: string;
  /** The response as soon as its headers arrive. Reading its body has no time limit. */
  open(path: string, options?: RequestOptions): Promise<Response>;
  /** The JSON body of the answer, typed as the contract declares it. */
  json<Answer>(path: string, options?: RequestOptions): Promise<Answer>;
  /** Sends a request whose answer has no body. */
  done(path: string, options?: RequestOptions): Promise<void>;
}

const defaultTimeoutMs = 30_000;
/** A timer of more milliseconds would end at once. */
const maxTimeoutMs = 2 ** 31 - 1;
/** A longer `Retry-After` is not waited for: the call throws. */
const maxRetryAfterSeconds = 60;

export function createTransport(given: TransportOptions): Transport {
  const baseUrl = readBaseUrl(given.baseUrl);
  const { origin } = new URL(baseUrl);
  const { token, retries = 2 } = given;
  const fetchWith = given.fetch ?? fetch;

  async function attempt<Result>(
    path: string,
    options: RequestOptions,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const { method = 'GET', body, stream, headers = {}, signal } = options;
    const timeoutMs = options.timeoutMs ?? given.timeoutMs ?? defaultTimeoutMs;
    const late = new AbortController();
    const timer = timeoutMs > 0 ? setTimeout(() => late.abort(), Math.min(timeoutMs, maxTimeoutMs)) : undefined;
    try {
      const response = await fetchWith(baseUrl + path, {
        method,
        redirect: 'manual',
        headers: {
          accept: 'application/json',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(stream && { 'content-type': stream.contentType }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(stream && { body: stream.body, duplex: 'half' as const }),
        signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
      });
      if (response.status >= 300 && response.status < 400) throw redirected(origin, response.headers.get('location'));
      if (!response.ok) throw await errorOfResponse(response, origin);
      return await read(response);
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      if (error instanceof DocwrightError) throw error;
      if (late.signal.aborted) {
        throw clientError('timeout', `${origin} did not answer within ${timeoutMs / 1000} seconds.`, error);
      }
      throw errorOfFetch(error, origin);
    } finally {
      clearTimeout(timer);
    }
  }

  async function request<Result>(
    path: string,
    options: RequestOptions,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    for (let failures = 0; ; failures += 1) {
      try {
        return await attempt(path, options, read);
      } catch (error) {
        const wait = failures < retries ? retryDelay(error, options, failures) : undefined;
        if (wait === undefined) throw error;
        await sleep(wait, options.signal);
      }
    }
  }

  return {
    baseUrl,
    open: (path, options = {}) => request(path, options, async (response) => response),
    json: (path, options = {}) => request(path, options, (response) => readJson(response, origin)),
    done: (path, options = {}) =>
      request(path, options, async (response) => {
        await response.body?.cancel();
      }),
  };
}

/** Milliseconds until a retry; undefined if the request must not be retried, because it may have been executed. */
function retryDelay(error: unknown, options: RequestOptions, failures: number): number | undefined {
  if (!(error instanceof DocwrightError) || options.stream !== undefined) return undefined;
  const { status, code, retryAfterSeconds } = error;
  const retryAfterMs = retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000;
  if (retryAfterSeconds !== undefined && retryAfterSeconds > maxRetryAfterSeconds) return undefined;
  if (status === 429) return retryAfterMs;
  const isGet = (options.method ?? 'GET') === 'GET';
  const isTemporary = code === 'unreachable' || status === 502 || status === 503 || status === 504;
  return isGet && isTemporary ? (retryAfterMs ?? backoffMilliseconds(failures)) : undefined;
}

async function readJson<Answer>(response: Response, origin: string): Promise<Answer> {
  if (response.status === 204) return undefined as Answer;
  const text = await response.text();
  try {
    return JSON.parse(text) as Answer;
  } catch (error) {
    const message = `${origin} answered, but not like a Docwright server. Check the address.`;
    throw clientError('not_docwright', message, error);
  }
}

/** Redirects are refused: following one would turn a POST into a GET, or send the token to another host. */
function redirected(origin: string, location: string | null): DocwrightError {
  const target = location ?? 'another address';
  return clientError('redirected', `${origin} redirects to ${target}. Give that server's own address.`);
}
