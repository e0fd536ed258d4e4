import type { DocumentEvent } from '@docwright/contract';
import { DocwrightError } from '../client/docwright-error.ts';
import type { OrganizationApi } from '../client/organization-api.ts';
import { readFrames } from '../client/server-sent-events.ts';
import { backoffMilliseconds, sleep } from '../client/sleep.ts';
import type { CallOptions } from '../client/transport.ts';

const maxFailures = 10;

/** Yields every frame of a stream that starts with the current state, and reopens a broken one. */
export async function* followState(
  open: () => Promise<Response>,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void, undefined> {
  let last = '';
  for (let failures = 0; ; failures += 1) {
    try {
      for await (const { data } of readFrames(await open(), signal)) {
        failures = 0;
        if (data !== last) yield data;
        last = data;
      }
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      const isTemporary =
        error instanceof DocwrightError &&
        (['unreachable', 'timeout', 'connection_lost'].includes(error.code) || [502, 503, 504].includes(error.status));
      if (!isTemporary || failures >= maxFailures) throw error;
    }
    if (failures >= maxFailures) return;
    await sleep(backoffMilliseconds(failures), signal);
  }
}

/** Ends when the document is deleted. */
export async function* followDocument(
  api: OrganizationApi,
  documentId: string,
  options?: CallOptions,
): AsyncGenerator<DocumentEvent, void, undefined> {
  const headers = { accept: 'text/event-stream' };
  const open = () => api.open(['documents', documentId, 'events'], { ...options, headers });
  let seen = false;
  try {
    for await (const data of followState(open, options?.signal)) {
      seen = true;
      yield JSON.parse(data) as DocumentEvent;
    }
  } catch (error) {
    if (seen && error instanceof DocwrightError && error.status === 404) return;
    throw error;
  }
}
