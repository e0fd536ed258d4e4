import { DocwrightError } from './docwright-error.ts';
import type { OrganizationApi } from './organization-api.ts';
import { readEvent, readFrames } from './server-sent-events.ts';
import { backoffMilliseconds, sleep } from './sleep.ts';
import type { CallOptions } from './transport.ts';

/** Connections in a row that bring nothing: about half a minute. */
export const maxFailures = 10;

/**
 * Yields the events of an object up to the one of type `lastType`, or without end. The server starts each stream with
 * the current state, so a lost connection is reopened, and an event that repeats the previous one is left out.
 */
export async function* followEvents<Event extends { type: string }>(
  api: OrganizationApi,
  segments: readonly string[],
  lastType: Event['type'] | undefined,
  options?: CallOptions,
): AsyncGenerator<Event, void, undefined> {
  const signal = options?.signal;
  let last = '';
  for (let failures = 0; ; failures += 1) {
    try {
      const response = await api.open(segments, { ...options, headers: { accept: 'text/event-stream' } });
      for await (const { data } of readFrames(response, signal)) {
        failures = 0;
        if (data === last) continue;
        last = data;
        const event = readEvent(data) as Event;
        yield event;
        if (event.type === lastType) return;
      }
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      if (!isTemporary(error) || failures >= maxFailures) throw error;
    }
    if (failures >= maxFailures) return;
    await sleep(backoffMilliseconds(failures), signal);
  }
}

/** Whether the server may answer later. */
export function isTemporary(error: unknown): boolean {
  if (!(error instanceof DocwrightError)) return false;
  return ['unreachable', 'timeout', 'connection_lost'].includes(error.code) || [502, 503, 504].includes(error.status);
}
