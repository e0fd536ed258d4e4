import { setTimeout as sleep } from 'node:timers/promises';
import type { RunDocument, RunEvent } from '@docwright/contract';
import type { RunService } from './run-service.ts';

/** The stream polls the records: other processes work on the run. */
const pollMs = 500;
const pageSize = 100;
/** Clocks of processes can differ by this much; the last look reads all documents. */
const overlapMs = 10_000;

type Polled = Pick<RunService, 'get' | 'documents'>;

/**
 * The current state of a run, each change of it and of its documents, and its end, until `signal` aborts. A look reads the
 * documents that have changed since the last one. Throws `run_not_found` before the first event if the run does not exist.
 */
export async function* runEvents(
  service: Polled,
  id: string,
  signal: AbortSignal,
  everyMs = pollMs,
): AsyncGenerator<RunEvent> {
  const sentDocuments = new Map<string, string>();
  let sentRun = '';
  let looked: Date | undefined;
  while (!signal.aborted) {
    const now = Date.now();
    const run = await service.get(id);
    const serialized = JSON.stringify(run);
    // Decisions after the run's end are still carried out.
    const isWorking = run.waiting + run.running > run.parked;
    const isDone = run.ended_at !== null && !isWorking && run.undo?.state !== 'running';
    if (serialized !== sentRun) {
      const isFirst = sentRun === '';
      sentRun = serialized;
      if (isFirst) yield { type: 'run', run };
      const changedSince = isDone ? undefined : looked;
      for await (const document of changedDocuments(service, id, sentDocuments, changedSince)) {
        yield { type: 'document', run_id: id, document };
      }
      looked = new Date(now - overlapMs);
      if (!isFirst) yield { type: 'run', run };
    }
    if (isDone) {
      yield { type: 'done', run };
      return;
    }
    await sleep(everyMs, undefined, { signal }).catch(() => undefined);
  }
}

/** The documents that differ from `sent`, which is updated. Queued documents are omitted until they start. */
async function* changedDocuments(
  service: Polled,
  id: string,
  sent: Map<string, string>,
  changedSince: Date | undefined,
): AsyncGenerator<RunDocument> {
  for (let skip = 0; ; skip += pageSize) {
    const { documents, total_count, total_is_minimum } = await service.documents(
      id,
      { skip, limit: pageSize },
      changedSince,
    );
    for (const document of documents) {
      const serialized = JSON.stringify(document);
      const isUnstarted = document.state === 'queued' && !sent.has(document.document_id);
      if (isUnstarted || sent.get(document.document_id) === serialized) continue;
      sent.set(document.document_id, serialized);
      yield document;
    }
    // Of more than are counted, the pages end where one is empty.
    if (total_is_minimum === true ? documents.length === 0 : skip + pageSize >= total_count) return;
  }
}
