import type { ErrorBody } from '@docwright/contract';

/** Codes of errors that the client itself throws. Their `status` is 0, except for some of `not_docwright`. */
export type ClientErrorCode =
  /** No connection to the server. */
  | 'unreachable'
  /** No answer within the time limit. */
  | 'timeout'
  /** A stream broke and could not be resumed. */
  | 'connection_lost'
  /** The answer is not from a Docwright server. */
  | 'not_docwright'
  /** The server redirects, which is refused. */
  | 'redirected'
  | 'invalid_base_url'
  | 'invalid_argument'
  /** The user is a member of no organization. */
  | 'no_organization'
  | 'unreadable_file';

interface Parts {
  code: string;
  message: string;
  status?: number;
  request_id?: string | undefined;
  details?: unknown;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}

/**
 * The one error class of this client. `code` is stable and machine readable; `message` is for a user and names the
 * cure. `status` is the HTTP status, or 0 when the server was not reached or a turn failed while it ran. An abort does
 * not throw this class: it throws the signal's own reason.
 *
 * @example
 * ```ts
 * import { createDocwright, DocwrightError } from '@docwright/sdk';
 *
 * const docwright = createDocwright({ baseUrl: 'http://127.0.0.1:3000', token: 'dw_…' });
 * try {
 *   await docwright.documents.get('652f1c0a9d3e4b5f6a7b8c9d');
 * } catch (error) {
 *   if (!(error instanceof DocwrightError)) throw error;
 *   console.error(error.status, error.code, error.message);
 * }
 * ```
 */
export class DocwrightError extends Error {
  /** A code of the server, or one of `ClientErrorCode`. */
  readonly code: string;
  /** The HTTP status, or 0. */
  readonly status: number;
  /** The id of the request in the server's log, if the server answered. */
  readonly request_id: string | undefined;
  /** Depends on the code. */
  readonly details: unknown;
  /** Seconds to wait before a retry, if the server sent `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  constructor({ code, message, status = 0, request_id, details, retryAfterSeconds, cause }: Parts) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'DocwrightError';
    this.code = code;
    this.status = status;
    this.request_id = request_id;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** An error without an answer of the server. */
export function clientError(code: ClientErrorCode, message: string, cause?: unknown): DocwrightError {
  return new DocwrightError({ code, message, cause });
}

/** The error of an unsuccessful response. A proxy in between can send any body. */
export async function errorOfResponse(response: Response, origin: string): Promise<DocwrightError> {
  const { status } = response;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retryAfterSeconds = Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
  const text = await response.text().catch(() => '');
  const error = readErrorBody(text);
  if (error) return new DocwrightError({ ...error, status, retryAfterSeconds });
  if (status >= 500 || status === 429) {
    const message = `The server at ${origin} answered with status ${status}. Try again in a moment.`;
    return new DocwrightError({ code: 'server_error', message, status, retryAfterSeconds });
  }
  const message = `${origin} answered with status ${status}, but not like a Docwright server. Check the address.`;
  return new DocwrightError({ code: 'not_docwright', message, status });
}

function readErrorBody(text: string): ErrorBody['error'] | undefined {
  try {
    const { error } = JSON.parse(text) as Partial<ErrorBody>;
    return typeof error?.message === 'string' && typeof error.code === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}

/** The error for a `fetch` that failed without an abort. */
export function errorOfFetch(thrown: unknown, origin: string): DocwrightError {
  const reason = reasonOfFetch(thrown);
  const message = `No answer from ${origin}${reason === '' ? '' : ` (${reason})`}. Check the address and that the server runs.`;
  return clientError('unreachable', message, thrown);
}

/** The code or message of the innermost cause, because `fetch failed` alone does not help. */
export function reasonOfFetch(thrown: unknown): string {
  if (!(thrown instanceof Error)) return '';
  const { code } = thrown as { code?: unknown };
  if (typeof code === 'string') return code;
  const cause: unknown = thrown instanceof AggregateError ? (thrown.cause ?? thrown.errors[0]) : thrown.cause;
  return cause === undefined ? thrown.message : reasonOfFetch(cause);
}
