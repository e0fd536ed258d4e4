import type { ServerResponse } from 'node:http';

/**
 * Calls `then` once the response is closed, at once if it already is: a client can leave while its rights are read, and
 * no further `close` follows.
 */
export function whenClosed(response: ServerResponse, then: () => void): void {
  if (response.destroyed || response.closed) then();
  else response.once('close', then);
}
