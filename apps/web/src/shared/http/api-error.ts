import type { ErrorBody } from '@docwright/contract';

/** An error answer of the server. `status` 0 means that the server was not reached. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: unknown;
  readonly requestId: string | undefined;
  /** The path that was read, for an answer to a GET. */
  readonly path: string | undefined;

  constructor(status: number, error: Partial<ErrorBody['error']> & { message: string }, path?: string) {
    super(error.message);
    this.name = 'ApiError';
    this.status = status;
    this.code = error.code ?? 'unknown';
    this.details = error.details;
    this.requestId = error.request_id;
    this.path = path;
  }
}

const unreachable = 'The server did not answer. Check that it is running and that you are online, then try again.';

/** Turns a failed `fetch` into an `ApiError`; an abort passes through unchanged. */
export function networkError(cause: unknown): unknown {
  if (cause instanceof DOMException && cause.name === 'AbortError') return cause;
  return new ApiError(0, { code: 'unreachable', message: unreachable });
}

/** Reads the contract's error body; a proxy may answer anything else. */
export function errorFromText(status: number, text: string, path?: string): ApiError {
  try {
    const body = JSON.parse(text) as Partial<ErrorBody>;
    if (typeof body.error?.message === 'string') return new ApiError(status, body.error, path);
  } catch {
    // Not JSON: only the status is known.
  }
  return new ApiError(status, { message: `The server answered with status ${status}. Try again in a moment.` });
}

/** An error's message for the user; server errors include the request id, which leads to the server's log. */
export function messageOf(error: unknown): string {
  // The server's message also speaks to programs.
  if (error instanceof ApiError && error.code === 'not_signed_in')
    return 'Your session has ended. Sign in, then try again.';
  if (error instanceof ApiError && error.status >= 500 && error.requestId !== undefined) {
    return `${error.message} (${error.requestId})`;
  }
  return error instanceof Error ? error.message : String(error);
}
