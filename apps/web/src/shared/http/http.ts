import { errorFromText, networkError } from './api-error.ts';
import type { HttpMethod, RequestDescribed, SendDescribed } from './described-request.ts';
import { reportAnswer, reportFailure } from './connection.ts';

interface HttpOptions {
  method?: HttpMethod;
  query?: QueryValues | undefined;
  body?: unknown;
  /** The organization, for paths that do not name one. */
  orgId?: string | undefined;
  signal?: AbortSignal | undefined;
  headers?: Record<string, string>;
}

type QueryValues = Record<string, string | number | boolean | readonly string[] | undefined>;

/** `send` for the routes that the contract does not describe as operations: conversations and OAuth. */
export async function sendUndescribed(path: string, options: HttpOptions = {}): Promise<Response> {
  const { method = 'GET', query, body, orgId, signal, headers } = options;
  let response: Response;
  try {
    response = await fetch(path + queryString({ ...query }), {
      method,
      credentials: 'same-origin',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(orgId !== undefined && { 'x-org-id': orgId }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted !== true) reportFailure();
    throw networkError(error);
  }
  reportAnswer();
  if (!response.ok) {
    const text = await response.text().catch(() => '');
    throw errorFromText(response.status, text, method === 'GET' ? path : undefined);
  }
  return response;
}

/** `requestJson` for the routes that the contract does not describe as operations. */
export async function requestUndescribed<Answer>(path: string, options: HttpOptions = {}): Promise<Answer> {
  const response = await sendUndescribed(path, options);
  return (await response.json()) as Answer;
}

/**
 * Sends a request with the session cookie; throws `ApiError` if the answer is not a success. The method and the path name an
 * operation of the contract, which types the query and the body.
 */
export const send: SendDescribed = sendUndescribed;

/** Sends a request and returns its JSON answer, unchecked: the server validates its answers against the contract. */
export const requestJson: RequestDescribed = requestUndescribed;

/** Builds a query string of all values that are set; lists are comma-separated, as the contract reads them. */
export function queryString(values: QueryValues): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    const text = Array.isArray(value) ? value.join(',') : value;
    if (text !== undefined && text !== '') params.set(name, String(text));
  }
  const query = params.toString();
  return query === '' ? '' : `?${query}`;
}
