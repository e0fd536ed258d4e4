import type { ServerResponse } from 'node:http';

/**
 * Calls `then` once the response is closed, at once if it already is: a client can leave while its rights are read, and
 * no further `close` follows.
 */
export function whenClosed(response: ServerResponse, then: () => void): void {
  if (response.destroyed || response.closed) then();
  else response.once('close', then);
}

/** Aborts when the client has left: nobody reads the answer of work outside, such as a test of a connection. */
export function leftSignal(response: ServerResponse): AbortSignal {
  const left = new AbortController();
  whenClosed(response, () => left.abort());
  return left.signal;
}
