import type { ErrorBody } from '@docwright/contract';

/** An answer that is not a success, with what the server says about it. `status` 0: the server was not reached. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: unknown;
  readonly requestId: string | undefined;

  constructor(status: number, error: Partial<ErrorBody['error']> & { message: string }) {
    super(error.message);
    this.name = 'ApiError';
    this.status = status;
    this.code = error.code ?? 'unknown';
    this.details = error.details;
    this.requestId = error.request_id;
  }
}

const unreachable = 'The server did not answer. Check that it is running and that you are online, then try again.';

/** What a failed `fetch` means to a person; an abort passes through as it is. */
export function networkError(cause: unknown): unknown {
  if (cause instanceof DOMException && cause.name === 'AbortError') return cause;
  return new ApiError(0, { code: 'unreachable', message: unreachable });
}

/** Reads the contract's error body; another server in between may answer anything. */
export function errorFromText(status: number, text: string): ApiError {
  try {
    const body = JSON.parse(text) as Partial<ErrorBody>;
    if (typeof body.error?.message === 'string') return new ApiError(status, body.error);
  } catch {
    // Not JSON: the status alone has to speak.
  }
  return new ApiError(status, { message: `The server answered with status ${status}. Try again in a moment.` });
}

/** Any failure as one sentence for a person; with the request's id where only the server's log knows more. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError && error.status >= 500 && error.requestId !== undefined) {
    return `${error.message} (${error.requestId})`;
  }
  return error instanceof Error ? error.message : String(error);
}
