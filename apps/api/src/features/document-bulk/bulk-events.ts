import { setTimeout as sleep } from 'node:timers/promises';
import type { DocumentBulkEvent } from '@docwright/contract';
import type { BulkService } from './bulk-service.ts';

/** The record is the only thing that all processes share. */
const pollEveryMs = 300;

/**
 * How a bulk job stands now, every change, and its end or that of its undo, until `signal` aborts.
 * Throws `bulk_not_found` where there is none.
 */
export async function* bulkEvents(
  service: Pick<BulkService, 'get'>,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<DocumentBulkEvent> {
  let sent = '';
  while (!signal.aborted) {
    const bulk = await service.get(id);
    const text = JSON.stringify(bulk);
    if (text !== sent) yield { type: 'bulk', bulk };
    sent = text;
    if (bulk.ended_at !== null && bulk.undo?.state !== 'running') {
      yield { type: 'done', bulk };
      return;
    }
    await sleep(pollEveryMs, undefined, { signal }).catch(() => undefined);
  }
}
