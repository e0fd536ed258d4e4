import { errorFromText, networkError } from './api-error.ts';
import { reportAnswer, reportFailure } from './connection.ts';

export interface HttpOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  signal?: AbortSignal | undefined;
  headers?: Record<string, string>;
}

/** Adds the organization, for paths that do not name one. */
export const inOrganization = (orgId: string, options: HttpOptions = {}): HttpOptions => ({
  ...options,
  headers: { ...options.headers, 'x-org-id': orgId },
});

/** Sends a request with the session cookie; throws `ApiError` if the answer is not a success. */
export async function send(path: string, options: HttpOptions = {}): Promise<Response> {
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

/** Sends a request and returns its JSON answer, unchecked: the server validates its answers against the contract. */
export async function requestJson<Answer>(path: string, options: HttpOptions = {}): Promise<Answer> {
  const response = await send(path, options);
  return (await response.json()) as Answer;
}

/** Builds a query string of all values that are set; lists are comma-separated, as the contract reads them. */
export function queryString(values: Record<string, string | number | boolean | string[] | undefined>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    const text = Array.isArray(value) ? value.join(',') : value;
    if (text !== undefined && text !== '') params.set(name, String(text));
  }
  const query = params.toString();
  return query === '' ? '' : `?${query}`;
}
