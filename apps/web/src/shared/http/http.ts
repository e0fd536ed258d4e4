import { errorFromText, networkError } from './api-error.ts';
import { reportAnswer, reportFailure } from './connection.ts';

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  signal?: AbortSignal | undefined;
  headers?: Record<string, string>;
}

/** Sends one request with the session's cookie; throws `ApiError` for anything but a success. */
export async function send(path: string, options: RequestOptions = {}): Promise<Response> {
  const { method = 'GET', body, signal, headers = {} } = options;
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      credentials: 'same-origin',
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted !== true) reportFailure();
    throw networkError(error);
  }
  reportAnswer();
  if (!response.ok) throw errorFromText(response.status, await response.text().catch(() => ''));
  return response;
}

/** The JSON answer of one request. The server checks its answers against the contract; here they are taken as such. */
export async function requestJson<Answer>(path: string, options: RequestOptions = {}): Promise<Answer> {
  const response = await send(path, options);
  return (await response.json()) as Answer;
}

/** A query string of what is set; lists are comma separated, as the contract reads them. */
export function queryString(values: Record<string, string | number | boolean | string[] | undefined>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    const text = Array.isArray(value) ? value.join(',') : value;
    if (text !== undefined && text !== '') params.set(name, String(text));
  }
  const query = params.toString();
  return query === '' ? '' : `?${query}`;
}
